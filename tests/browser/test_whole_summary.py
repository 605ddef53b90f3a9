"""From Heads into the picture of the whole model, and the shapes and parameters below it, in a real browser."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from shapes import shapes_of
from visiting import (
    at_rest,
    begin_again,
    cell_place,
    choose,
    follow,
    needs_browser,
    option,
)

from explorer.recording.sentence import examples
from explorer.recording.trace import record
from explorer.tabs.whole.summary.summary import words
from model.parameters import parameter_table

pytestmark = needs_browser
FIRST = examples()[0]["sentence"]


@pytest.fixture
def summary(shared_page: Page) -> Locator:
    """The tables for a block of the decoder."""
    follow(shared_page, "?tab=whole&whole.at=decoder.2.cross&whole.shapes=1")
    expect(shared_page.locator(".model-summary [data-step]").first).to_be_visible()
    return shared_page.locator(".model-summary")


def cells(rows) -> list[list[str]]:
    return [row.locator("th, td:not(.why)").all_inner_texts() for row in rows.all()]


def test_a_block_tells_its_steps_with_their_shapes_and_its_modules(summary, shipped):
    rows = [
        row
        for row in shapes_of(shipped, record(shipped, FIRST))
        if (row["stack"], row["layer"], row["sublayer"]) == ("decoder", 1, "cross_attention")
    ]
    expect(summary.locator("[data-step]")).to_have_count(len(rows))
    shown = [row[:3] for row in cells(summary.locator("[data-step]"))]
    titles = [words.SHAPE_STEPS[row["key"]][0].replace("W_O", "WO") for row in rows]  # with the O below the line
    assert shown == [[title, "\n".join(row["before"]), row["after"]] for title, row in zip(titles, rows, strict=True)]
    path = "decoder.layers.1.cross_attention"
    parts = [part for part in parameter_table(shipped.model) if part.path.startswith(path)]
    numbers = [[f"{part.parameters:,}", f"{part.share:.2%}".replace("0.00%", "≈0%")] for part in parts]
    assert [row[-2:] for row in cells(summary.locator("table").last.locator("tbody tr"))] == numbers


def test_at_the_whole_every_layer_has_its_parameters_and_leads_to_its_modules(summary, shipped):
    page = summary.page
    page.locator("#whole [data-role=all]").click()
    expect(summary.locator(".whole-model td.number").first).to_have_text(
        f"{sum(weight.numel() for weight in shipped.model.parameters()):,}"
    )
    expect(summary).to_contain_text("How this model is built")
    summary.get_by_role("button", name="Encoder, layer 1").click()
    expect(summary.locator(".sublayer")).to_have_count(2)
    expect(page.locator("#whole .path [aria-current]")).to_have_text("Layer 1")


def test_another_sentence_is_followed_and_the_mask_of_an_attention_has_its_lines(shared_page):
    follow(shared_page, "?tab=whole&sentence=A+dog+sleeps.")
    expect(shared_page.locator("#whole [data-role=caption]")).to_contain_text("one whole translation")
    follow(shared_page, "?tab=whole&whole.at=decoder.1.self.1&whole.shapes=1&sentence=Two+dogs+run.")
    summary = shared_page.locator("#whole .model-summary")
    expect(summary).to_contain_text("shorter sentences are padded")  # in a batch, a word with its definition
    expect(summary.locator(".foot code").first).to_contain_text("padding_mask(fed, self.pad_id) & causal_mask(")
    expect(shared_page.locator("#whole .head-board .says")).not_to_be_empty()


def double_click(page: Page, query: int, key: int, pane: str = "first") -> None:
    x, y = cell_place(page, query, key, pane)
    page.mouse.move(x, y)
    expect(page.locator(f"[data-pane={pane}] .hovertext").first).to_be_visible()
    page.mouse.click(x, y)
    at_rest(page)  # on a slow machine the picture is drawn again before the second click
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)


def test_a_double_click_on_a_cell_opens_its_blackboard(shared_page):
    page = begin_again(shared_page)
    viewer, board = page.locator("#viewer"), page.locator("#whole .number-board")
    choose(viewer, "decoder", 2, 5)
    double_click(page, 4, 2)
    expect(page).to_have_url(re.compile(r"whole\.at=decoder\.3\.self\.6\.5\.3"))
    expect(board.locator(".result").last).to_be_visible()
    expect(board.locator(".remark")).to_have_count(0)


@pytest.mark.thorough
def test_a_cell_of_several_heads_leads_to_the_strongest_and_says_what_heads_showed(shared_page, shipped):
    page = begin_again(shared_page)
    choose(page.locator("#viewer"), "cross", 3, "mean")
    double_click(page, 4, 3)
    weights = record(shipped, FIRST).cross.weights[3, :, 4, 3]
    expect(page).to_have_url(re.compile(rf"whole\.at=decoder\.4\.cross\.{weights.argmax() + 1}\.5\.4"))
    remark = f"Heads showed layer 4 · mean of heads: {weights.mean(dtype=float):.0%} in this cell."
    expect(page.locator("#whole .number-board .remark")).to_contain_text(remark)


def test_a_double_click_where_no_cell_is_opens_nothing(shared_page):
    page = begin_again(shared_page)
    choose(page.locator("#viewer"), "decoder", 3, 1)
    option(page, "whole").check()
    page.mouse.dblclick(*cell_place(page, 3, 9))
    at_rest(page)
    expect(page.get_by_role("tab", name="Heads", exact=True)).to_have_attribute("aria-selected", "true")
