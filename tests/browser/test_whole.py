"""The tab of the whole model in a real browser: places, flights, the guided tour, and the way from Heads and back."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect
from remarks import default_step
from visiting import HOLD_FRAMES, at_rest, begin_again, errors_of, eventually, in_motion, needs_browser, open_tab

from explorer.recording.sentence import examples
from explorer.recording.trace import record

pytestmark = needs_browser


@pytest.fixture
def flying(shared_page: Page) -> Iterator[None]:
    """The stage flies from place to place, and a picture fades into that of the next step."""
    with in_motion(shared_page):
        yield


@pytest.fixture
def whole(shared_page) -> Page:
    """The tab at the whole model."""
    open_tab(shared_page, "Whole model")
    expect(shared_page.locator("#whole [data-role=caption]")).not_to_be_empty()
    show(shared_page)
    return shared_page


def show(page: Page) -> None:
    """Goes to the whole from wherever the stage is."""
    while page.locator("#whole [data-role=all]").is_enabled():
        page.keyboard.press("Escape")
    at(page, "")


def at(page: Page, place: str) -> None:
    """The flight is over and the address names the place."""
    expect(page.locator("#whole .whole")).to_have_attribute("data-at", place)


def way(page: Page) -> list[str]:
    return page.locator("#whole .path > *").all_inner_texts()


def test_a_click_leads_one_level_further_in_and_esc_out_again(whole):
    page = whole
    canvas = page.locator("#whole [data-role=canvas]")
    box = canvas.bounding_box()
    assert box
    canvas.click(position={"x": box["width"] * 0.72, "y": box["height"] * 0.75})
    at(page, "decoder.4")
    canvas.click(position={"x": box["width"] * 0.45, "y": box["height"] * 0.6})
    at(page, "decoder.4.cross")
    assert way(page) == ["Whole model", "Decoder", "Layer 4", "Cross-attention"]
    page.keyboard.press("+")
    at(page, "decoder.4.cross.8")
    expect(page.locator("#whole [data-board=head]")).to_be_visible()
    page.keyboard.press("+")
    expect(page.locator("#whole [data-board=number]")).to_be_visible()
    for place in ("decoder.4.cross.8", "decoder.4.cross", "decoder.4", ""):
        page.keyboard.press("Escape")
        at(page, place)
    expect(page.locator("#whole .board:visible")).to_have_count(0)


def test_the_sentence_says_that_the_board_of_a_head_shows_a_mistake(whole):
    page = whole
    caption = page.locator("#whole [data-role=caption]")
    for _ in range(3):
        page.keyboard.press("+")
    mistakes = page.locator("#whole .head-board select")
    mistakes.select_option("undivided")
    expect(caption).to_contain_text("Above you see a mistake; this is about the model without it. Head 8 looks")
    mistakes.select_option("")
    expect(caption).not_to_contain_text("mistake")


def token(page: Page, name: str) -> Locator:
    """The button over a token's name."""
    return page.locator("#whole .tokens").get_by_role("button", name=name, exact=True).first


def test_a_word_shows_what_it_takes_and_the_keys_reach_it(whole):
    page = whole
    canvas = page.locator("#whole [data-role=canvas]")
    before = canvas.evaluate("canvas => canvas.toDataURL()")
    token(page, "cleaning").hover()
    eventually(page, lambda: differs(canvas, before))
    expect(page.get_by_role("button", name="Hide “cleaning”")).to_be_visible()
    page.mouse.move(2, 2)
    expect(page.locator("#whole .hide")).to_be_hidden()
    token(page, "man").focus()
    page.keyboard.press("ArrowDown")
    expect(token(page, "in")).to_be_focused()
    expect(token(page, "in")).to_have_attribute("aria-description", re.compile("Layer 4, Cross-attention: in "))
    page.locator("#whole [data-role=stage]").focus()


SHOW_SHORT = """async () => {
    const bundle = performance.getEntriesByType("resource").find(({ name }) => name.includes("modules.js")).name;
    const { default: modules } = await import(bundle);
    modules["ui/translation_request.js"].translateSentence("A dog sleeps.");
}"""


