"""Rows and columns of the attention view that are pinned or pointed at, in a real browser."""

import pytest
from cases import each_case
from playwright.sync_api import Page, expect
from visiting import cell_place, go_to, go_to_end, needs_browser

from explorer.recording.sentence import examples
from explorer.recording.trace import record

pytestmark = needs_browser
EXAMPLE = examples()[0]["sentence"]


def shades(page: Page, strip: str) -> list[bool]:
    """Which pieces of a strip are shaded."""
    pieces = page.locator(f"[data-role={strip}] .piece").all()
    return [bool(piece.evaluate("(node) => node.style.backgroundColor")) for piece in pieces]


def test_a_click_on_a_cell_pins_its_row_and_a_second_one_lets_go(page, shipped):
    trace = record(shipped, EXAMPLE)
    page.mouse.click(*cell_place(page, 4, 1))
    expect(page.locator("[data-pane=first] .heatmap .pinned")).to_be_visible()
    expect(page.locator("[data-pane=first] .readout")).to_contain_text(
        f"Row {trace.cross.queries[4].label} sums to 1.000"
    )
    expect(page.locator("[data-role=target] .piece.pinned > span")).to_have_text(trace.steps[4].predicted.text)
    strongest = int(trace.cross.matrix(3, "mean")[4].argmax())
    assert shades(page, "source")[strongest]
    page.locator(".status").click()  # else the next one would make a double click, which opens the cell's blackboard
    page.mouse.click(*cell_place(page, 4, 1))
    expect(page.locator("[data-pane=first] .heatmap .pinned")).to_be_hidden()


def test_an_english_piece_pins_its_column(page, shipped):
    trace = record(shipped, EXAMPLE)
    page.locator(".kinds button[value=decoder]").click()
    page.locator("[data-role=source] .piece").nth(2).click()
    expect(page.locator(".viewer")).to_have_attribute("data-kind", "cross")  # which alone has English keys
    expect(page.locator("[data-pane=first] .readout")).to_contain_text(f"Column {trace.source[2].text}")
    column = trace.cross.matrix(3, "mean")[:, 2]
    assert shades(page, "target")[1 + int(column.argmax())]
    page.keyboard.press("Escape")
    expect(page.locator("[data-pane=first] .heatmap .pinned")).to_be_hidden()


def test_what_is_not_decoded_yet_cannot_be_pinned_and_a_pin_there_is_not_seen(page):
    tick = page.locator("[data-pane=first] .ytick").nth(9).bounding_box()
    assert tick is not None
    place = tick["x"] + 3, tick["y"] + tick["height"] - 3
    pinned = page.locator("[data-pane=first] .heatmap .pinned")
    go_to(page, 3)
    page.mouse.click(*place)
    expect(pinned).to_be_hidden()
    go_to(page, 9)
    page.mouse.click(*place)
    expect(pinned).to_be_visible()
    go_to(page, 3)
    expect(pinned).to_be_hidden()


def test_the_buttons_over_the_picture_pin_nothing(page):
    go_to_end(page)  # what is not drawn yet lies over the picture
    page.locator("[data-pane=first] .heatmap").hover()
    page.locator("[data-pane=first] [data-title='Zoom']").click()
    expect(page.locator("[data-pane=first] .heatmap .pinned")).to_be_hidden()


@each_case(("axis", "number"), [("y", 3), ("x", 2)])
def test_a_click_on_a_label_pins_its_row_or_column(page, axis, number):
    label = page.locator(f"[data-pane=first] .{axis}tick").nth(number)
    box = label.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 3, box["y"] + box["height"] - 3)
    pinned = page.locator("[data-pane=first] .heatmap .pinned").bounding_box()
    assert pinned is not None
    assert (pinned["width"] > pinned["height"]) == (axis == "y")
    strip = "target" if axis == "y" else "source"
    place = number + 1 if axis == "y" else number
    expect(page.locator(f"[data-role={strip}] .piece").nth(place)).to_contain_class("pinned")


def test_ribbons_light_the_piece_under_the_mouse_and_a_pinned_one(page, shipped):
    trace = record(shipped, EXAMPLE)
    go_to(page, 6)
    page.locator("[data-look=ribbon]").click()
    canvas = page.locator("[data-pane=first] .ribbons")
    box = canvas.bounding_box()
    assert box is not None
    canvas.hover(position={"x": 20, "y": 2.5 * box["height"] / len(trace.steps)})
    expect(page.locator("[data-pane=first] .readout")).to_contain_text(f"Row {trace.cross.queries[2].label}")
    canvas.hover(position={"x": box["width"] - 20, "y": 5.5 * box["height"] / len(trace.source)})
    expect(page.locator("[data-pane=first] .readout")).to_contain_text(f"Column {trace.source[5].text}")
    page.mouse.move(0, 0)
    picture = "(canvas) => canvas.toDataURL()"
    before = canvas.evaluate(picture)
    page.locator("[data-role=source] .piece").nth(4).click()
    page.mouse.move(0, 0)
    assert canvas.evaluate(picture) != before


@pytest.mark.thorough
def test_ribbons_forget_the_mouse_when_the_sentence_changes_under_it(page, shipped):
    page.locator("[data-look=ribbon]").click()
    canvas = page.locator("[data-pane=first] .ribbons")
    box = canvas.bounding_box()
    assert box is not None
    canvas.hover(position={"x": 20, "y": box["height"] - 4})
    page.get_by_placeholder("Type a sentence in English").fill("A dog.")
    canvas.hover(position={"x": 20, "y": box["height"] - 5})
    page.keyboard.press("Home")
    expect(page.locator("[data-pane=first] .readout")).to_contain_text("Row")
    page.get_by_placeholder("Type a sentence in English").press("Enter")
    expect(page.locator("[data-role=source] .piece")).to_have_count(len(record(shipped, "A dog.").source))
