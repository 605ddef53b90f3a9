"""One page in Firefox or WebKit, as distributions package them, by the commands of W3C WebDriver.

Playwright drives only Firefoxes and WebKits that it has built itself. These two bring drivers of their own: Marionette,
and WebDriver over HTTP. https://www.w3.org/TR/webdriver2/ says what the commands mean.
"""

import base64
import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any

from PIL import Image
from serving import free_port

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key of a reference to an element, section 12.2
PATHS = {  # of the commands, over HTTP
    "Navigate": "/url",
    "ExecuteScript": "/execute/sync",
    "FindElement": "/element",
    "ElementClick": "/element/{id}/click",
    "ElementSendKeys": "/element/{id}/value",
    "SetWindowRect": "/window/rect",
    "PerformActions": "/actions",
    "TakeScreenshot": "/screenshot",
}
MINI_BROWSERS = "/usr/lib/*/webkit2gtk-4.1/MiniBrowser"  # in Debian's package of WebKitWebDriver
# Any free port; and a mouse, which a machine without a screen does not have.
FIREFOX = {"marionette.port": 0, "ui.primaryPointerCapabilities": 6, "ui.allPointerCapabilities": 6}
KEYS = {"\ue007": "Enter", "\ue014": "ArrowRight", "\ue009": "Control"}  # section 17.4.2
PAUSE = {"type": "pause"}
TIMEOUT = 40  # seconds
Send = Callable[..., Any]


class WebDriver:
    """A page; `send` carries a command with its parameters to the browser, and returns the command's value."""

    def __init__(self, name: str, send: Send) -> None:
        self.name, self.send = name, send

    def open(self, address: str) -> None:
        self.send("Navigate", url=address)

    def run(self, script: str, *values: Any) -> Any:
        """The value of a JavaScript expression, which may name `values`."""
        return self.send("ExecuteScript", script=f"const values = [...arguments]; return ({script});", args=values)

    def wait(self, script: str, *values: Any) -> Any:
        """The value of an expression once it is true."""
        end = time.monotonic() + TIMEOUT
        while not (value := self.run(script, *values)):
            assert time.monotonic() < end, f"{self.name} waits for {script} with {values}"
            time.sleep(0.05)
        return value

    def text(self, selector: str) -> str:
        """The text of an element once it has one."""
        return self.wait("document.querySelector(values[0])?.textContent.trim()", selector)

    def element(self, selector: str) -> str:
        """The reference of an element once it is visible."""
        self.wait("document.querySelector(values[0])?.checkVisibility()", selector)
        return self.send("FindElement", using="css selector", value=selector)[ELEMENT]

    def click(self, selector: str) -> None:
        self.send("ElementClick", id=self.element(selector))

    def type(self, selector: str, text: str) -> None:
        """Types into an element; KEYS are those without a letter."""
        self.send("ElementSendKeys", id=self.element(selector), text=text)

    def colours(self, selector: str) -> int:
        """How many colours an element has on the screen."""
        left, top, right, bottom = self.run(
            "(({ left, top, right, bottom }) => [left, top, right, bottom])"
            "(document.querySelector(values[0]).getBoundingClientRect())",
            selector,
        )
        with Image.open(BytesIO(base64.b64decode(self.send("TakeScreenshot")))) as screen:
            part = screen.convert("RGB").crop((int(left), int(top), int(right), int(bottom)))
        return len(part.getcolors(part.width * part.height) or [])

    def scroll(self, x: int, y: int, pixels: int, key: str = "") -> None:
        """Turns the wheel at a point of the window, while a key is held."""
        turn = {"type": "scroll", "x": x, "y": y, "deltaX": 0, "deltaY": pixels, "origin": "viewport"}
        wheel = {"type": "wheel", "id": "wheel", "actions": [PAUSE, turn, PAUSE]}
        held = [{"type": "keyDown", "value": key}, PAUSE, {"type": "keyUp", "value": key}]
        self.send("PerformActions", actions=[wheel, *([{"type": "key", "id": "key", "actions": held}] if key else [])])

    def drag(self, *ways: list[tuple[int, int]], pointer: str = "touch") -> None:
        """Presses, moves and lets go a mouse, a pen, or a finger for each way, at once."""
        self.send(
            "PerformActions",
            actions=[
                {
                    "type": "pointer",
                    "id": f"{pointer} {i}",
                    "parameters": {"pointerType": pointer},
                    "actions": moves(way),
                }
                for i, way in enumerate(ways)
            ],
        )

    def resize(self, width: int, height: int) -> None:
        """Gives the page, not its window, this size."""
        self.send("SetWindowRect", width=width, height=height)
        left, missing = self.run("[values[0] - innerWidth, values[1] - innerHeight]", width, height)
        self.send("SetWindowRect", width=width + left, height=height + missing)


