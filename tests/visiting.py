"""What browser tests share: Debian's Chromium driven by playwright, and the page as a visitor sees it."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any
from urllib.parse import urlencode, urljoin

import numpy as np
import pytest
from playwright.sync_api import Browser, Error, Frame, Locator, Page, TimeoutError, expect

# The headless shell loads a page in three quarters of the time that the whole browser takes.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
BOX = "#sentence :is(input, textarea)"
WAITING = "robots.txt"  # a small answer of every server
DESK, PHONE = (1366, 768), (390, 844)
TIMEOUT = 30_000  # milliseconds; generous, because a busy machine must not fail a test
FOLLOW = """(query) => {
    history.pushState(null, "", location.pathname + query);
    dispatchEvent(new PopStateEvent("popstate", { state: null }));
}"""
# What a tab cannot be without, and the least part of its panel's width that its widest picture has.
DRAWN = {
    "explore": (".heatmap .nsewdrag", 0.3),
    "lessons": (".lessons .cards", 0.9),
    "train": ("#train .train", 0.3),
    "positions": (".js-plotly-plot .plot-container", 0.3),
    "whole": ("#whole [data-role=canvas]", 0.9),
    "training": (".training .plot-container", 0.3),
    "glossary": ("dl", 0.5),
}
SEEN_BEFORE = (
    """if (location.protocol.startsWith("http")) localStorage.setItem("attention-explorer:introduced", "1");"""
)
# Frames come late by FRAME_DELAY_MS, as on a slow machine: what a test does not wait for is not there yet then.
FRAME_DELAY_MS = int(os.environ.get("FRAME_DELAY_MS", "0"))
# Pages of tests are those of visitors who want less motion, but for `in_motion` and for slow machines: what flies or
# glides is drawn sixty times a second, and is where it belongs either way.
MOTION = "no-preference" if FRAME_DELAY_MS else "reduce"
DELAY_FRAMES = """((delay) => {
    const frame = window.requestAnimationFrame.bind(window), cancelFrame = window.cancelAnimationFrame.bind(window);
    const cancellations = new Map();
    let last = 0;
    window.requestAnimationFrame = (tick) => {
        const id = last += 1;
        const timer = setTimeout(() => {
            const drawn = frame((now) => {
                cancellations.delete(id);
                tick(now);
            });
            cancellations.set(id, () => cancelFrame(drawn));
        }, delay);
        cancellations.set(id, () => clearTimeout(timer));
        return id;
    };
    window.cancelAnimationFrame = (id) => {
        cancellations.get(id)?.();
        cancellations.delete(id);
    };
})"""
# The address is written as soon as something changes, not 0.1 to 0.4 s later, for which tests would wait at every step
# (pages in contexts of their own, as in test_site.py and test_classroom.py, have the delays).
WRITE_ADDRESS_SOON = """(() => {
    const { setTimeout } = window;
    window.setTimeout = (call, delay, ...given) =>
        setTimeout(call, call.name === "writeAddress" ? 0 : delay, ...given);
})()"""
# Frames of animation come while time is held, and no time passes in them; with a `pace` above 1 it passes faster.
HOLD_TIME = """(() => {
    const frame = window.requestAnimationFrame.bind(window);
    window.pace = 0;
    window.requestAnimationFrame = (tick) => frame((now) => tick(now * window.pace));
})()"""
# Draws all views again, as an answer does that comes late.
DRAW_AGAIN = """async () => {
    const bundle = performance.getEntriesByType("resource").find(({ name }) => name.includes("modules.js")).name;
    const { default: modules } = await import(bundle);
    modules["ui/page_events.js"].currentView().render();
}"""
# Frames that wait to be drawn until they are let go.
HOLD_FRAMES = """() => {
    const frame = window.requestAnimationFrame;
    const held = [];
    window.requestAnimationFrame = (tick) => held.push(tick);
    window.drawHeldFrames = () => {
        window.requestAnimationFrame = frame;
        for (const tick of held) tick(performance.now());
    };
}"""
expect.set_options(timeout=TIMEOUT)

if CHROMIUM is None and os.environ.get("REQUIRE_BROWSER"):
    pytest.fail("no Chromium: apt-get install chromium-headless-shell, or set CHROMIUM to its path", pytrace=False)
needs_browser = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")]


def waiting_page(browser: Browser, origin: str) -> Page:
    """A page that an earlier visit to this server has left waiting, else a new one beside those of this server.

    To load the page anew takes less than a second of computing; without the files of an earlier visit it takes four.
    Servers do not share a page: Chromium keeps compiled functions, whose imports would go on asking the earlier server.
    """
    pages = [page for context in browser.contexts for page in context.pages if page.url.startswith(origin)]
    waiting = [page for page in pages if page.url == origin + WAITING]
    if waiting:
        return waiting[0]
    page = (pages[0].context if pages else browser.new_context(reduced_motion=MOTION)).new_page()
    page.add_init_script(SEEN_BEFORE)  # a first visit would play the sentence
    page.add_init_script(f"{DELAY_FRAMES}({FRAME_DELAY_MS})" if FRAME_DELAY_MS else WRITE_ADDRESS_SOON)
    return page


def at_rest(page: Page | Frame | Locator) -> None:
    """Waits until nothing that the page has begun is still to come, and the screen shows what there is.

    A saved report, which computes nothing, has no such word, and its policy lets nobody wait for a function.
    """
    page = page.page if isinstance(page, Locator) else page
    if page.url.startswith("file:"):
        return
    try:
        page.wait_for_function("globalThis.whenAtRest?.()", timeout=TIMEOUT)
    except TimeoutError as error:
        raise AssertionError(f"still at work: {page.evaluate('globalThis.atWork?.()')}") from error


def errors_of(page: Page) -> list[str]:
    """What fails in a page from now on: errors in its console, and exceptions that nothing caught."""
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(told(error)))
    return errors


def told(error: Error) -> str:
    """An exception with the functions that it came through, and the test in which it came."""
    return f"{error.stack or error}\nin {os.environ.get('PYTEST_CURRENT_TEST', 'no test')}"


def visited(
    browser: Browser, address: str, width: int = DESK[0], height: int = DESK[1], level: str = "heads"
) -> Iterator[Page]:
    """The page, opened and drawn; at the end nothing may have failed and nothing been asked of another host.

    The level of detail is one that the browser remembers from an earlier visit; a newcomer's is "".

    What a visit changes ends with it: the next one loads the page anew. A page whose test has failed is left alone.
    """
    origin = urljoin(address, "/")
    page = waiting_page(browser, origin)
    page.set_viewport_size({"width": width, "height": height})
    page.set_default_timeout(TIMEOUT)
    errors: list[str] = []
    listeners = {
        "console": lambda message: errors.append(message.text) if message.type == "error" else None,
        "pageerror": lambda error: errors.append(told(error)),
        "request": lambda request: (
            None if request.url.startswith((origin, "data:", "blob:")) else errors.append(request.url)
        ),
    }
    for event, listener in listeners.items():
        page.on(event, listener)
    page.goto(origin + WAITING)
    page.evaluate("(level) => level && localStorage.setItem('attention-explorer:level', level)", level)
    page.goto(address)
    at_rest(page)
    yield page
    assert not errors, "\n".join(errors)
    for event, listener in listeners.items():
        page.remove_listener(event, listener)
    page.unroute_all()
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
    page.context.clear_cookies()  # of the language
    page.mouse.move(0, 0)
    page.goto(origin + WAITING)


def follow(page: Page, query: str) -> None:
    """Shows what a link describes without loading the page anew, as Back does."""
    page.evaluate(FOLLOW, query)
    at_rest(page)


def begin_again(page: Page, sentence: str = "", **parts: str) -> Page:
    """Shows the view that the page opens with, but for these parts of an address, without loading the page anew.

    What no address holds stays as it is: what the page remembers, and what a test has changed about the window itself.
    """
    from explorer.recording.sentence import examples  # a conftest.py, which imports this, must not import `explorer`

    sentence = sentence or examples()[0]["sentence"]
    page.unroute_all()
    page.keyboard.press("Escape")  # closes what lies over the page
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("0")  # ends a zoom
    follow(page, "?" + urlencode({"level": "heads", "sentence": sentence, **parts}))
    expect_sentence(page, sentence)
    if page.locator(BOX).input_value() != sentence:  # typing lets the page wait whether more is typed
        page.locator(BOX).fill(sentence)
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(0, 0)
    at_rest(page)
    return page


def eventually(page: Page | Locator, check: Callable[..., None], *given: Any, **more: Any) -> None:
    """Repeats a check until its assertions hold: what it looks at may still be on its way."""
    end = monotonic() + TIMEOUT / 1000
    while True:
        try:
            return check(*given, **more)
        except AssertionError:
            if monotonic() > end:
                raise
        (page if isinstance(page, Page) else page.page).wait_for_timeout(50)


def draw_again(page: Page) -> None:
    page.evaluate(DRAW_AGAIN)
    at_rest(page)


@contextmanager
def in_motion(page: Page) -> Iterator[None]:
    """What moves in the page does so, as for most visitors."""
    page.emulate_media(reduced_motion="no-preference")
    try:
        yield
    finally:
        page.emulate_media(reduced_motion=MOTION)


@contextmanager
def time_held(page: Page) -> Iterator[None]:
    """What plays begins, and waits for its next step."""
    page.evaluate(HOLD_TIME)
    yield
    page.evaluate("window.pace = 1")


def open_tab(page: Page, name: str) -> None:
    """Opens a tab; one of a group is there once the group's own tab was opened."""
    tab = page.get_by_role("tab", name=name, exact=True)
    if not tab.is_visible():
        page.locator("[role=tab][aria-controls=about-tab]").click()
        expect(page.locator("#about-tab .inner [role=tab]").first).to_be_visible()
    tab.click()
    expect(tab).to_have_attribute("aria-selected", "true")
    at_rest(page)


