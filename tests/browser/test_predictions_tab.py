"""The Predictions tab in a real browser: it follows Explore, and what it shows is what was recorded."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from remarks import default_step
from visiting import go_to, named, needs_browser, open_tab, translate

from explorer.recording.forward_pass import record_pass
from explorer.recording.lens import entropy, predictions_of, softmax
from explorer.recording.sentence import examples
from explorer.recording.trace import record
from model.decoding import Translator

pytestmark = needs_browser
SENTENCE = "Two children are playing in the garden."
FIRST = examples()[0]["sentence"]


def opened(page: Page) -> None:
    open_tab(page, "Predictions")
    expect(page.locator(".predictions")).to_have_attribute(
        "data-sentence", page.locator(".viewer").first.get_attribute("data-sentence") or ""
    )
    expect(page.locator(".predictions .plot-container").first).to_be_visible()


@pytest.fixture
def tab(shared_page) -> Page:
    """The predictions of the first sentence."""
    open_tab(shared_page, "Explore")
    if shared_page.locator("#viewer .viewer").get_attribute("data-sentence") != FIRST:
        translate(shared_page, FIRST)
    opened(shared_page)
    return shared_page


def at(page: Page, step: int) -> None:
    expect(page.locator(".predictions")).to_have_attribute("data-step", str(step + 1))


def drawn_lens(page: Page) -> list[list[str]]:
    rows = page.locator("[data-role=lens] tbody tr")
    return [row.locator("th, td:not(:last-child), span").all_inner_texts() for row in rows.all()]


def test_it_begins_at_the_step_of_explore_and_takes_explore_along(tab):
    page = tab
    open_tab(page, "Explore")
    go_to(page.locator("#viewer"), 2)
    opened(page)
    at(page, 2)
    page.locator(".predictions [data-go=next]").click()
    at(page, 3)
    page.keyboard.press("ArrowRight")
    at(page, 4)
    open_tab(page, "Explore")
    expect(page.locator("#viewer .viewer")).to_have_attribute("data-step", "5")


def test_the_lens_is_the_recorded_one(tab, shipped: Translator):
    found = predictions_of(record_pass(shipped, record(shipped, FIRST)))
    tab.locator(".predictions [data-role=step]").fill("6")
    at(tab, 5)
    readings = found.lens(5)
    for shown, reading in zip(drawn_lens(tab), readings, strict=True):
        assert shown[1:4] == [f"{reading.rank:,}", f"{reading.probability:.3f}", f"{reading.entropy:.2f}"]
        assert shown[4:] == [f"{named(c.piece.text)} {c.probability:.3f}" for c in reading.candidates]
    ranks = tab.locator("[data-figure=ranks]").evaluate("(node) => node.data.map(({ y }) => y)")
    assert ranks == [list(leader.ranks) for leader in found.leaders(5)] and len(ranks) > 1
    wins = max(layer for layer, reading in enumerate(readings) if reading.rank != 1) + 1
    expect(tab.locator("[data-role=wins]")).to_contain_text(f"leads from layer {wins} on")
    assert tab.locator("[data-role=lens] tbody tr.lead").count() == len(readings) - wins


def test_the_temperature_changes_the_probabilities_as_python_would(tab, shipped: Translator):
    found = predictions_of(record_pass(shipped, record(shipped, FIRST)))
    tab.locator(".predictions [data-role=step]").fill("3")
    at(tab, 2)
    tab.locator(".predictions [data-role=temperature]").fill("0.5")
    probabilities = softmax(found.logits[2] / 10**0.5)
    bars = tab.locator(".predictions .candidates li span:last-of-type").all_inner_texts()
    expected = [probabilities[candidate.piece.id] for candidate in found.candidates(2, 10)]
    np.testing.assert_allclose([float(bar) for bar in bars], expected, atol=6e-4)
    expect(tab.locator(".predictions [data-role=entropy]")).to_contain_text(
        f"Entropy {entropy(probabilities):.2f} bits"
    )


def test_it_follows_another_sentence(tab, shipped: Translator):
    open_tab(tab, "Explore")
    translate(tab, SENTENCE)
    opened(tab)
    trace = record(shipped, SENTENCE)
    at(tab, default_step(trace))
    expect(tab.locator(".predictions .status")).to_contain_text(f"Step {default_step(trace) + 1} of {len(trace.steps)}")


def test_the_residual_stream_of_an_english_piece_is_drawn(tab, shipped: Translator):
    found = predictions_of(record_pass(shipped, record(shipped, FIRST)))
    tab.locator(".predictions button[value=encoder]").click()
    tab.locator(".predictions [data-role=piece]").select_option(index=2)
    expect(tab.locator(".predictions")).to_have_attribute("data-piece", "2")
    line = tab.locator("[data-figure=residual]").evaluate("(node) => node.data.at(-2).y")
    np.testing.assert_allclose(line, found.encoder.norms[:, 2], rtol=1e-6)
