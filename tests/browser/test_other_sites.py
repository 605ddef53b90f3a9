"""Pages of other sites, in a browser of the same network as the server, which they know by a name or by its address."""

import re
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect
from serving import served
from visiting import CHROMIUM, FLAGS, needs_browser

from explorer.server.trusted_hosts import trusted_sites
from model.decoding import Translator

pytestmark = needs_browser
SITES = ["lan.test", "evil.test", "friend.test"]  # lan.test is the server's; Chromium sends it no Sec-Fetch-Site
# As much of a response as the page can read; nothing where the browser keeps it from the page.
ASK = """async ([url, headers, mode]) => {
  const question = { question: "translate", arguments: ["The cat sleeps."], language: "en" };
  const body = JSON.stringify(url.endsWith("toys") ? { action: "begin", language: "en" } : question);
  try {
    const response = await fetch(url, url.endsWith("health") ? {} : { method: "POST", headers, mode, body });
    return `${response.status} ${await response.text()}`;
  } catch { return ""; }
}"""
JSON = {"content-type": "application/json"}


class EmptyPage(SimpleHTTPRequestHandler):
    """An empty page at every path."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[int]:
    """The port of another server on this machine."""
    with ThreadingHTTPServer(("127.0.0.1", 0), EmptyPage) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


@pytest.fixture(scope="module")
def port(toy: Translator, elsewhere: int) -> Iterator[int]:
    """The port of the page."""
    sites = trusted_sites({}, ["lan.test"], [f"http://friend.test:{elsewhere}"])
    for address in served(toy, max_trainings=1, sites=sites):
        yield urlsplit(address).port or 0


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    rules = ", ".join(f"MAP {name} 127.0.0.1" for name in SITES)
    other = browser.browser_type.launch(executable_path=CHROMIUM, args=[*FLAGS, f"--host-resolver-rules={rules}"])
    yield other.new_page()
    other.close()


def test_another_site_can_neither_ask_nor_train_nor_read(page, port, elsewhere):
    page.goto(f"http://evil.test:{elsewhere}/")
    claimed = {**JSON, "x-forwarded-host": f"evil.test:{elsewhere}"}
    for host in ("lan.test", "127.0.0.1"):
        for path in ("ask", "toys", "gradio_api/call/translate", "health"):
            for headers in (JSON, claimed, {}):
                assert page.evaluate(ASK, [f"http://{host}:{port}/{path}", headers, "cors"]) == "", (host, path)


def test_a_name_that_is_made_to_lead_to_the_server_is_not_answered(page, port):
    page.goto(f"http://evil.test:{port}/")
    assert "--allow-host" in page.inner_text("body")
    for path in ("ask", "toys", "health"):
        assert page.evaluate(ASK, [f"http://evil.test:{port}/{path}", JSON, "cors"]).startswith("421 ")


def test_any_site_may_show_one_view_in_a_frame_which_names_the_page(page, port, elsewhere):
    page.goto(f"http://evil.test:{elsewhere}/")
    page.set_content(f'<iframe width="800" height="450" src="http://lan.test:{port}/?embed=1&step=2"></iframe>')
    frame = page.frame_locator("iframe")
    expect(frame.locator("#viewer .heatmap .nsewdrag")).to_be_visible()
    name = frame.get_by_role("link", name="Attention Explorer")
    expect(name).to_be_in_viewport(ratio=1)
    expect(frame.get_by_role("link")).to_have_count(1)
    with page.expect_popup() as whole:
        name.click()
    assert whole.value.evaluate("opener") is None
    expect(whole.value.get_by_role("heading", name="Attention Explorer")).to_be_visible()
    expect(whole.value).to_have_url(re.compile(r"lan\.test:\d+/\?(?!.*embed).*step=2"))
    whole.value.close()


def test_a_site_that_is_named_may_ask(page, port, elsewhere):
    page.goto(f"http://friend.test:{elsewhere}/")
    for path in ("ask", "health"):
        assert page.evaluate(ASK, [f"http://lan.test:{port}/{path}", JSON, "cors"]).startswith("200 ")
