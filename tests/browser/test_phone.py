"""The page on a phone: picture first, a step bar that stays, and targets that a finger meets."""

from collections.abc import Iterator

import pytest
from cases import each_case
from playwright.sync_api import Page, expect
from visiting import at_rest, drawn, eventually, follow, labels_under_buttons, needs_browser, visited

pytestmark = needs_browser
WIDTH, HEIGHT = 390, 844
IN_SIGHT = "(node) => node.getBoundingClientRect().left >= 0 && node.getBoundingClientRect().right <= innerWidth"
IS_ON_TOP = """(node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2) === node;
}"""
IS_LAST_LINE_ON_TOP = """(node) => {
    const { left, bottom } = [...node.getClientRects()].at(-1);
    return document.elementFromPoint(left + 3, bottom - 3) === node;
}"""  # a link may be broken in two lines
LEAST = 24  # pixels: WCAG 2.2, 2.5.8


@pytest.fixture(scope="module")
def opened(browser, shipped_page) -> Iterator[Page]:
    yield from visited(browser, shipped_page, WIDTH, HEIGHT)


@pytest.fixture
def phone(opened: Page) -> Page:
    """From its top, at the left of its picture."""
    opened.evaluate("scrollTo(0, 0); document.querySelector('[data-pane=first] .plot').scrollLeft = 0;")
    opened.wait_for_function("scrollY === 0")
    return opened


def test_the_step_bar_stays_while_the_page_is_scrolled(phone):
    bar = phone.locator("#viewer .transport")
    before = bar.bounding_box()
    phone.mouse.wheel(0, 600)
    phone.wait_for_function("scrollY > 300")
    assert bar.bounding_box() == before and before is not None
    assert before["y"] + before["height"] == pytest.approx(HEIGHT, abs=1)


def test_the_picture_comes_first_and_cells_and_controls_are_large_enough_for_a_finger(phone):
    box, (rows, columns) = phone.locator(".nsewdrag").first.bounding_box(), drawn(phone).weights.shape
    assert box is not None and box["y"] < 0.65 * HEIGHT  # below the two whole sentences
    assert box["height"] / rows >= LEAST - 0.5 and box["width"] / columns >= LEAST - 0.5
    small = phone.evaluate(
        """(least) => [...document.querySelectorAll(
            "#viewer :is(button, select, summary, label), #top button, [role=tab]")]
            .filter((node) => node.offsetParent).map((node) => [node.textContent, node.getBoundingClientRect()])
            .filter(([, { width, height }]) => width < least || height < least).map(([text]) => text)""",
        LEAST,
    )
    assert small == []


def test_no_button_lies_over_the_title_or_a_label(phone):
    title, tour = (phone.locator(selector).first.bounding_box() for selector in ("h1", "[data-tool=tour]"))
    assert title is not None and tour is not None and title["x"] + title["width"] <= tour["x"]
    assert labels_under_buttons(phone.locator("[data-pane=first]")) == []


def test_the_tour_needs_no_scrolling(phone):
    phone.locator("[data-tool=tour]").click()
    expect(phone.locator("#whole .stops [aria-current]")).to_have_count(1)
    bar = phone.locator("#whole .transport").bounding_box()
    for role in ("caption", "next"):
        box = phone.locator(f"#whole [data-role={role}]").bounding_box()
        assert bar is not None and box is not None and box["y"] + box["height"] <= bar["y"]
    phone.get_by_role("tab", name="Heads", exact=True).click()


def test_the_row_labels_stay_while_the_picture_scrolls_in_its_room(phone):
    plot, label = phone.locator("[data-pane=first] .plot"), phone.locator("[data-pane=first] .ytick").nth(3)
    before = label.bounding_box()
    plot.evaluate("(node) => { node.scrollLeft = 120; }")
    phone.wait_for_function("document.querySelector('.heatmap').style.getPropertyValue('--scrolled') === '120px'")
    after = label.bounding_box()
    assert before is not None and after is not None and after["x"] == pytest.approx(before["x"], abs=1)
    clips = "(cells) => getComputedStyle(cells.closest('.overplot')).clipPath"
    assert phone.locator("[data-pane=first] .hm").first.evaluate(clips) == "inset(0px 0px 0px 120px)"  # not under them


NAMES_UNDER_ROWS = """() => {
    const plot = document.querySelector("[data-pane=first] .plot"), { left } = plot.getBoundingClientRect();
    const names = [...plot.querySelectorAll(".xtick text")].filter((name) => name.checkVisibility({
        visibilityProperty: true }));
    const rows = Math.max(...[...plot.querySelectorAll(".ytick")].map((row) => row.getBoundingClientRect().right));
    return names.filter((name) => name.getBoundingClientRect().left < rows - 12).map((name) => name.textContent);
}"""  # a slanted name begins at its column and reaches to the right


def test_names_of_columns_that_are_scrolled_away_stay_hidden_when_the_picture_is_drawn_again(phone):
    phone.get_by_label("Last step").first.click()
    at_rest(phone)
    assert phone.locator("[data-pane=first] .plot").evaluate("(plot) => plot.scrollLeft") > 60
    assert phone.evaluate(NAMES_UNDER_ROWS) == []
    phone.locator("[data-tool=save]").click()  # whose preview is drawn from the picture
    at_rest(phone)
    phone.keyboard.press("Escape")
    at_rest(phone)
    assert phone.evaluate(NAMES_UNDER_ROWS) == []


