"""Where the page listens, what the command says where it cannot, and the addresses for a class with their code."""

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zxingcpp
from cases import each_case
from serving import free_port

from explorer.server import listen_address as lan
from explorer.server import start
from explorer.server.listen_address import (
    HOST,
    PORT,
    TEMPORARY,
    ListenAddress,
    listen_address,
    provide_temporary_folder,
)
from model.errors import UserError

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


def test_a_page_at_all_ipv6_addresses_is_visited_at_one_and_said_to_answer_those_alone():
    assert lan.local_url("http://[::]:7860/") == ("http://[::1]:7860/", lan.IPV6_ALONE)
    assert lan.local_url("http://[::1]:7860/") == ("http://[::1]:7860/", "")
    assert lan.local_url("http://localhost:7860/") == ("http://localhost:7860/", "")


@each_case("port", ["0", "7.5", "²", pytest.param("9" * 5000, id="long")])
def test_a_port_in_the_environment_that_there_is_not_is_refused(port):
    with pytest.raises(UserError, match=f"{PORT} must be a whole number from 1 to 65535") as refused:
        listen_address(None, None, {PORT: port})
    assert len(str(refused.value)) < 200
    with pytest.raises(UserError, match=r"--port must be a whole number from 1 to 65535"):
        listen_address(None, 65536, {})


@each_case(("host", "reason"), [("." * 300, ""), ("127.0.0.1.5", ""), ("198.51.100.7", ".*Cannot assign requested")])
def test_a_host_that_there_is_not_or_that_is_another_computers_is_refused(host, reason):
    with pytest.raises(UserError, match=f"The page cannot listen at{reason}"):
        listen_address(host, None, {})


def test_a_port_that_is_taken_is_refused(taken):
    with pytest.raises(UserError, match=f"port {taken}: Address already in use"):
        listen_address(None, taken, {})


@each_case("within", ["", "x/y"])
def test_a_temporary_folder_that_cannot_be_written_to_is_refused(tmp_path, within):
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=f"Nothing can be written to .*file.*{TEMPORARY}"):
        provide_temporary_folder({TEMPORARY: str(tmp_path / "file" / within)})


def test_where_there_is_no_temporary_folder_at_all_it_is_said(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "file"))
    with pytest.raises(UserError, match=r"Nothing can be written to any temporary folder .*TMPDIR"):
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


def test_gradio_finds_nothing_left_to_read():
    environment = {HOST: "0.0.0.0", "OTHER": "x"}
    listen_address(None, None, environment)
    assert environment == {"OTHER": "x"}


HALVES = {"█": (255, 255), "▀": (255, 0), "▄": (0, 255), " ": (0, 0)}  # how bright a terminal draws them, up and down


def decoded(lines: list[str]) -> str:
    """What is read from a picture of lines of half blocks, light on dark."""
    rows = [row for line in lines for row in zip(*(HALVES[block] for block in line), strict=True)]
    picture = np.array(rows, dtype=np.uint8).repeat(4, axis=0).repeat(4, axis=1)
    (found,) = zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCode)
    return found.text


def test_everything_for_a_class_is_said(monkeypatch):
    monkeypatch.setattr(lan, "addresses", lambda: ["192.168.1.17", "10.42.0.1"])
    lines = lan.announcement(7861, "ABCDEF", "utf-8", in_colour=False).splitlines()
    urls = [f"http://{host}:7861/?class=ABCDEF" for host in ("192.168.1.17", "10.42.0.1")]
    assert [line.strip() for line in lines[1:3]] == urls
    assert decoded(lines[3:-2]) == urls[0]
    assert lines[-2] == "Or they open 192.168.1.17:7861/join and type ABCDEF."
    assert lines[-1] == lan.WARNING and "no password" in lan.WARNING


def test_a_terminal_without_blocks_gets_the_address_alone(monkeypatch):
    monkeypatch.setattr(lan, "addresses", lambda: ["192.168.1.17"])
    said = lan.announcement(7860, "", "cp1252", in_colour=True).splitlines()
    assert said == ["For others in this network:", "  http://192.168.1.17:7860/", lan.WARNING]


def test_a_terminal_of_any_colours_shows_light_on_dark(monkeypatch):
    monkeypatch.setattr(lan, "addresses", lambda: ["192.168.1.17"])
    drawn = lan.announcement(7860, "", "utf-8", in_colour=True).splitlines()[2:-1]
    assert all(line.startswith(lan.WHITE_ON_BLACK) and line.endswith(lan.PLAIN) for line in drawn)
    assert decoded([line[len(lan.WHITE_ON_BLACK) : -len(lan.PLAIN)] for line in drawn]) == "http://192.168.1.17:7860/"


class Probe(socket.socket):
    """A socket that says from which address it would send: one of three networks, or none."""

    def connect(self, address: Any) -> None:
        if address[0].startswith("172."):
            raise OSError("no way there")
        self.way = {"10.42.0.1": "10.42.0.1", "192.0.2.1": "192.168.1.17"}.get(address[0], "127.0.0.1")

    def getsockname(self) -> Any:
        return self.way, 40000


def test_addresses_are_those_of_all_networks_without_this_computers_own(monkeypatch):
    monkeypatch.setattr(lan.socket, "socket", Probe)
    assert lan.addresses() == ["192.168.1.17", "10.42.0.1"]


def test_a_computer_in_no_network_says_so(monkeypatch):
    monkeypatch.setattr(lan, "addresses", list)
    assert lan.announcement(7860, "", "utf-8", in_colour=True) == lan.NO_NETWORK


@pytest.mark.parametrize("answer", [True, False, start.webbrowser.Error("none")])
def test_the_browser_is_opened_or_it_is_said_that_there_is_none(monkeypatch, capsys, answer):
    asked = []

    def show(url: str) -> bool:
        asked.append(url)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(start.webbrowser, "open", show)
    start.open_browser("http://127.0.0.1:7860/")
    said = capsys.readouterr().err
    assert asked == ["http://127.0.0.1:7860/"] and (said == "") == (answer is True)
    assert answer is True or "No browser could be opened" in said
