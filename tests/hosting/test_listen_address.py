"""Where the page listens, and what the command says where it cannot."""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from cases import each_case
from serving import free_port

from explorer.server.listen_address import (
    HOST,
    PORT,
    TEMPORARY,
    ListenAddress,
    listen_address,
    provide_temporary_folder,
)

ROOT = Path(__file__).parents[2]


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that something listens at."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_without_a_wish_the_page_is_for_this_computer_alone_at_the_first_free_port():
    assert listen_address(None, None, {}) == ListenAddress("127.0.0.1", None)


def test_the_environment_chooses_and_flags_choose_first():
    free = free_port()
    assert listen_address(None, None, {HOST: "0.0.0.0", PORT: str(free)}) == ListenAddress("0.0.0.0", free)
    assert listen_address("127.0.0.1", free, {HOST: "0.0.0.0", PORT: "7"}) == ListenAddress("127.0.0.1", free)


@each_case("host", ["::1", "[::1]"])
def test_an_ipv6_address_is_written_as_in_an_address(host):
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("no IPv6 on this machine")
    assert listen_address(host, None, {}).host == "[::1]"


@each_case("port", ["0", "7.5", "²", pytest.param("9" * 5000, id="long")])
def test_a_port_in_the_environment_that_there_is_not_is_refused(port):
    with pytest.raises(ValueError, match=f"{PORT} must be a whole number from 1 to 65535") as refused:
        listen_address(None, None, {PORT: port})
    assert len(str(refused.value)) < 200
    with pytest.raises(ValueError, match=r"--port must be a whole number from 1 to 65535"):
        listen_address(None, 65536, {})


@each_case(("host", "reason"), [("." * 300, ""), ("127.0.0.1.5", ""), ("198.51.100.7", ".*Cannot assign requested")])
def test_a_host_that_there_is_not_or_that_is_another_computers_is_refused(host, reason):
    with pytest.raises(ValueError, match=f"The page cannot listen at{reason}"):
        listen_address(host, None, {})


def test_a_port_that_is_taken_is_refused(taken):
    with pytest.raises(ValueError, match=f"port {taken}: Address already in use"):
        listen_address(None, taken, {})


@each_case("within", ["", "x/y"])
def test_a_temporary_folder_that_cannot_be_written_to_is_refused(tmp_path, within):
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match=f"Nothing can be written to .*file.*{TEMPORARY}"):
        provide_temporary_folder({TEMPORARY: str(tmp_path / "file" / within)})


def test_where_there_is_no_temporary_folder_at_all_it_is_said(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "file"))
    with pytest.raises(ValueError, match=r"Nothing can be written to any temporary folder .*TMPDIR"):
        provide_temporary_folder({})


def test_a_temporary_folder_that_is_named_is_made(tmp_path):
    provide_temporary_folder({TEMPORARY: str(tmp_path / "a" / "b")})
    assert (tmp_path / "a" / "b").is_dir() and not [*(tmp_path / "a" / "b").iterdir()]


def test_otherwise_everybody_has_a_folder_of_his_own(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    visits = [{}, {}]
    for environment in visits:
        provide_temporary_folder(environment)
    assert {Path(environment[TEMPORARY]) for environment in visits} == {*tmp_path.iterdir()} and len(visits) == 2


def test_the_command_says_it_in_one_sentence_before_it_imports_gradio_or_loads_anything():
    command = [sys.executable, "-m", "explorer", "--model", "no/such/folder"]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env={**os.environ, PORT: "abc"})
    assert ended.returncode == 1 and ended.stderr.startswith(f"python -m explorer: {PORT} must be")
    assert len(ended.stderr.splitlines()) == 1 and ended.stdout == ""


def test_ctrl_c_ends_the_page_without_a_word():
    command = [sys.executable, "-u", "app.py"]
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # which who starts tests in the background may ignore
    served = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, preexec_fn=heard
    )
    said = re.compile(r"The page is at http://127\.0\.0\.1:\d+/ until Ctrl-C\.\n")
    assert served.stdout and said.fullmatch(served.stdout.readline())
    served.send_signal(signal.SIGINT)
    assert served.communicate(timeout=60) == ("", "") and served.returncode == 0


def test_gradio_finds_nothing_left_to_read():
    environment = {HOST: "0.0.0.0", "OTHER": "x"}
    listen_address(None, None, environment)
    assert environment == {"OTHER": "x"}
