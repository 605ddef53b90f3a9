"""The attention view in a real browser: choices, options, and the view as Python sets and reads it."""

import numpy as np
import pytest
from cases import each_case
from playwright.sync_api import Locator, Page, expect
from visiting import (
    DESK,
    cell_place,
    choose,
    drawn,
    eventually,
    go_to,
    needs_browser,
    open_tab,
    option,
    translate,
)

from explorer.recording.sentence import examples
from explorer.recording.trace import record

pytestmark = needs_browser
EXAMPLE = examples()[0]["sentence"]


def title(page: Page) -> str:
    return page.locator("[data-pane=first] h3").inner_text()


def test_stepping_and_choosing_ask_the_server_nothing(page):
    asked: list[str] = []
    page.on("request", lambda request: request.url.startswith("http") and asked.append(request.url))
    choose(page, "decoder", 2, 3)
    page.locator("[data-look=ribbon]").click()
    page.locator("[data-look=heatmap]").click()
    option(page, "transposed").check()
    for _ in range(5):
        page.get_by_label("Previous step").click()
    assert asked == []


def test_stepping_leaves_the_picture_alone(page):
    page.evaluate(
        "new MutationObserver(() => { window.redrawn = true; })"
        ".observe(document.querySelector('.heatmap .cartesianlayer'), { childList: true, subtree: true })"
    )
    for step in (2, 5, 1):
        go_to(page, step)
    assert page.evaluate("window.redrawn") is None
    choose(page, "cross", 1, 1)
    assert page.evaluate("window.redrawn") is True


def test_choices_survive_a_new_sentence_a_step_and_a_kind(page):
    choose(page, "decoder", 2, 3)
    option(page, "scale").select_option("row")
    translate(page, "Two children are playing in the garden.")
    assert title(page) == "Decoder self-attention (masked) · layer 3 · head 4"
    go_to(page, 2)
    page.locator(".kinds button[value=cross]").click()
    assert title(page) == "Cross-attention · layer 3 · head 4"
    assert option(page, "scale").input_value() == "row"


def overview(page: Page) -> np.ndarray:
    """Opacity of the overview's pixels."""
    script = """(canvas) => {
        const { width, height } = canvas;
        const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
        return [height, width, Array.from(data.filter((_, i) => i % 4 === 3))];
    }"""
    height, width, values = page.locator("[data-role=overview]").evaluate(script)
    return np.array(values).reshape(height, width)


def test_the_overview_grows_with_the_steps_changes_with_the_kind_and_leads_to_a_head(page):
    whole = overview(page)
    go_to(page, 3)
    part = overview(page)
    assert 0 < (part > 0).sum() < (whole > 0).sum()
    page.locator(".kinds button[value=encoder]").click()
    assert (overview(page) > 0).sum() > (part > 0).sum()
    page.locator("[data-role=heads] button").last.click()
    assert title(page).endswith("layer 4 · head 8")


def middle(locator: Locator) -> float:
    """The height at which a node's middle lies."""
    box = locator.bounding_box()
    assert box is not None
    return box["y"] + box["height"] / 2


def expect_beside(mark: Locator, tick: Locator) -> None:
    """The middles of both lie at the same height."""
    eventually(mark, lambda: np.testing.assert_allclose(middle(mark), middle(tick), atol=2))


@pytest.mark.thorough
def test_a_page_resized_while_another_tab_is_open_comes_back_in_its_new_width(page):
    open_tab(page, "Positions")
    page.set_viewport_size({"width": 1300, "height": 768})
    open_tab(page, "Heads")
    room = page.locator("[data-pane=first] .plot").bounding_box()
    assert room is not None
    page.wait_for_function(
        """(right) => {
            const { left } = document.querySelector("[data-pane=first] .colorbar .cbfill").getBoundingClientRect();
            return left < right - 40 && left > right - 70;
        }""",
        arg=room["x"] + room["width"],
    )
    go_to(page, 3)
    expect_beside(page.locator("[data-pane=first] .mark"), page.locator("[data-pane=first] .ytick").nth(3))
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})


def test_a_maximum_and_a_row_of_nothing_do_not_pass_for_distributions(page, shipped):
    trace = record(shipped, EXAMPLE)
    choose(page, "cross", "max", "max")
    page.keyboard.press("End")
    readout = page.locator("[data-pane=first] .readout")
    expect(readout).to_contain_text("not a distribution")
    total = float((readout.text_content() or "").split(" sums to ")[1].split(":")[0])
    assert total == round(float(trace.cross.matrix("max", "max")[-1].sum(dtype=float)), 3)
    page.locator(".kinds button[value=decoder]").click()
    go_to(page, 0)
    option(page, "hide").check()
    expect(readout).to_contain_text("nothing is left")


