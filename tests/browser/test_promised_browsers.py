"""The page without everything that one of the promised browsers lacks (tests/promised/newer_names.js)."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
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

from explorer.attention_view.component import words as view_words
from explorer.page import words as page_words

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


def deletion(*kept: str) -> str:
    return DELETE % (json.dumps(NAMES), json.dumps(kept))


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": DESK[0], "height": DESK[1]}, accept_downloads=True)
    context.add_init_script(deletion())
    context.add_init_script(SEEN_BEFORE)
    yield context
    context.close()


def opened(context: BrowserContext, address: str, errors: list[str]) -> Page:
    """The page; what fails in its own scripts, not in Gradio's, is told."""
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(error.stack) if "/modules." in (error.stack or "") else None)
    page.goto(address)
    expect(page.locator("#viewer .status")).not_to_be_empty()
    at_rest(page)
    return page


def test_the_names_are_gone_and_the_page_does_all_that_it_promises(context, shipped_page):
    errors: list[str] = []
    page = opened(context, f"{shipped_page}?level=heads", errors)
    for gone in ("[].toSorted", "Map.groupBy", "Element.prototype.checkVisibility", "globalThis.CompressionStream"):
        assert page.evaluate(f"typeof {gone}") == "undefined", gone
    translate(page, SENTENCE)
    page.keyboard.press("Tab")  # keys.js finds the tab stops
    open_tab(page, "The whole model")
    expect(page.locator("#whole [data-role=canvas]")).to_be_visible()
    open_tab(page, "Explore")
    page.locator("[data-tool=save]").click()
    for entry in ("png", "svg", "csv", "npz", "report"):
        with page.expect_download():
            page.locator(f"[data-entry={entry}]").click()
    page.goto(f"{shipped_page}?tab=lab&lab.station=heads")
    page.locator(".panel.heads [data-kind=cross] .cell").first.click()
    expect(page.locator("[data-heads=count]")).to_contain_text("Off: 1 of 96")
    page.goto(f"{shipped_page}?tab=lab&lab.station=patch")
    expect(page.locator(".patch .heat td").first).to_be_visible()
    page.goto(f"{shipped_page}?tab=training")
    expect(page.locator(".training .plot-container").first).to_be_visible()
    assert not errors, errors
    page.close()


def test_a_class_follows(context, shipped_page):
    errors: list[str] = []
    teacher = opened(context, shipped_page, errors)
    teacher.locator("[data-tool=class]").click()
    teacher.locator("[data-class=begin]").click()
    code = teacher.locator("[data-class=code]")
    expect(code).not_to_be_empty()
    pupil = opened(context, f"{shipped_page}?class={code.inner_text()}", errors)
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
        expect(page.locator("#viewer .message")).to_have_text(view_words.TEXT["broke"])
        expect(page.locator("#viewer .viewer")).to_have_attribute("aria-busy", "false")


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
    page.close()
    assert not errors, errors