def test_a_tap_on_the_arrow_of_the_tabs_scrolls_them_and_opens_none(phone):
    tabs = phone.get_by_role("tablist").first
    tabs.evaluate("(line) => { line.scrollLeft = 0; }")
    box = tabs.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    opened = phone.get_by_role("tab", selected=True).first.inner_text()
    for x, scrolls in ((box["x"] + box["width"] - 8, "on"), (box["x"] + 8, "back")):
        before = tabs.evaluate("(line) => line.scrollLeft")
        phone.mouse.click(x, middle)
        at_rest(phone)
        after = tabs.evaluate("(line) => line.scrollLeft")
        assert after > before + 100 if scrolls == "on" else after < before - 100
        assert phone.get_by_role("tab", selected=True).first.inner_text() == opened
    tabs.evaluate("(line) => { line.scrollLeft = line.scrollWidth; }")
    phone.mouse.click(box["x"] + box["width"] - 12, middle)  # where the line ends, there is no arrow
    expect(phone.get_by_role("tab", name="About this model")).to_have_attribute("aria-selected", "true")
    phone.get_by_role("tab", name="Heads", exact=True).click()


def test_both_sentences_stand_whole(phone):
    phone.get_by_label("Last step").first.click()
    for piece in phone.locator("#viewer .strip .piece").all():
        phone.wait_for_function(IN_SIGHT, arg=piece.element_handle())


@each_case("button", ["First step", "Last step", "Previous step"])
def test_what_the_current_row_looks_at_most_is_in_sight(phone, button):
    """The cell in the picture, right of the labels that stay, and the English piece in its strip."""
    phone.get_by_label(button).first.click()
    eventually(phone, expect_in_sight, phone)


def expect_in_sight(phone: Page) -> None:
    step = int(phone.locator("#viewer .viewer").get_attribute("data-step") or 0) - 1
    weights = drawn(phone).weights[step]
    key = int(weights.argmax())
    piece = phone.locator("#viewer [data-role=source] .piece").nth(key).bounding_box()
    cells = phone.locator("[data-pane=first] .nsewdrag").bounding_box()
    labels = phone.locator("[data-pane=first] .ytick").nth(step).bounding_box()
    assert piece is not None and cells is not None and labels is not None
    assert piece["x"] >= 0 and piece["x"] + piece["width"] <= WIDTH
    width = cells["width"] / len(weights)
    left = cells["x"] + key * width
    assert labels["x"] + labels["width"] <= left + 3 and left + width <= WIDTH


def test_the_whole_model_has_tall_lanes_and_a_row_of_words_for_its_steps(phone):
    follow(phone, "?tab=whole&step=12")
    canvas = phone.locator("#whole [data-role=canvas]").bounding_box()
    assert canvas is not None and canvas["height"] >= 32 * 13.5  # one lane a token, with a name of 12 pixels
    words = phone.locator("#whole .step-words button")
    expect(words.nth(11)).to_have_text("putzt")
    assert words.nth(11).evaluate(IN_SIGHT)
    words.nth(10).click()
    expect(words.nth(10)).to_have_attribute("aria-current", "step")
    sentence, bar = (phone.locator(f"#whole .{name}").bounding_box() for name in ("told", "transport"))
    assert sentence is not None and bar is not None and sentence["y"] + sentence["height"] <= bar["y"] + 1
    phone.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    for link in phone.locator("#footer a").all():
        assert link.evaluate(IS_LAST_LINE_ON_TOP)  # not under the sentence


def open_place(phone: Page, at: str) -> None:
    follow(phone, f"?tab=whole&step=12&whole.at={at}")
    expect(phone.locator("#whole .whole")).to_have_attribute("data-at", at)


@each_case("at", ["decoder.4.cross.6", "output"])
def test_a_board_of_the_whole_model_ends_above_the_sentence_about_it(phone, at):
    open_place(phone, at)
    board, sentence = (
        phone.locator("#whole .board:visible").bounding_box(),
        phone.locator("#whole .told").bounding_box(),
    )
    assert board is not None and sentence is not None and board["y"] + board["height"] <= sentence["y"] + 1


@pytest.mark.thorough
def test_a_board_that_is_opened_again_begins_at_its_top(phone):
    scroller = phone.locator(".head-board .board-stage")
    open_place(phone, "decoder.4.cross.6")
    scroller.evaluate("(node) => { node.scrollTop = 400; }")
    open_place(phone, "decoder.4.cross.6.12.12")
    open_place(phone, "decoder.4.cross.6")
    assert scroller.evaluate("(node) => node.scrollTop") == 400  # back from a number
    for at in ("decoder.4.cross.1", "", "decoder.4.cross.1"):
        open_place(phone, at)
        if at:
            assert scroller.evaluate("(node) => node.scrollTop") == 0
            scroller.evaluate("(node) => { node.scrollTop = 400; }")


def test_everything_that_can_be_changed_lies_over_the_bars(phone):
    open_place(phone, "decoder.4.cross.6")
    phone.locator("[data-change=open]").click()
    choices = phone.locator("#drawer .list").first.locator("button")
    expect(choices.first).to_be_visible()
    assert all(choice.evaluate(IS_ON_TOP) for choice in choices.all())
    phone.locator("[data-drawer=close]").click()
