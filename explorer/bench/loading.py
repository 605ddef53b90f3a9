"""What a visit costs: requests, bytes and the time to the first picture, for a first visit and for a second one."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext

# Milliseconds from navigation to the frame after the one in which the attention view was drawn.
FIRST_PICTURE = """
window.firstPicture = new Promise((done) => {
    const watch = new MutationObserver(() => {
        if (!document.querySelector(".viewer[data-step]")) return;
        watch.disconnect();
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())));
    });
    watch.observe(document, { subtree: true, childList: true, attributeFilter: ["data-step"] });
});
"""
QUIET = 1500  # milliseconds after the first picture, in which what is still asked for arrives
SLOW_LINE = {"offline": False, "latency": 40, "downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8}
SLOW_CPU = 4  # times slower


@dataclass(eq=False)
class Visited:
    """What one visit asked for; of an answer from the browser's own store nothing came over the line."""

    sizes: dict[str, float] = field(default_factory=dict)  # bytes by request
    picture: float = 0.0  # milliseconds

    @property
    def kilobytes(self) -> float:
        return sum(self.sizes.values()) / 1000


def visit(context: BrowserContext, address: str, *, slow: bool = False) -> Visited:
    """Opens the page and waits until nothing more comes; `slow` is a line of 10 Mbit/s and a slower processor."""
    page, found = context.new_page(), Visited()
    page.add_init_script(FIRST_PICTURE)
    session = context.new_cdp_session(page)
    session.send("Network.enable")

    def asked(event: dict[str, Any]) -> None:
        if event["request"]["url"].startswith("http"):
            found.sizes[event["requestId"]] = 0

    def loaded(event: dict[str, Any]) -> None:
        if event["requestId"] in found.sizes:
            found.sizes[event["requestId"]] = event["encodedDataLength"]

    session.on("Network.requestWillBeSent", asked)
    session.on("Network.loadingFinished", loaded)
    if slow:
        session.send("Network.emulateNetworkConditions", SLOW_LINE)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_CPU})
    page.goto(address, wait_until="commit")
    found.picture = page.evaluate("firstPicture")
    page.wait_for_timeout(QUIET)
    page.close()
    return found


@contextmanager
def fresh(browser: Browser) -> Iterator[BrowserContext]:
    """A visitor who was never here."""
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    yield context
    context.close()


def first_visits(browser: Browser, address: str, runs: int, *, slow: bool = False) -> list[Visited]:
    visits = []
    for _ in range(runs):
        with fresh(browser) as context:
            visits.append(visit(context, address, slow=slow))
    return visits


def second_visit(browser: Browser, address: str) -> Visited:
    with fresh(browser) as context:
        visit(context, address)
        return visit(context, address)
