"""The projector, and the theme that is switched on the page."""

from collections.abc import Iterator

import pytest
from cases import each_case
from playwright.sync_api import Page, expect
from visiting import (
    at_rest,
    cell_place,
    chips,
    eventually,
    follow,
    needs_browser,
    visited,
)

pytestmark = needs_browser
LEAST = 18  # pixels of text
SMALL_TEXT = """(least) => {
    const walker = document.createTreeWalker(document.querySelector("#viewer"), NodeFilter.SHOW_TEXT), found = [];
    const zoom = Number(document.documentElement.style.getPropertyValue("--zoom"));
    while (walker.nextNode()) {
        const node = walker.currentNode.parentElement, { width } = node.getBoundingClientRect();
        const seen = width >= 2 && node.checkVisibility({ visibilityProperty: true });
        if (!seen || !walker.currentNode.textContent.trim()) continue;
        if (zoom * parseFloat(getComputedStyle(node).fontSize) < least) found.push(node.textContent);
    }
    return found;
}"""


def projecting(page: Page) -> bool:
    return page.evaluate("document.documentElement.classList.contains('projector')")


@pytest.fixture(scope="module")
def opened(browser, shipped_page) -> Iterator[Page]:
    yield from visited(browser, shipped_page, 1280, 720)


@pytest.fixture
def wall(opened: Page) -> Page:
    """Not yet projected, and nothing pinned."""
    opened.evaluate("document.activeElement.blur()")
    if projecting(opened):
        opened.keyboard.press("Escape")
    opened.keyboard.press("Escape")
    expect(opened.locator(".piece.pinned")).to_have_count(0)
    return opened


@pytest.mark.thorough
def test_all_text_is_large_and_one_panel_fills_the_screen_up_to_2560_pixels(wall):
    follow(wall, "?level=heads&step=15")
    wall.keyboard.press("p")
    expect(wall.locator("#ask")).to_be_hidden()
    expect(wall.get_by_role("tab").first).to_be_hidden()
    wall.wait_for_function(f"(least) => ({SMALL_TEXT})(least).length === 0", arg=LEAST)
    eventually(wall, expect_one_panel, wall)
    wall.set_viewport_size({"width": 2800, "height": 1600})
    wall.wait_for_function("Math.abs(document.querySelector('.page').getBoundingClientRect().width - 2560) <= 2")
    wall.set_viewport_size({"width": 1280, "height": 720})
    follow(wall, "?")


def expect_one_panel(wall: Page) -> None:
    """The picture scrolls to its current row where it has no room for all of them, whose names are large."""
    for node in ("[data-pane=first] .plot", "[data-pane=first] .mark", "#viewer .transport", "#viewer .readout"):
        box = wall.locator(node).first.bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 1280 and box["y"] + box["height"] <= 720
    box = wall.locator("[data-pane=first] .nsewdrag").bounding_box()
    assert box is not None and box["width"] > 800


@each_case("way", ["p", "Escape", "button"])
def test_it_is_left_as_one_came_and_by_esc_which_keeps_the_pin(wall, way):
    wall.locator("[data-role=source] .piece:not(.pinned)").nth(1).click()
    wall.keyboard.press("p")
    leave = wall.get_by_role("button", name="Leave presentation")
    expect(leave).to_be_in_viewport()
    word = leave.locator(".label").bounding_box()
    assert word is not None and word["width"] > 60  # it is read, not only pointed at
    leave.click() if way == "button" else wall.keyboard.press(way)
    expect(wall.locator("#ask")).to_be_visible()
    assert not projecting(wall)
    expect(wall.locator("[data-role=source] .piece.pinned")).to_have_count(1)


def test_esc_first_leads_out_of_the_whole_model_and_closes_what_is_open(wall):
    follow(wall, "?tab=whole&step=12&whole.at=decoder.4.cross.3")
    wall.keyboard.press("p")
    whole, at = wall.locator("#whole .whole"), "decoder.4.cross.3"
    while at:
        expect(whole).to_have_attribute("data-at", at)
        wall.keyboard.press("Escape")
        at_rest(wall)
        assert projecting(wall)
        at = whole.get_attribute("data-at") or ""
    wall.keyboard.press("Escape")
    assert not projecting(wall)
    follow(wall, "?level=picture")
    wall.keyboard.press("p")
    wall.locator("#viewer .remarks summary, #viewer summary").locator("visible=true").first.click()
    wall.keyboard.press("Escape")
    expect(wall.locator("#viewer details[open]")).to_have_count(0)
    assert projecting(wall)
    wall.keyboard.press("Escape")
    assert not projecting(wall)
    follow(wall, "?level=heads")


def test_a_fresh_visit_does_not_begin_in_it(wall, shipped_page):
    wall.keyboard.press("p")
    assert projecting(wall)
    wall.goto(shipped_page)
    at_rest(wall)
    assert not projecting(wall)
    expect(wall.get_by_role("tab", name="Heads", exact=True)).to_be_visible()


def test_a_p_that_is_typed_is_a_letter(wall):
    field = wall.get_by_placeholder("Type a sentence in English")
    field.fill("A ma")
    field.press("p")
    assert field.input_value() == "A map" and not projecting(wall)


