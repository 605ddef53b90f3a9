"""The panel Another sentence in a real browser: two runs side by side, and their difference."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from visiting import drawn, needs_browser, open_tab

from explorer.experiments.differences import pair_pieces
from explorer.experiments.experiment import Experiment
from explorer.experiments.running import run
from explorer.recording.sentence import examples
from explorer.recording.trace import Trace, record
from model.decoding import Translator

pytestmark = needs_browser
SENTENCE = examples()[0]["sentence"]
OTHER = "A woman in a blue shirt is not standing on a ladder cleaning a window."


@pytest.fixture
def lab(page) -> Page:
    open_tab(page, "What if")
    page.get_by_role("button", name="Another sentence").click()
    expect(page.locator(".lab")).to_have_attribute("data-runs", re.compile(r"\d"))
    return page


def compared(lab: Page, trace: Trace) -> None:
    """The outcome is that of a trace."""
    expect(lab.locator("[data-lab=changed-total]")).to_contain_text(f"{trace.log_probability:.2f}".replace("-", "−"))
    german = (lab.locator("[data-lab=changed]").text_content() or "").replace("</s>", "")
    assert german.split() == trace.translation.split()


def subtracted(first: Trace, second: Trace) -> np.ndarray:
    """Second minus first where both have a row and a column, from the pairs one by one."""
    pairs = pair_pieces(first, second)
    before, after = first.cross.matrix(3, "mean"), second.cross.matrix(3, "mean")
    found = np.full(after.shape, np.nan)
    for row, query in enumerate(pairs.steps):
        for column, key in enumerate(pairs.source):
            if query is not None and key is not None:
                found[row, column] = after[row, column] - before[query, key]
    return found


def test_two_sentences_stand_beside_each_other_and_a_link_brings_them_back(lab, shipped: Translator):
    first, second = record(shipped, SENTENCE), run(shipped, SENTENCE, Experiment(source=OTHER))
    box = lab.locator(".compare textarea")
    expect(box).to_have_value(SENTENCE)
    box.fill(OTHER)
    box.press("Enter")
    compared(lab, second)
    aligned = lab.get_by_role("list", name="Both sentences, piece by piece")
    assert aligned.locator("del").all_inner_texts() == ["·man"]
    assert aligned.locator("ins").all_inner_texts() == ["·woman", "·not"]
    view = lab.locator("#lab .viewer")
    for pane, name, trace in (("first", "First", first), ("second", "Second", second)):
        expect(view.locator(f"[data-pane={pane}] h3")).to_have_text(f"{name} · layer 4 · mean of heads")
        np.testing.assert_allclose(drawn(view, pane).weights, trace.cross.matrix(3, "mean"), atol=1e-3)
    view.get_by_role("button", name="Difference").click()
    expect(view.locator("[data-pane=second]")).to_be_hidden()
    np.testing.assert_allclose(drawn(view).weights, subtracted(first, second), atol=2e-3)
    alone = pair_pieces(first, second).steps.index(None)
    view.locator("[data-role=slider]").fill(str(alone + 1))
    expect(view.locator("[data-pane=first] .readout")).to_contain_text("has no partner")
    view.get_by_role("button", name="Table").click()
    row = view.locator("[data-pane=first] tbody tr").nth(alone)
    assert {*row.locator("td").all_inner_texts()} == {"no partner"}
    expect(lab).to_have_url(re.compile(r"lab\.look=table&lab\.compared=difference"))
    link = lab.url
    lab.goto("about:blank")
    lab.goto(link)
    compared(lab, second)
    expect(lab.locator(".compare textarea")).to_have_value(OTHER)
    expect(view.locator("[data-pane=first] table caption")).to_contain_text("Second − First")


def test_the_words_in_another_order_and_what_is_refused_loses_nothing(lab, shipped: Translator):
    lab.get_by_role("button", name="Another order").click()
    second = run(shipped, SENTENCE, Experiment(word_order=1))
    compared(lab, second)
    assert lab.locator(".aligned b").all_inner_texts() == [piece.text for piece in second.source]
    lab.locator(".compare textarea").fill("x" * 600)
    lab.get_by_role("button", name="Compare").click()
    expect(lab.locator(".lab > .message")).to_contain_text("600 characters")
    expect(lab.locator(".compare textarea")).to_have_value("x" * 600)
    compared(lab, second)