@pytest.mark.thorough
def test_a_pointer_may_rest_on_a_token_that_the_next_sentence_does_not_have(whole):
    page = whole
    last = page.locator("#whole [data-role=tokens] [role=group] button").nth(10)
    page.evaluate(HOLD_FRAMES)
    page.evaluate(SHOW_SHORT)
    expect(page.locator("#whole .status")).to_contain_text(" of 5")
    last.dispatch_event("pointerenter")
    errors = errors_of(page)
    page.evaluate("drawHeldFrames()")
    at_rest(page)
    assert not errors, errors
    begin_again(page)


def differs(canvas: Locator, before: str) -> None:
    assert canvas.evaluate("canvas => canvas.toDataURL()") != before


def test_the_guided_flight_tells_what_is_seen_at_every_stop(whole):
    page = whole
    told, places = [], []
    for stop in page.locator("#whole .stops button").all():
        stop.click()
        expect(stop).to_have_attribute("aria-current", "step")
        told.append(page.locator("#whole [data-role=caption]").inner_text())
        places.append(page.locator("#whole .whole").get_attribute("data-at"))
        is_last = len(told) == 13
        expect(page.locator("#whole [data-role=next]")).to_have_text("Again" if is_last else "Next")
    assert len(told) == len(set(told)) == 13
    assert places[0] == places[-1] == "" and "output" in places and "memory" in places
    assert any("Nothing is replaced" in text for text in told)
    page.keyboard.press("Escape")
    page.locator("#whole [data-go=previous]").click()


@pytest.mark.thorough
@pytest.mark.usefixtures("flying")
def test_a_flight_that_sets_out_at_the_end_is_about_the_telling_step(whole, shipped):
    page = whole
    page.locator("#whole .stops button").first.click()
    page.keyboard.press("End")
    expect(page.locator("#whole .status")).to_have_text("16 of 16")
    page.locator("#whole [data-role=next]").click()
    example = examples(source=shipped.languages.source)[0]
    step = default_step(record(shipped, example["sentence"]), example["subject"])
    expect(page.locator("#whole .status")).to_have_text(f"{step + 1} of 16")


def test_the_sentence_stays_true_on_ones_own_way_and_leads_back(whole):
    page = whole
    caption = page.locator("#whole [data-role=caption]")
    page.locator("#whole .stops button").nth(2).click()
    first = caption.inner_text()
    page.locator("#whole [data-role=out]").click()
    expect(caption).not_to_have_text(first)
    page.get_by_role("button", name="Back to the tour").click()
    expect(caption).to_have_text(first)
    page.locator("#whole [data-role=all]").click()


def test_a_weight_on_its_board_is_that_of_heads(shared_page):
    page = begin_again(shared_page, level="heads", kind="cross")
    page.locator("#viewer [data-role=heads] button").nth(9).click()
    page.locator("#viewer [data-role=whole]").click()
    at(page, "decoder.2.cross.2")
    weights = page.locator("#whole [data-board=head]")
    expect(weights).to_be_visible()
    page.keyboard.press("+")
    percent = page.locator("#whole [data-role=caption]").inner_text()
    board = page.locator("#whole [data-board=number]")
    expect(board).to_be_visible()
    share = re.search(r"(\d+)%", percent)
    assert share and f"{share[1]}%" in board.inner_text()
    open_tab(page, "Heads")
    expect(page.locator("#viewer .viewer")).to_have_attribute("data-kind", "cross")
    expect(page.locator("#viewer [data-role=layer]")).to_have_value("1")


def test_an_address_opens_its_place(new_page, shipped_page):
    page = new_page
    page.goto(f"{shipped_page}?tab=whole&step=3&whole.at=decoder.1.self.3.3.1")
    at(page, "decoder.1.self.3.3.1")
    expect(page.locator("#whole [data-board=number] h3, #whole [data-board=number] h2").first).to_be_visible()
    page.locator("#whole [data-go=next]").click()
    at(page, "decoder.1.self.3.4.1")
    page.goto(f"{shipped_page}?tab=whole&whole.at=decoder.9")
    expect(page.get_by_text("whole.at")).to_be_visible()
