"""How a server ends: who waits is told so, streams end, and nothing stays behind. And what its environment may hold."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import httpx
import pytest
from cases import sweep
from serving import PATIENCE, free_port, get, post, until

from explorer.ui import words

ROOT = Path(__file__).parents[2]
UNREACHABLE = {"http_proxy": "http://127.0.0.1:9", "ALL_PROXY": "socks5://127.0.0.1:9"}
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@contextmanager
def program(*options: str, temporary: Path, **environment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The page as a process of its own, and its address."""
    others = {name: text for name, text in os.environ.items() if name.lower() not in PROXIES}
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # which who starts tests in the background may ignore
    process = subprocess.Popen(
        [sys.executable, "-u", "app.py", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        preexec_fn=heard,
        env={**others, "TMPDIR": str(temporary), **environment},
    )
    try:
        assert process.stdout
        said = re.fullmatch(r"The page is at (http://127\.0\.0\.1:\d+/) until Ctrl-C\.\n", process.stdout.readline())
        assert said
        yield process, said[1]
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("number", sweep(["SIGTERM", "SIGINT"], "SIGTERM"))
def test_a_signal_ends_the_page_without_a_word_and_tells_everybody_who_waits(number, tmp_path):
    """And the page starts where the environment has proxies that it cannot reach."""

    def ask(client: httpx.Client, url: str, visitor: int) -> str:
        heads = [["encoder", 0, head] for head in range(8)]
        arguments = [f"{visitor} dogs sleep.", heads, "zero", []]
        asked = {"question": "scores", "arguments": arguments, "language": "en"}
        answer = client.post(f"{url}ask", json={**asked, "visitor": f"{visitor}"}, timeout=PATIENCE)
        return answer.text.splitlines()[-1]

    with program(temporary=tmp_path, **UNREACHABLE) as (process, url), ThreadPoolExecutor(30) as threads:
        with httpx.Client(trust_env=False) as client:
            made = client.post(f"{url}class", json={"language": "en"}).json()
            client.post(f"{url}class/{made['code']}", json={"action": "open", "language": "en", "key": made["key"]})
            state = {"action": "state", "language": "en", "page": "a", "browser": "a", "wait_seconds": 20}
            known = client.post(f"{url}class/{made['code']}", json=state).json()["number"]
            waiting = threads.submit(post, f"{url}class/{made['code']}", json={**state, "known": known})
            asked = [threads.submit(ask, client, url, visitor) for visitor in range(20)]
            until(lambda: client.get(f"{url}health").json()["waiting"] >= 15)
            process.send_signal(signal.Signals[number])
            last = [json.loads(one.result(PATIENCE)) for one in asked]
            assert waiting.result(PATIENCE).json()["number"] > known
        assert process.communicate(timeout=PATIENCE) == ("", "") and process.returncode == 0
    told = [answer for answer in last if answer == {"error": words.REFUSALS["stopping"]}]
    assert len(told) >= 10 and all("changes" in answer for answer in last if answer not in told)
    assert not [*tmp_path.glob("attention-*")]


def test_the_environment_is_as_before_once_gradio_is_up():
    from explorer.ui.proxies import without_proxies

    environment = {"no_proxy": "example.org", "http_proxy": "http://127.0.0.1:9"}
    before = dict(environment)
    with without_proxies(environment):
        assert environment["no_proxy"] == "*"
    assert environment == before


@pytest.mark.thorough
def test_a_page_whose_standard_streams_are_closed_is_served(tmp_path):
    """As pythonw and services start it; uvicorn asks a stream whether it is a terminal."""
    port = free_port()
    command = f'exec "{sys.executable}" app.py --port {port} <&- >&- 2>&-'
    process = subprocess.Popen(["sh", "-c", command], cwd=ROOT, env={**os.environ, "TMPDIR": str(tmp_path)})

    def is_served() -> bool:
        assert process.poll() is None
        with suppress(httpx.ConnectError):
            return get(f"http://127.0.0.1:{port}/health").json()["status"] == "ok"
        return False

    try:
        while not is_served():  # a busy machine starts it in more than a minute
            time.sleep(0.01)
        assert "<gradio-app" in get(f"http://127.0.0.1:{port}/").text
    finally:
        process.kill()
        process.wait()
