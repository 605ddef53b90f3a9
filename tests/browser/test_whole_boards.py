"""The boards of heads and feed-forward networks: what is not written yet, common mistakes, and heads that are off."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect
from visiting import at_rest, draw_again, follow, needs_browser

pytestmark = needs_browser
# Texts with the name of a matrix that is not written as in a formula; lines of code are.
PLAIN_MATRICES = """() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode()) found.push(walker.currentNode);
    return found.filter((node) => /\\bW_[A-Z0-9]\\b/.test(node.data) && node.parentElement.checkVisibility())
        .map((node) => node.data);
}"""
TAP = """(node, point) => node.dispatchEvent(
    new PointerEvent("click", { pointerType: "touch", bubbles: true, ...point }))"""
SELF, CROSS, FEED = "decoder.4.self.3", "decoder.4.cross.8", "decoder.4.feed"


def opened(page: Page, at: str, **parts: str) -> Page:
    follow(page, "?" + urlencode({"tab": "whole", "step": "6", "whole.at": at} | parts))
    expect(page.locator("#whole .whole")).to_have_attribute("data-at", at)
    return page


def matrix(page: Page, name: str) -> Locator:
    return page.locator(f".board:visible [data-matrix={name}]")


def point_at(page: Page, name: str, down: float, across: float) -> None:
    """Points at a share of a matrix's height and width."""
    box = matrix(page, name).locator(".field").bounding_box()
    assert box
    page.mouse.move(box["x"] + across * box["width"], box["y"] + down * box["height"])


def names(page: Page, name: str, side: str) -> list[str]:
    return matrix(page, name).locator(f".{side}-names span:not(.coming)").all_inner_texts()


def choose(page: Page, mistake: str) -> None:
    page.locator(".head-board select").select_option(label=mistake)


def test_a_head_shows_no_token_that_is_not_written_yet(page):
    opened(page, SELF)
    read = ["(start)", "Ein", "Mann", "in", "einem", "blauen"]
    assert names(page, "weights", "row") == names(page, "weights", "column") == names(page, "v", "row") == read
    says = page.locator(".head-board .says")
    expect(says).to_contain_text("“blauen”")
    chosen = says.inner_text()
    point_at(page, "mix", 0.9, 0.5)
    expect(says).to_have_text(chosen)
    point_at(page, "k", 0.5, 0.9)
    expect(says).to_have_text(chosen)
    point_at(page, "mix", 0.1, 0.5)
    expect(says).not_to_have_text(chosen)
    page.keyboard.press("ArrowRight")
    expect(matrix(page, "v").locator(".row-names span:not(.coming)")).to_have_text([*read, "Hemd"])
    opened(page, CROSS)  # one step back as well
    expect(matrix(page, "weights").locator(".row-names span:not(.coming)")).to_have_text(read)
    assert len(names(page, "weights", "column")) == 16  # the source is there from the beginning


def test_a_mask_that_is_taken_away_looks_taken_away_and_the_words_say_so(page):
    opened(page, SELF)
    weights, scores = matrix(page, "weights"), matrix(page, "scores")
    expect(scores.locator(".words")).to_have_text("hatched: masked")
    expect(weights.locator(".forbidden")).to_have_count(0)
    choose(page, "no mask")
    expect(scores.locator(".words")).to_have_text("the mask is missing (outlined)")
    expect(weights.locator(".forbidden")).to_have_count(1)
    expect(weights.locator("pattern")).to_have_count(0)
    expect(page.locator(".mistake-words")).to_contain_text("without the mask “blauen” takes")
    assert "Hemd" in names(page, "weights", "column")  # as in training, where the whole sentence is there
    expect(page.locator(".board:visible .open-number")).to_be_hidden()  # its number would be the model's
    choose(page, "mask turned round")
    expect(scores.locator(".words")).to_have_text("hatched: the wrong side")
    expect(weights.locator("pattern")).to_have_count(1)
    choose(page, "weights after dropout")
    expect(weights.locator(".words")).to_have_text("a row no longer adds up to 100%")
    expect(page.locator(".softmax")).to_have_text("softmax of every row, then dropout")
    assert "Hemd" not in names(page, "weights", "column")


