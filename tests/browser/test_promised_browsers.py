"""The page and the folder without everything that a promised browser lacks (tests/promised/newer_names.js)."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from cases import sweep
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from visiting import (
    DESK,
    SEEN_BEFORE,
    ask,
    at_rest,
    expect_sentence,
    needs_browser,
    open_tab,
    translate,
    visited,
)

from explorer.page import words as page_words
from explorer.page.head import PAGE_NEEDS
from explorer.page.save.dialog import words as save_words
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.site.site import NEEDS as FOLDER_NEEDS
from explorer.site.site import write
from explorer.ui.language import LANGUAGES, LanguageContext, use_language
from model.checkpoints import checkpoint
from model.decoding import Translator

pytestmark = needs_browser
SENTENCE = "Two dogs are running through the snow."
NAMES = json.loads((Path(__file__).parents[1] / "promised" / "newer_names.json").read_text())
# Runs before every script of a page, and at the start of a worker.
DELETE = """
(({ globals, members, statics }, kept) => {
  for (const name of globals.filter((one) => !kept.includes(one))) delete globalThis[name];
  for (const [name, member] of members.map((path) => path.split("."))) {
    const owner = name === "Window" ? globalThis : globalThis[name];
    const owners = statics.includes(`${name}.${member}`) ? [owner] : [owner, owner?.prototype];
    for (const one of owners) if (one && Object.hasOwn(one, member)) delete one[member];
  }
})(%s, %s);
"""


# Safari has them since 16.4: before, it reads nothing of a file with one, and of what imports it.
NEWER_SYNTAX = re.compile(r"\(\?<[=!]|\bstatic\s*\{")
UNREAD = "Invalid regular expression: /(/"  # what Chromium says of the file that comes in its place
FOLDER = "https://folder.test/"


def deletion(*kept: str) -> str:
    return DELETE % (json.dumps(NAMES), json.dumps(kept))


def in_context(browser: Browser, script: str) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": DESK[0], "height": DESK[1]}, accept_downloads=True)
    context.add_init_script(script)
    context.add_init_script(SEEN_BEFORE)
    yield context
    context.close()


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    yield from in_context(browser, deletion())


@pytest.fixture(scope="module")
def folder(browser: Browser, shipped: Translator, tmp_path_factory) -> Iterator[BrowserContext]:
    """A browser in which FOLDER is the page as plain files; the worker's names are deleted as well."""
    root: Path = tmp_path_factory.mktemp("folder")
    write(root, AppContext(Recordings(shipped), checkpoint.locate(checkpoint.SHIPPED)), ["en"])
    worker, script = root / "files" / "engine.js", deletion(*NAMES["inFolder"])
    worker.write_text(f"{script}\n{worker.read_text()}")

    def serve(route: Route) -> None:
        path = root / urlsplit(route.request.url).path[1:]
        route.fulfill(path=path / "index.html" if path.is_dir() else path)

    for context in in_context(browser, script):
        context.route(f"{FOLDER}**", serve)
        yield context


def read_as_safari(route: Route) -> None:
    response = route.fetch(max_retries=3)  # a connection may be closed as it is used again
    is_unread = NEWER_SYNTAX.search(response.text())
    route.fulfill(response=response, body="/(/" if is_unread else None)


def opened(page: Page, address: str, errors: list[str]) -> Page:
    """The page; what fails in a script is told, but not that a script of Gradio's cannot be read."""
    page.on("pageerror", lambda error: None if UNREAD in str(error) else errors.append(error.stack or str(error)))
    page.goto(address)
    expect(page.locator("#viewer .status")).not_to_be_empty()
    at_rest(page)
    return page