def open_panel(page: Page, name: str) -> Locator:
    """Opens the drawer at a panel, by the name of its folder."""
    opener = page.locator("[data-change=open]")
    if opener.get_attribute("aria-expanded") == "false":
        opener.click()
    choose_panel(page, name)
    panel = page.locator(f"#drawer .panel.{name}")
    expect(panel).to_be_visible()
    at_rest(page)
    return panel


def choose_panel(page: Page, name: str) -> None:
    """Opens a panel of either list of the open drawer."""
    panel = page.locator(f"#drawer .list button[value={name}]")
    expect(panel).to_have_count(1)
    if not panel.is_visible():
        page.locator("[data-drawer=lists] button[aria-pressed=false]").click()
    panel.click()


def chips(page: Page) -> Locator:
    """What is changed, each with its ×."""
    return page.locator("#bar .chips button")


def ask(page: Page, sentence: str) -> None:
    """Asks for a translation once the page listens, and does not wait for it."""
    expect(page.locator("#viewer .status")).not_to_be_empty()
    page.locator(BOX).fill(sentence)
    page.locator(BOX).press("Enter")


def translate(page: Page, sentence: str) -> None:
    ask(page, sentence)
    expect_sentence(page, sentence)
    at_rest(page)


def expect_sentence(page: Page, sentence: str) -> None:
    """The page shows this sentence."""
    expect(page.locator("#viewer .viewer")).to_have_attribute("data-sentence", sentence)