def test_keys_and_presenters_step_after_a_click_on_the_icon(wall):
    wall.keyboard.press("Home")
    wall.keyboard.press("PageDown")  # no step outside projector mode, where it scrolls
    expect(wall.locator("#viewer .viewer")).to_have_attribute("data-step", "1")
    wall.locator("[data-tool=projector]").click()
    for key, step in (("ArrowRight", 2), ("PageDown", 3), ("PageDown", 4), ("PageUp", 3)):
        wall.keyboard.press(key)
        expect(wall.locator("#viewer .viewer")).to_have_attribute("data-step", str(step))
    wall.keyboard.press("Escape")
    for tool in ("save", "keys"):  # a dialog gives the focus back to the page, not to its button
        wall.locator(f"[data-tool={tool}]").click()
        wall.keyboard.press("Escape")
        wall.keyboard.press("ArrowRight")
    expect(wall.locator("#viewer .viewer")).to_have_attribute("data-step", "5")


def test_pointing_hits_the_same_cell_when_all_is_larger(wall):
    wall.keyboard.press("p")
    names = wall.locator("[data-pane=first] .heatmap").evaluate("({ data }) => data[0].text[3][2]")
    wall.mouse.move(*cell_place(wall, 3, 2))
    expect(wall.locator("[data-pane=first] .hovertext")).to_have_text(names)


def test_a_change_shows_both_translations_and_what_is_changed_on_a_wall(wall):
    off = ",".join(f"cross.{layer}.{head}" for layer in (3, 4) for head in range(1, 9))
    follow(wall, f"?level=heads&change=off.{off}")
    expect(chips(wall)).to_have_count(2)
    wall.keyboard.press("p")
    for node in (chips(wall).last, wall.locator("#viewer [data-role=target]"), wall.locator("[data-role=targetOther]")):
        expect(node).to_be_in_viewport(ratio=1)
    wall.keyboard.press("Escape")
    follow(wall, "?")


def test_the_whole_model_has_room_for_its_boards_and_its_sentence(wall):
    follow(wall, "?tab=whole&step=12&whole.at=decoder.1.self.2")
    wall.keyboard.press("p")
    expect(wall.locator("#whole .head-board.wide")).to_be_visible()
    expect(wall.locator("#whole [data-role=caption]")).to_be_in_viewport(ratio=1)
    wall.keyboard.press("Escape")
    follow(wall, "?")


@pytest.mark.thorough
def test_a_board_of_a_number_stands_whole_with_what_the_number_means(wall):
    follow(wall, "?tab=whole&step=12&whole.at=decoder.4.cross.3.12.11")
    wall.keyboard.press("p")
    board = wall.locator("#whole .number-board")
    expect(board.locator("li").last).to_be_in_viewport(ratio=1)
    assert board.evaluate("(board) => board.scrollHeight <= board.clientHeight")
    expect(board.locator(".foot").first).to_be_hidden()  # lines of source would take its room
    path, zoom = (wall.locator(f"#whole .top {part}").bounding_box() for part in (".path", ".zoom"))
    assert path is not None and zoom is not None and zoom["y"] < path["y"] + path["height"]  # in one line
    wall.keyboard.press("Escape")
    follow(wall, "?")


def test_the_screen_stays_on_while_something_runs_that_nobody_touches(wall):
    """The projector, and the guided flight; what a class and a film do is the same call."""
    wall.evaluate(  # the browser without a window has no screen, and refuses
        """() => {
            const lock = window.lock = { released: true, release: async () => { lock.released = true; } };
            const request = async () => { lock.released = false; return lock; };
            Object.defineProperty(navigator, "wakeLock", { value: { request }, configurable: true });
        }"""
    )

    def expect_awake(is_awake: bool) -> None:
        wall.wait_for_function("(isAwake) => window.lock.released !== isAwake", arg=is_awake)

    wall.keyboard.press("p")
    expect_awake(True)
    wall.keyboard.press("Escape")
    expect_awake(False)
    follow(wall, "?tab=whole")
    wall.locator("#whole [data-role=film]").click()
    expect_awake(True)
    wall.locator("#whole [data-role=film]").click()
    expect_awake(False)
    follow(wall, "?")


@pytest.mark.thorough
def test_the_theme_is_the_systems_until_another_is_chosen_which_is_remembered(browser, shipped_page):
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.add_init_script(
        """globalThis.themes = [];
        const tell = () => {
            if (document.querySelector(".viewer")) themes.push(document.body.classList.contains("dark"));
            requestAnimationFrame(tell);
        };
        requestAnimationFrame(tell);"""
    )
    page.goto(shipped_page)
    expect(page.locator("#viewer .status")).to_contain_text("Step")
    expect(page.locator("body.dark")).to_have_count(1)
    page.get_by_role("button", name="Light", exact=True).click()
    expect(page.locator("body.dark")).to_have_count(0)
    page.reload()
    expect(page.locator("#viewer .status")).to_contain_text("Step")
    page.locator(".show-api").wait_for(state="attached")  # until Gradio is there, which has its own idea
    assert set(page.evaluate("themes")) == {False}  # in every frame from the first picture on
    context.close()