def use(page: Page, address: str) -> None:
    """The views, Save, the drawer and the training."""
    for gone in ("[].toSorted", "Map.groupBy", "Element.prototype.checkVisibility"):
        assert page.evaluate(f"typeof {gone}") == "undefined", gone
    ask(page, SENTENCE)  # for which the folder loads its model, of 41 MB
    viewer = page.locator("#viewer .viewer")
    expect(viewer).to_have_attribute("data-sentence", SENTENCE, timeout=120_000)
    at_rest(page)
    page.keyboard.press("Tab")  # keys.js finds the tab stops
    open_tab(page, "Whole model")
    expect(page.locator("#whole [data-role=canvas]")).to_be_visible()
    open_tab(page, "Heads")
    page.locator("[data-tool=save]").click()
    for entry in ("png", "svg", "csv", "npz", "report"):
        with page.expect_download():
            page.locator(f"[data-entry={entry}]").click()
    page.goto(f"{address}?level=heads&drawer.panel=heads")
    page.locator(".panel.heads [data-kind=cross] .cell").first.click()
    expect(page.locator("[data-heads=count]")).to_contain_text("Off: 1 of 96")
    page.goto(f"{address}?level=heads&drawer.panel=patch")
    expect(page.locator(".patch .heat td").first).to_be_visible()
    page.goto(f"{address}?tab=training")
    expect(page.locator(".training .plot-container, .training .missing").first).to_be_visible()


def test_the_page_does_all_that_it_promises_although_gradio_cannot_be_read(context, shipped_page):
    errors: list[str] = []
    page = context.new_page()
    page.route("**/*.js", read_as_safari)
    opened(page, f"{shipped_page}?level=heads", errors)
    assert page.evaluate("typeof CompressionStream") == "undefined"
    use(page, shipped_page)
    assert not errors, errors
    page.close()


@pytest.mark.thorough
def test_the_folder_does_all_that_it_promises(folder):
    errors: list[str] = []
    page = opened(folder.new_page(), f"{FOLDER}?level=heads", errors)
    use(page, FOLDER)
    assert not errors, errors


@pytest.mark.parametrize("code", sweep(LANGUAGES, "de"))
def test_a_browser_that_is_too_old_is_told_and_shows_nothing_else(browser, shipped_page, code):
    with browser.new_context(locale=code) as context:
        for lack in ("delete Array.prototype.at", "CSS.supports = () => false"):
            page = context.new_page()
            page.add_init_script(lack)
            page.goto(shipped_page)
            with use_language(LanguageContext(code)):
                expect(page.get_by_role("alert")).to_have_text(PAGE_NEEDS.sentence)
            page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
            expect(page.locator("body > *")).to_have_count(0)


def test_what_is_missed_and_said_is_what_is_promised():
    with use_language(LanguageContext("en")):
        sentences = {"page": PAGE_NEEDS.sentence, "folder": FOLDER_NEEDS.sentence}
    for part, promised in NAMES["promised"].items():
        assert sorted(re.findall(r"[0-9]+(?:\.[0-9]+)?", sentences[part].replace("(iPadOS 15)", ""))) == sorted(
            promised.values()
        )
    newer = {*NAMES["globals"], *NAMES["members"]}
    for needs, had in ((PAGE_NEEDS, set()), (FOLDER_NEEDS, {*NAMES["inFolder"]})):
        assert not {name.replace(".prototype", "") for name in needs.names} & (newer - had)


@pytest.mark.thorough
def test_a_class_follows(context, shipped_page):
    errors: list[str] = []
    teacher = opened(context.new_page(), shipped_page, errors)
    teacher.locator("[data-tool=class]").click()
    teacher.locator("[data-class=begin]").click()
    code = teacher.locator("[data-class=code]")
    expect(code).not_to_be_empty()
    pupil = opened(context.new_page(), f"{shipped_page}?class={code.inner_text()}", errors)
    teacher.locator("[data-class=dialog]").get_by_role("button", name="Close").click()
    translate(teacher, SENTENCE)
    expect_sentence(pupil, SENTENCE)
    assert not errors, errors


def test_an_exception_ends_the_waiting_with_a_sentence(browser, shipped_page):
    for page in visited(browser, shipped_page):
        page.route("**/ask", lambda route: None)  # no answer comes
        ask(page, SENTENCE)
        expect(page.locator("#viewer .viewer")).to_have_attribute("aria-busy", "true")
        page.evaluate("dispatchEvent(new ErrorEvent('error', { error: new TypeError('lacks it') }))")
        expect(page.locator("[data-tool=broke]")).to_have_text(page_words.TOOLS["broke"])
        expect(page.locator("#viewer .message")).to_be_empty()
        expect(page.locator("#viewer .viewer")).to_have_attribute("aria-busy", "false")