def named(label: str) -> str:
    """A label of a trace as the page writes it: the start and the end of a sentence have names there."""
    return label.replace("<s>", "(start)").replace("</s>", "(end)")


def source(page: Page) -> list[str]:
    return page.locator("[data-role=source] .piece > span").all_inner_texts()


def target(page: Page) -> list[str]:
    """The German so far: the start and the pieces made."""
    return page.locator("[data-role=target] .piece:not(.later) > span").all_inner_texts()


def choose(page: Page | Locator, kind: str, layer: int | str, head: int | str) -> None:
    """Zero-based, as in the trace; or "mean" or "max"."""
    page.locator(f".kinds button[value={kind}]:visible").click()
    for role, choice in (("layer", layer), ("head", head)):
        label = choice if isinstance(choice, str) else str(choice + 1)
        page.locator(f"[data-role={role}]:visible").select_option(label=label)
    at_rest(page)


def go_to(page: Page, step: int) -> None:
    """Zero-based."""
    page.locator("[data-role=slider]").fill(str(step + 1))
    at_rest(page)


def go_to_end(page: Page) -> None:
    go_to(page, int(page.locator("#viewer [data-role=slider]").get_attribute("max") or 1) - 1)


def option(page: Page, name: str) -> Locator:
    """A control among the options, which are opened first."""
    page.locator(".options:visible").evaluate("(details) => { details.open = true; }")
    return page.locator(f".options:visible :is([data-choice={name}], [data-role={name}])")