def test_a_mistake_is_a_part_of_the_link_and_belongs_to_its_head(page):
    opened(page, SELF)
    choose(page, "no mask")
    page.wait_for_url(re.compile("whole.mistake=unmasked"))
    link = page.url.partition("?")[2]
    opened(page, CROSS)
    expect(page.locator(".head-board")).not_to_have_class(re.compile("mistaken"))
    follow(page, "?" + link)
    expect(page.locator(".head-board")).to_have_class(re.compile("mistaken"))
    expect(page.locator("#whole .whole")).to_have_attribute("data-at", SELF)
    opened(page, SELF)
    expect(page.locator(".head-board")).not_to_have_class(re.compile("mistaken"))
    follow(page, "?" + urlencode({"tab": "whole", "whole.at": SELF, "whole.mistake": "nosuch"}))
    expect(page.locator(".notice")).to_contain_text("whole.mistake")


@pytest.mark.thorough
def test_a_hidden_token_makes_no_mistakes_about_the_mask(page):
    opened(page, CROSS, **{"whole.change": "hidden.12"})
    expect(matrix(page, "scores").locator(".words")).to_have_text("hatched: masked")
    mistakes = page.locator(".head-board select option").all_inner_texts()
    assert "softmax of columns" in mistakes
    assert "no mask" not in mistakes and "mask turned round" not in mistakes


def test_a_head_that_is_off_adds_nothing_on_its_board(page):
    opened(page, CROSS, **{"whole.change": "off.cross.4.8"})
    expect(matrix(page, "mix").locator(".words")).to_have_text("the head is off: zeros")
    expect(matrix(page, "added").locator(".words")).to_have_text("nothing is added")
    expect(page.locator(".head-board select")).to_be_hidden()
    point_at(page, "added", 0.1, 0.5)
    expect(page.locator(".head-board .says")).to_have_text(re.compile(r"Number \d+ of what this head adds to .*: 0\."))


def test_what_the_pointer_rests_on_is_still_said_when_a_board_is_drawn_again(page):
    for at, name in ((SELF, "mix"), (FEED, "sum")):
        opened(page, at)
        says = page.locator(".board:visible .says")
        chosen = says.inner_text()
        point_at(page, name, 0.1, 0.5)
        expect(says).not_to_have_text(chosen)
        pointed = says.inner_text()
        draw_again(page)
        expect(says).to_have_text(pointed)
        page.keyboard.press("ArrowLeft")  # another row is asked for
        at_rest(page)
        expect(says).not_to_have_text(pointed)


@pytest.mark.thorough
def test_the_focus_stays_on_its_number_when_a_board_is_drawn_again(page):
    for at, control in ((FEED, ".chip-buttons button"), ("output", "[data-output=candidates] button")):
        opened(page, at)
        page.locator(f"#whole {control}").nth(2).focus()
        focused = page.locator(":focus").inner_text()
        draw_again(page)
        expect(page.locator(":focus")).to_have_text(focused)
    opened(page, f"{FEED}.out.6.2")
    summary = page.locator("#whole .number-board summary")
    summary.press("Enter")
    expect(page.locator("#whole .number-board details[open] [role=table]")).to_be_visible()
    draw_again(page)
    expect(page.locator("#whole .number-board details[open] [role=table]")).to_be_visible()
    expect(summary).to_be_focused()


def test_a_feed_forward_board_says_what_its_numbers_were(page):
    opened(page, FEED)
    assert len(names(page, "hidden", "row")) == 6
    chips = page.locator(".chip-buttons button")
    first = chips.first.inner_text()
    percent = page.locator(".feed-board .says b").nth(2).inner_text()
    count = page.locator(".feed-board .says b").nth(1).inner_text()
    assert int(percent) == round(100 * int(count.replace(",", "")) / 3072)
    expect(page.locator(".feed-board .was")).to_have_count(0)
    opened(page, FEED, **{"whole.change": "off.cross.4.8"})
    expect(chips.first.locator(".was")).to_have_text(f"was {first.split(': ')[1]}")
    expect(page.locator(".feed-board .says .was")).to_have_text(f"was {count}")


@pytest.mark.thorough
def test_boards_of_a_long_sentence_are_drawn_anew_for_a_short_one(page):
    for at in ("encoder.1.feed", "encoder.1.self.2"):
        opened(page, at, step="16")  # which is about the end of the long one
        opened(page, at, sentence="The cat sleeps.", step="1")
        rows = page.locator(".board:visible .row-names:has(span)").first
        expect(rows.locator("span")).to_have_text(["The", "cat", "sleep", "s", ".", "(end)"])
        chosen = rows.locator(".chosen").inner_text()
        expect(page.locator(".board:visible .says")).to_contain_text(f"“{chosen}”")