BUSY = ["level=heads&change=off.cross.1.1", "level=heads&drawer.panel=search", "tab=whole"]


@pytest.mark.parametrize("place", sweep(BUSY, BUSY[0]))
def test_an_exception_ends_whatever_is_busy(shared_page, shipped_page, place):
    page = shared_page.context.new_page()  # its console says what fails
    page.add_init_script(SEEN_BEFORE)
    page.route("**/ask", lambda route: route.fulfill(json={}))  # an answer without anything that is read of it
    page.goto(f"{shipped_page}?{place}")
    expect(page.locator("[data-tool=broke]")).to_be_visible()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    waits = page.locator(":not(button)").and_(page.get_by_text(re.compile("…$")))  # there is a button "More …"
    expect(waits.locator("visible=true")).to_have_count(0)
    page.close()


def test_single_keys_can_be_switched_off_and_stay_off(new_page):
    dialog = new_page.locator("[data-save=dialog]")
    new_page.keyboard.press("?")
    new_page.locator("[data-tool=letters]").uncheck()
    new_page.keyboard.press("Escape")
    new_page.reload()
    expect(new_page.locator("#viewer .status")).not_to_be_empty()
    new_page.keyboard.press("s")
    new_page.keyboard.press("?")
    expect(new_page.locator("dialog[open]")).to_have_count(0)
    new_page.locator("[data-tool=keys]").click()
    new_page.locator("[data-tool=letters]").check()
    new_page.keyboard.press("Escape")
    new_page.keyboard.press("s")
    expect(dialog).to_be_visible()


@pytest.mark.thorough
def test_canvases_without_a_context_leave_the_tour_its_captions(browser, shipped_page):
    page = browser.new_page(viewport={"width": DESK[0], "height": DESK[1]}, reduced_motion="no-preference")
    page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null;" + SEEN_BEFORE)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(f"{error}\n{error.stack}"))
    page.goto(f"{shipped_page}?tab=whole")
    whole = page.locator("#whole")
    for stop in (1, 2):
        whole.locator("[data-role=next]").click()
        expect(whole.locator(".stops button").nth(stop)).to_have_attribute("aria-current", "step")
        page.evaluate("whenAtRest()")
        expect(whole.locator("[data-role=caption]")).not_to_be_empty()
    expect(page.locator("[data-tool=undrawn]")).to_have_text(page_words.TOOLS["undrawn"])
    page.locator("[data-tool=save]").click()
    for entry in ("png", "film"):
        page.locator(f"[data-entry={entry}]").click()
        expect(page.locator("[data-save=state]")).to_have_text(save_words.TEXT["noMemory"])
    page.close()
    assert not errors, errors


# Headless Chromium tells of no other screen: what listens for one is told by hand.
SCREENS = """{
  const screens = [], { matchMedia } = window;
  window.matchMedia = (query) => {
    if (!query.includes("resolution")) return matchMedia.call(window, query);
    screens.push(new EventTarget());
    return screens.at(-1);
  };
  window.moveToScreen = (ratio) => {
    Object.defineProperty(window, "devicePixelRatio", { get: () => ratio, configurable: true });
    for (const screen of screens.splice(0)) screen.dispatchEvent(new Event("change"));
  };
}"""


def test_a_screen_of_another_density_is_drawn_for_anew(shared_page, shipped_page):
    page = shared_page.context.new_page()
    page.add_init_script(SCREENS + SEEN_BEFORE)
    page.goto(f"{shipped_page}?tab=whole")
    at_rest(page)
    canvas = page.locator("#whole [data-role=canvas]")
    width = canvas.evaluate("(node) => node.width")
    for ratio in (2, 3, 1):
        page.evaluate("(ratio) => moveToScreen(ratio)", ratio)
        expect(canvas).to_have_js_property("width", ratio * width)
    page.close()
