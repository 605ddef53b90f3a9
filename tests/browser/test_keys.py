"""Keys in a real browser: they work wherever the focus is, and a control keeps those that it needs."""

import pytest
from cases import each_case
from playwright.sync_api import Page, expect
from visiting import (
    HOLD_FRAMES,
    cell_place,
    expect_sentence,
    needs_browser,
    open_tab,
    option,
    time_held,
    translate,
)

from explorer.recording.sentence import examples

pytestmark = needs_browser
SENTENCE = "Two children are playing in the garden."


def at_step(page: Page, step: int) -> None:
    """One-based, as it is shown."""
    expect(page.locator(".viewer[data-step]").first).to_have_attribute("data-step", str(step))


def cell_at(page: Page, row: int, column: int) -> None:
    """Clicks a cell of the heatmap."""
    page.mouse.click(*cell_place(page, row, column))


def click_an_example(page: Page) -> None:
    page.locator("#examples select").select_option(label="negation")
    expect_sentence(page, examples()[4]["sentence"])


def enter_a_sentence(page: Page) -> None:
    translate(page, SENTENCE)


def come_back_to_the_tab(page: Page) -> None:
    open_tab(page, "Glossary")
    open_tab(page, "Heads")
    expect(page.locator("#explore-tab")).to_be_focused()


SITUATIONS = {
    "an example was chosen": click_an_example,
    "Enter was pressed in the sentence": enter_a_sentence,
    "a tab was opened": come_back_to_the_tab,
    "a cell was clicked": lambda page: cell_at(page, 3, 2),
    "a button was clicked": lambda page: page.locator(".kinds button[value=decoder]").click(),
    "a checkbox has the focus": lambda page: option(page, "words").focus(),
    "a closed list has the focus": lambda page: page.locator("[data-role=layer]").focus(),
    "the options have the focus": lambda page: page.locator(".options summary").focus(),
    "the step slider has the focus": lambda page: page.locator("[data-role=slider]").focus(),
    "the overview was clicked": lambda page: page.locator("[data-role=heads] button").nth(9).click(),
}


@pytest.mark.thorough
@each_case("situation", SITUATIONS)
def test_arrows_and_esc_are_the_pictures_wherever_the_focus_is_and_every_key_after_a_click(page, situation):
    page.keyboard.press("End")
    SITUATIONS[situation](page)
    layer = page.locator("[data-role=layer]").input_value()
    step = int(page.locator(".viewer").get_attribute("data-step"))
    page.keyboard.press("ArrowLeft")
    at_step(page, step - 1)
    page.keyboard.press("ArrowRight")
    at_step(page, step)
    assert page.locator("[data-role=layer]").input_value() == layer
    if page.locator(".piece.pinned").count() == 0:
        page.evaluate("document.querySelector('[data-role=source] .piece').click()")  # which leaves the focus alone
    page.keyboard.press("Escape")
    expect(page.locator(".piece.pinned")).to_have_count(0)
    if "focus" not in situation:
        page.keyboard.press("Home")
        at_step(page, 1)
        with time_held(page):
            page.keyboard.press("Space")
            expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
            page.keyboard.press("Space")
        expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_esc_closes_the_options_first_and_lets_a_pin_go_while_one_writes(page):
    page.locator("[data-role=source] .piece").nth(3).click()
    page.locator(".options summary").click()
    page.locator(".options [data-choice=scale]").focus()
    for pinned in (1, 0):
        page.keyboard.press("Escape")
        expect(page.locator(".piece.pinned")).to_have_count(pinned)
        expect(page.locator(".options [data-choice=scale]")).to_be_hidden()
    page.locator(".options summary").click()
    page.mouse.click(5, 700)  # elsewhere
    expect(page.locator(".options [data-choice=scale]")).to_be_hidden()
    page.locator("[data-role=source] .piece").nth(3).click()
    page.get_by_placeholder("Type a sentence in English").press("Escape")
    expect(page.locator(".piece.pinned")).to_have_count(0)


def test_a_control_keeps_the_keys_that_it_needs(page):
    step = page.locator(".viewer").get_attribute("data-step")
    page.locator(".kinds button[value=decoder]").focus()
    page.keyboard.press("Space")
    expect(page.locator(".viewer")).to_have_attribute("data-kind", "decoder")
    option(page, "words").focus()
    page.keyboard.press("Space")
    expect(page.locator("[data-choice=words]")).to_be_checked()
    page.locator("[data-role=layer]").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator("[data-role=layer]")).to_have_value("2")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert page.locator(".viewer").get_attribute("data-step") == step


def test_a_letter_typed_on_after_enter_keeps_the_focus_in_the_sentence(page):
    box = page.get_by_placeholder("Type a sentence in English")
    page.route("**/ask", lambda route: (box.press("End"), box.type(" And"), route.continue_()))
    translate(page, SENTENCE)
    expect(box).to_have_value(f"{SENTENCE} And")
    expect(box).to_be_focused()


def test_a_key_right_after_the_click_on_a_tab_is_the_pictures(page):
    open_tab(page, "Whole model")
    slider = page.locator("#whole [data-role=step]")
    step = int(page.locator("#viewer .viewer").get_attribute("data-step"))
    expect(slider).to_have_value(str(step))
    open_tab(page, "Heads")
    page.evaluate(HOLD_FRAMES)  # a busy browser, which moves the focus much later
    page.get_by_role("tab", name="Whole model", exact=True).click()
    expect(slider).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value(str(step - 1))
    page.evaluate("drawHeldFrames()")


def test_a_question_mark_and_a_button_show_the_keys(page):
    sheet = page.locator("[data-tool=sheet]")
    step = page.locator(".viewer").get_attribute("data-step")
    for opened in (lambda: page.keyboard.press("?"), lambda: page.locator("[data-tool=keys]").click()):
        opened()
        expect(sheet).to_be_visible()
        expect(sheet).to_contain_text("Play and pause")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Escape")
        expect(sheet).to_be_hidden()
    box = page.get_by_placeholder("Type a sentence in English")
    box.fill("")
    box.press("?")
    expect(sheet).to_be_hidden()
    expect(box).to_have_value("?")
    assert page.locator(".viewer").get_attribute("data-step") == step


@pytest.mark.thorough
def test_a_drag_over_a_figure_leaves_no_notice_and_a_key_ends_the_zoom(page):
    open_tab(page, "Positions")
    figure = page.locator("#positions [data-figure=heatmap]")
    expect(figure.locator(".plot-container")).to_be_visible()
    size = "({ _fullLayout: { xaxis: { range } } }) => Math.abs(range[1] - range[0])"
    whole = figure.evaluate(size)
    box = figure.locator(".nsewdrag").first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 4, box["y"] + box["height"] / 4
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + box["width"] / 2, y + box["height"] / 2, steps=5)
    page.mouse.up()
    page.wait_for_function(f"([figure, whole]) => ({size})(figure) < whole", arg=[figure.element_handle(), whole])
    expect(page.locator(".plotly-notifier")).to_have_count(0)
    page.mouse.dblclick(x, y)
    assert figure.evaluate(size) < whole
    page.keyboard.press("0")
    page.wait_for_function(f"([figure, whole]) => ({size})(figure) === whole", arg=[figure.element_handle(), whole])
    expect(page.locator(".plotly-notifier")).to_have_count(0)