def saved(page: Page) -> str:
    """What is shown, as SVG."""
    page.keyboard.press("s")
    with page.expect_download() as download:
        page.locator("[data-entry=svg]").click()
    page.keyboard.press("Escape")
    return download.value.path().read_text()


@pytest.mark.thorough
def test_a_saved_board_has_its_signs_and_no_buttons(page):
    opened(page, SELF)
    text = saved(page)
    assert "softmax of every row" in text
    assert [text.count(f">{sign}<") for sign in ("×", "=", "÷√32")] == [4, 4, 1]
    assert "Number by number" not in text


@pytest.mark.thorough
def test_a_board_that_scrolls_is_saved_whole(page):
    desk = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, SELF)
    at_rest(page)  # in which the board gets its size on a phone
    height = page.locator(".board:visible .between").evaluate("(node) => node.offsetHeight")
    size = re.search(r'height="(\d+)"', saved(page))
    assert size and 844 < height < int(size[1])
    page.set_viewport_size(desk)


def test_on_a_phone_a_finger_sees_a_number_and_a_button_opens_it(page):
    desk = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, SELF)
    field = matrix(page, "q").locator(".field")
    field.scroll_into_view_if_needed()
    box = field.bounding_box()
    assert box
    point = {"clientX": box["x"] + box["width"] / 2, "clientY": box["y"] + box["height"] / 10}
    says = page.locator(".head-board .says")
    before = says.inner_text()
    for kind in ("pointerdown", "pointermove"):  # a finger that scrolls
        field.dispatch_event(kind, {"pointerType": "touch", **point})
    at_rest(page)
    expect(says).to_have_text(before)
    field.evaluate(TAP, point)
    expect(says).to_contain_text("what “Ein” asks")
    at_rest(page)  # the sentence has another height, so that the matrices have another place
    expect(says).to_contain_text("what “Ein” asks")
    page.locator(".board:visible .open-number").click()
    expect(page.locator("#whole .whole")).to_have_attribute("data-at", f"{SELF}.q.2.17")
    page.set_viewport_size(desk)


@pytest.mark.thorough
def test_a_number_that_the_next_sentence_lacks_gives_way_to_the_whole(page):
    late = {"tab": "whole", "step": "3", "whole.at": "decoder.4.cross.8.k.16.1"}
    follow(page, "?" + urlencode(late))  # a token of the source beyond the rows of the translation
    number = page.locator("#whole .number-board:visible")
    expect(number).to_contain_text("(end)")
    page.locator("#whole [data-role=path] button", has_text="Head 8").click()
    expect(page.locator("#whole .whole")).to_have_attribute("data-at", CROSS)
    assert names(page, "weights", "row") == ["(start)", "Ein", "Mann"]
    follow(page, "?" + urlencode(late))
    expect(number).to_have_count(1)
    page.get_by_role("tab", name="Heads", exact=True).click()
    page.get_by_placeholder("Type a sentence in English").fill("Good morning.")
    page.keyboard.press("Enter")
    page.get_by_role("tab", name="Whole model").click()
    expect(page.locator("#whole .whole")).to_have_attribute("data-level", "whole")
    expect(number).to_have_count(0)


def test_matrices_are_written_as_in_a_formula_in_every_text(page):
    opened(page, f"{CROSS}.q.6.1")
    expect(page.locator("#whole [data-role=caption]")).to_contain_text("times column 1 of WQ")
    expect(page.locator("#whole [data-role=caption] sub")).to_have_text("Q")
    expect(page.locator("#whole .board:visible .names sub").first).to_have_text("Q")
    assert page.evaluate(PLAIN_MATRICES) == []
    page.locator("#whole [data-role=summary] > summary").click()
    expect(page.locator("#whole [data-role=summary] td sub").first).to_have_text("Q")
    assert page.evaluate(PLAIN_MATRICES) == []
    follow(page, "?level=heads&measure=length")
    expect(page.locator("#viewer [data-role=explanation] sub").first).to_have_text("O")
    assert page.evaluate(PLAIN_MATRICES) == []