@dataclass(frozen=True, eq=False)
class Drawn:
    """The figure that is drawn: values, NaN where a cell is empty, and the texts of both axes."""

    weights: np.ndarray
    queries: list[str]
    keys: list[str]


def drawn(page: Page | Locator, pane: str = "first") -> Drawn:
    expect(page.locator(f"[data-pane={pane}] .heatmap .nsewdrag")).to_be_visible()
    z, queries, keys = page.locator(f"[data-pane={pane}] .heatmap").evaluate(
        "({ data, layout }) => [data[0].z.map((row) => Array.from(row)), layout.yaxis.ticktext, layout.xaxis.ticktext]"
    )
    return Drawn(np.array(z, dtype=float), queries, keys)


def expect_weights(page: Page | Locator, weights: Any, pane: str = "first", atol: float = 0.0005) -> None:
    """The figure has these values; by default to half of the last digit that is printed."""
    eventually(page, lambda: np.testing.assert_allclose(drawn(page, pane).weights, weights, atol=atol))


def expect_german(page: Page, translation: str) -> None:
    """The German of the run that is shown, its start and end left out."""
    pieces = page.locator("#viewer [data-role=target] .piece:not(.special) > span")

    def check() -> None:
        found = "".join(pieces.all_text_contents()).replace("·", "")  # as words in the level picture, without blanks
        assert "".join(found.split()) == "".join(translation.split())

    eventually(page, check)


def cell_place(page: Page, row: float, column: float, pane: str = "first") -> tuple[float, float]:
    """The middle of a cell of a heatmap."""
    at_rest(page)
    return page.locator(f"[data-pane={pane}] .heatmap").evaluate(
        """(heatmap, [row, column]) => {
            const { left, top, width, height } = heatmap.querySelector(".nsewdrag").getBoundingClientRect();
            const { data: [{ z }] } = heatmap;
            return [left + ((column + 0.5) * width) / z[0].length, top + ((row + 0.5) * height) / z.length];
        }""",
        [row, column],
    )


def cells_seen(page: Page) -> np.ndarray:
    """Which cells of the heatmap are not covered, from where the covers lie: [row, column]."""
    at_rest(page)  # marks move to their step
    return np.array(
        page.evaluate(
            """() => {
                const heatmap = document.querySelector(".heatmap");
                const { left, top, width, height } = heatmap.querySelector(".nsewdrag").getBoundingClientRect();
                const rows = heatmap.data[0].z.length, columns = heatmap.data[0].z[0].length;
                const covers = [...heatmap.querySelectorAll(".later, .beyond")]
                    .map((cover) => cover.getBoundingClientRect());
                const covered = (x, y) =>
                    covers.some((box) => x > box.left && x < box.right && y > box.top && y < box.bottom);
                return Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) =>
                    !covered(left + ((j + 0.5) * width) / columns, top + ((i + 0.5) * height) / rows)));
            }"""
        )
    )


def labels_under_buttons(pane: Locator) -> list[str]:
    """The labels of a heatmap that its buttons cover."""
    return pane.evaluate(
        """(pane) => {
            const box = (node) => node.getBoundingClientRect();
            const tools = box(pane.querySelector(".modebar"));
            return [...pane.querySelectorAll(".xtick, .ytick")].filter((tick) => {
                const { left, right, top, bottom } = box(tick);
                return left < tools.right && right > tools.left && top < tools.bottom && bottom > tools.top;
            }).map((tick) => tick.textContent);
        }"""
    )


def labels_seen(page: Page, axis: str) -> list[str]:
    """Texts of the tick labels of "x" or "y" that are visible, in order."""
    return page.locator(f"[data-pane=first] .{axis}tick").evaluate_all(
        """(ticks) => ticks.filter((tick) => tick.checkVisibility({ visibilityProperty: true })
            && tick.getBoundingClientRect().width).map((tick) => tick.textContent)"""
    )