def moves(way: list[tuple[int, int]]) -> list[dict[str, Any]]:
    """The actions of a pointer along the points of a way."""
    first, *others = ({"type": "pointerMove", "x": x, "y": y, "origin": "viewport", "duration": 50} for x, y in way)
    return [first, {"type": "pointerDown", "button": 0}, *others, {"type": "pointerUp", "button": 0}]


def patiently(attempt: Callable[[], Any]) -> Any:
    """What an attempt gives once the program that it needs has started."""
    end = time.monotonic() + TIMEOUT
    while True:
        try:
            return attempt()
        except (OSError, ValueError):
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


@contextmanager
def running(*command: str, **environment: str) -> Iterator[None]:
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, env={**os.environ, **environment}, stdout=quiet, stderr=quiet) as process:
        try:
            yield
        finally:
            process.terminate()


@contextmanager
def firefox(program: str, folder: Path) -> Iterator[WebDriver]:
    """Firefox with a profile in an empty folder; Marionette's messages are `length:[type, id, ...]`."""
    preferences = [f"user_pref({json.dumps(name)}, {value});\n" for name, value in FIREFOX.items()]
    (folder / "user.js").write_text("".join(preferences), encoding="ascii")
    with running(program, "--headless", "--marionette", "--no-remote", "--profile", str(folder), HOME=str(folder)):
        port = patiently(lambda: int((folder / "MarionetteActivePort").read_text(encoding="ascii")))
        with (
            socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT) as connection,
            connection.makefile("rwb") as stream,
        ):
            ids = count(1)

            def receive() -> Any:
                length = b"".join(iter(lambda: stream.read(1), b":"))
                return json.loads(stream.read(int(length)))

            def send(command: str, **values: Any) -> Any:
                message = json.dumps([0, next(ids), f"WebDriver:{command}", values]).encode()
                stream.write(b"%d:%b" % (len(message), message))
                stream.flush()
                _, _, error, answer = receive()
                assert not error, error
                return answer.get("value", answer)

            receive()  # Firefox says what it is
            send("NewSession")
            yield WebDriver("firefox", send)


@contextmanager
def webkit(driver: str, program: str) -> Iterator[WebDriver]:
    """WebKitGTK, on a display that is there."""
    port = free_port()
    session = f"http://127.0.0.1:{port}/session"

    def request(address: str, values: dict[str, Any]) -> Any:
        data = None if address.endswith(PATHS["TakeScreenshot"]) else json.dumps(values).encode()
        try:
            with urllib.request.urlopen(address, data, timeout=TIMEOUT) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from None

    def send(command: str, **values: Any) -> Any:
        return request(session + PATHS[command].format(id=values.get("id")), values)

    with running(driver, f"--port={port}"):
        options = {"webkitgtk:browserOptions": {"binary": program, "args": ["--automation"]}}
        begun = patiently(lambda: request(session, {"capabilities": {"alwaysMatch": options}}))
        session += f"/{begun['sessionId']}"
        yield WebDriver("webkit", send)