def test_another_scale_changes_the_colours_and_not_the_numbers(page, shipped):
    choose(page, "encoder", 0, 0)
    option(page, "scale").select_option("row")
    weights = record(shipped, EXAMPLE).encoder.weights[0, 0]
    read = "({ data: [{ z, text }] }) => [z.map((row) => [...row]), text[3][2]]"
    z, text = page.locator(".heatmap").first.evaluate(read)
    np.testing.assert_allclose(np.array(z), weights / weights.max(axis=1, keepdims=True), atol=0.003)
    assert text.split()[-1] == f"{weights[3, 2]:.3f}"


def test_the_mark_follows_a_zoom(page):
    """Behind the other tests of this page: Plotly changes the order of its labels."""
    mark, ticks = page.locator("[data-pane=first] .mark"), page.locator("[data-pane=first] .ytick")
    go_to(page, 4)
    expect_beside(mark, ticks.nth(4))
    before = middle(mark)
    rows = len(drawn(page).queries)
    x, y = cell_place(page, 2.5, 0)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 3, cell_place(page, 6.5, 0)[1], steps=4)
    page.mouse.up()
    expect(ticks).to_have_count(4)
    expect_beside(mark, ticks.nth(1))
    go_to(page, 5)
    expect_beside(mark, ticks.nth(2))
    go_to(page, 4)
    page.keyboard.press("0")
    expect(ticks).to_have_count(rows)
    eventually(mark, lambda: np.testing.assert_allclose(middle(mark), before, atol=2))


@pytest.mark.thorough
def test_ribbons_of_a_long_sentence_scroll_inside_their_room(page):
    sentence = "The man and the woman " * 8
    translate(page, sentence.strip())
    assert len(drawn(page).queries) > 30
    page.locator("[data-look=ribbon]").click()
    canvas, room = (page.locator(f"[data-pane=first] .{name}").bounding_box() for name in ("ribbons", "scroll"))
    assert canvas is not None and room is not None
    assert canvas["height"] > room["height"] and canvas["width"] <= room["width"] + 1


@each_case(("kind", "transposed"), [("decoder", True), ("cross", False)])
def test_the_table_has_the_numbers_of_the_heatmap_with_their_headers(page, kind, transposed):
    page.keyboard.press("Escape")  # closes the options of the case before
    page.locator(f".kinds button[value={kind}]").click()
    go_to(page, 5)
    option(page, "transposed").set_checked(transposed)
    shown = drawn(page)
    page.locator("[data-look=table]").click()
    table = page.locator("[data-pane=first] .numbers table")
    rows, columns = 6, (6 if kind == "decoder" else None)
    if transposed:
        rows, columns = columns, rows
    found = table.evaluate(
        """(table) => [...table.rows].filter((row) => !row.hidden).map((row) =>
            [...row.cells].filter((cell) => !cell.hidden)
                .map((cell) => [cell.tagName, cell.scope, cell.textContent]))"""
    )
    head, *body = found
    assert head[0] == ["TD", "", ""] and all(cell[:2] == ["TH", "col"] for cell in head[1:])
    assert rows is None or len(body) == rows
    assert columns is None or len(head) - 1 == columns
    for line, row in enumerate(body):
        assert row[0][:2] == ["TH", "row"]
        for column, (_, _, text) in enumerate(row[1:]):
            weight = shown.weights[line][column]
            assert text == "masked" if np.isnan(weight) else text == f"{weight:.3f}"
    assert page.locator("[data-pane=first] .numbers caption").text_content()
    page.locator("[data-look=heatmap]").click()
    expect(table).to_be_hidden()


@pytest.mark.thorough
def test_the_table_grows_by_a_row_with_every_step_and_is_read_by_keyboard(page):
    go_to(page, 0)
    page.locator("[data-look=table]").click()
    rows = page.locator("[data-pane=first] .numbers tbody tr >> visible=true")
    for step in (1, 2, 3):
        expect(rows).to_have_count(step)
        expect(rows.last).to_have_attribute("aria-current", "step")
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    expect(rows).to_have_count(1)
    region = page.get_by_role("region", name="Table: Cross-attention")
    region.focus()
    before = page.locator(".viewer").get_attribute("data-step")
    page.keyboard.press("ArrowRight")  # scrolls: the table is wider than its place
    assert page.locator(".viewer").get_attribute("data-step") == before
    option(page, "whole").check()
    expect(rows).to_have_count(int(page.locator("[data-role=slider]").get_attribute("max") or 0))
