"""The repository as a Hugging Face Space: tracked files, requirements.txt, a Space's variables, and no network.

    python -m pytest -s -m space

prints how long it takes to install, to serve the page, to draw it, and to answer.
"""

import os
import shutil
import subprocess
import time
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect, sync_playwright
from serving import free_port
from visiting import CHROMIUM, FLAGS, needs_browser, translate

pytestmark = [pytest.mark.space, *needs_browser]

ROOT = Path(__file__).parents[2]
PATIENCE = 120  # seconds
# Python runs it before anything else: a Space need not reach anybody, and whoever is asked for is written down.
GUARD = """
import sys
LOCAL = (None, "", "localhost", "0.0.0.0", "::", "::1", b"localhost")
def guard(event, given):
    if event not in ("socket.connect", "socket.getaddrinfo"):
        return
    place = given[1] if event == "socket.connect" else given
    host = place[0] if isinstance(place, tuple) else None  # the address of a Unix socket is text
    if host not in LOCAL and not str(host).startswith("127."):
        with open({asked!r}, "a") as file:
            file.write(f"{{event}} {{host}}\\n")
        raise OSError(101, f"no network in this test: {{host}}")
sys.addaudithook(guard)
"""


@dataclass(frozen=True)
class Space:
    address: str
    asked: Path  # the hosts that the server tried to reach, a line each
    began: float


def copied(folder: Path) -> None:
    """The tracked files, as a push brings them to a Space."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in listed.decode().split("\0"):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)


def installed(folder: Path, requirements: Path) -> Path:
    """A Python that has what the requirements ask for, and nothing else."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", "-r", requirements], check=True)
    return python


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Space]:
    folder = tmp_path_factory.mktemp("space")
    asked = folder / "asked.txt"
    for name in ("app", "guard", "home"):
        (folder / name).mkdir()
    copied(folder / "app")
    (folder / "guard" / "sitecustomize.py").write_text(GUARD.format(asked=str(asked)))
    began = time.perf_counter()
    python = installed(folder / "venv", folder / "app" / "requirements.txt")
    print(f"\ninstalled in {time.perf_counter() - began:.0f} s")
    port = free_port()
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder / "home"),
        "PYTHONPATH": str(folder / "guard"),
        "SYSTEM": "spaces",
        "SPACE_ID": "owner/attention-explorer",
        "SPACE_HOST": "owner-attention-explorer.hf.space",
        "SPACE_AUTHOR_NAME": "owner",
        "SPACE_REPO_NAME": "attention-explorer",
        "GRADIO_SERVER_NAME": "0.0.0.0",
        "GRADIO_SERVER_PORT": str(port),
        "GRADIO_SSR_MODE": "True",
    }
    address, began = f"http://127.0.0.1:{port}/", time.perf_counter()
    with subprocess.Popen([python, "app.py"], cwd=folder / "app", env=environment) as server:
        try:
            wait_for(address, server)
            print(f"served after {time.perf_counter() - began:.1f} s")
            yield Space(address, asked, began)
        finally:
            server.terminate()


def wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    """Until the page answers."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and server.poll() is None:
        try:
            if httpx.get(f"{address}health").is_success:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    pytest.fail(f"no page at {address}; the server's status is {server.poll()}")


def test_the_page_opens_and_translates_without_a_network(space):
    asked_for: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        page.on(
            "request", lambda request: None if request.url.startswith(space.address) else asked_for.append(request.url)
        )
        page.goto(space.address)
        expect(page.locator("#viewer .status")).not_to_be_empty()
        print(f"drawn after {time.perf_counter() - space.began:.1f} s")
        asked = time.perf_counter()
        translate(page, "Seven swimmers sneeze.")
        now = time.perf_counter()
        print(f"first answer after {now - space.began:.1f} s, {now - asked:.1f} s after it was asked for")
        browser.close()
    assert [url for url in asked_for if not url.startswith((space.address, "data:", "blob:"))] == []
    assert not space.asked.exists(), space.asked.read_text()
