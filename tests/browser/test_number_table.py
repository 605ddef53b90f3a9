"""The weights as a table of numbers, and what a screen reader hears of a step."""

import numpy as np
import pytest
from cases import each_case
from playwright.sync_api import Page, expect
from visiting import begin_again, drawn, go_to, needs_browser, option

pytestmark = needs_browser


@pytest.fixture
def page(shared_page: Page) -> Page:
    return begin_again(shared_page)


@each_case("transposed", [False, True])
@each_case("kind", ["encoder", "decoder", "cross"])
def test_the_table_has_the_numbers_of_the_heatmap_with_their_headers(page, kind, transposed):
    page.keyboard.press("Escape")  # closes the options of the case before
    page.locator(f".kinds button[value={kind}]").click()
    go_to(page, 5)
    option(page, "transposed").set_checked(transposed)
    shown = drawn(page)
    page.locator("[data-look=table]").click()
    table = page.locator("[data-pane=first] .numbers table")
    rows, columns = (6 if kind != "encoder" else len(shown.queries)), (6 if kind == "decoder" else None)
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
    page.locator("[data-choice=whole]").check()
    expect(rows).to_have_count(int(page.locator("[data-role=slider]").get_attribute("max") or 0))


def test_readouts_are_told_but_not_while_playing(page):
    readout = page.locator("[data-pane=first] .readout")
    expect(readout).to_have_attribute("aria-live", "polite")
    page.locator("[data-choice=speed]").select_option(label="1 / s")
    page.locator("[data-go=play]").click()
    expect(readout).to_have_attribute("aria-live", "off")
    page.locator("[data-go=play]").click()
    expect(readout).to_have_attribute("aria-live", "polite")
