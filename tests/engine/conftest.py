"""What tests of the engine share: a browser page that can import its modules and fetch checkpoints."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
InBrowser = Callable[..., Any]


class Handler(SimpleHTTPRequestHandler):
    """Serves a folder, silently."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def files_served(folder: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder)) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for checkpoints, which the browser finds under its name."""
    return tmp_path_factory.mktemp("checkpoints")


@pytest.fixture(scope="session")
def engine_page(browser: Browser, checkpoints: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """An empty page of a server that has the engine, the module that drives it here, and the checkpoints."""
    from explorer.ui import bundle  # not above: --thorough checks the types of what is imported later

    folder = tmp_path_factory.mktemp("served")
    (folder / "index.html").write_text("<!doctype html><title>Engine</title>", encoding="utf-8")
    modules = bundle.bundle_modules(bundle.EXPLORER, *bundle.module_texts(bundle.ENGINE))
    (folder / "engine.js").write_text(modules, encoding="utf-8")
    (folder / "engine").symlink_to(ROOT / "explorer" / "engine")
    (folder / "tests").symlink_to(ROOT / "tests" / "engine")
    (folder / "checkpoints").symlink_to(checkpoints)
    (checkpoints / "small").symlink_to(ROOT / "assets" / "small")
    with files_served(folder) as address:
        page = browser.new_page()
        page.goto(address)
        yield page
        page.close()


@pytest.fixture(scope="session")
def in_browser(engine_page: Page) -> InBrowser:
    """Calls a function of driver.js, `in_browser("record", "small", sentence)`, and returns what it returns."""

    def call(name: str, *arguments: Any) -> Any:
        script = "async ([name, values]) => (await import('./tests/driver.js'))[name](...values)"
        return engine_page.evaluate(script, [name, list(arguments)])

    return call
