"""The board of the output in a real browser: what it shows is what was recorded, at any temperature."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from visiting import begin_again, named, needs_browser, open_tab

from explorer.recording.forward_pass import record_pass
from explorer.recording.lens import Predictions, predictions_of, softmax
from explorer.recording.sentence import examples
from explorer.recording.trace import record
from model.decoding import Translator

pytestmark = needs_browser
STEP = 5


@pytest.fixture(scope="module")
def found(shipped: Translator) -> Predictions:
    return predictions_of(record_pass(shipped, record(shipped, examples()[0]["sentence"])))


@pytest.fixture
def board(shared_page: Page, found: Predictions) -> Page:
    page = begin_again(shared_page, step=f"{STEP + 1}", **{"whole.at": "output"})
    open_tab(page, "Whole model")
    fed = plain(found.trace.steps[STEP].fed.text)
    expect(page.locator(".output-board h3")).to_have_text(f"Which of 16,000 tokens follows “{fed}”?")
    return page


def rows(page: Page, name: str) -> list[list[str]]:
    return [row.locator("th, td").all_inner_texts() for row in page.locator(f"[data-output={name}] tr").all()]


def plain(text: str) -> str:
    return named(text).lstrip("·") or "·"


def percent(share: float) -> str:
    return "≈0%" if share < 0.005 else f"{share:.0%}"


def test_what_each_layer_would_choose_and_the_ranks_are_those_recorded(board, found):
    layers = found.lens(STEP)
    assert [row[1::2] for row in rows(board, "lens")] == [
        [plain(best.piece.text), percent(best.probability)] for best in layers
    ]
    leaders = found.leaders(STEP)
    assert rows(board, "ranks") == [[plain(piece.text), *(f"{rank:,}" for rank in ranks)] for piece, ranks in leaders]
    (chosen,) = (ranks for piece, ranks in leaders if piece.id == found.trace.steps[STEP].predicted.id)
    wins = max(layer for layer, rank in enumerate(chosen) if rank != 1) + 1
    expect(board.locator("[data-output=wins]")).to_contain_text(f"leads from layer {wins} on")


def test_the_temperature_changes_the_probabilities_as_python_would_and_stands_in_the_address(board, found):
    slider, entropy = board.locator("[data-output=temperature]"), board.locator("[data-output=others]")
    first = entropy.inner_text()
    slider.fill("0.5")
    probabilities = softmax(found.logits[STEP] / 10**0.5)
    best = found.candidates(STEP, 10)
    assert [row[3] for row in rows(board, "candidates")] == [percent(probabilities[one.piece.id]) for one in best]
    bits = -(probabilities * np.log2(probabilities, where=probabilities > 0, out=np.zeros_like(probabilities))).sum()
    expect(entropy).to_contain_text(
        f"Entropy: {bits:.2f} bits (at temperature 1: {found.trace.steps[STEP].entropy:.2f})"
    )
    expect(board).to_have_url(re.compile(r"whole\.temperature=0\.5"))
    board.get_by_role("button", name="Back to 1").click()
    expect(slider).to_have_value("0")
    expect(entropy).to_have_text(first)
    expect(board).not_to_have_url(re.compile(r"whole\.temperature"))
