"""The tab What if in a real browser: what is changed there is what the model then does, and a link brings it back."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect
from sacrebleu import sentence_bleu, sentence_chrf
from visiting import (
    at_rest,
    begin_again,
    eventually,
    expect_german,
    expect_weights,
    follow,
    labels_under_buttons,
    named,
    needs_browser,
    open_tab,
    translate,
)

from explorer.experiments.experiment import Experiment
from explorer.experiments.running import run
from explorer.recording.sentence import examples
from explorer.recording.trace import Trace, record
from model.decoding import Translator

pytestmark = needs_browser
ANSWERED = 'performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/ask"))'  # to the last byte
SENTENCE = examples()[0]["sentence"]
OTHER = "A woman in a blue shirt is not standing on a ladder cleaning a window."


@pytest.fixture
def lab(shared_page: Page) -> Page:
    begin_again(shared_page)
    open_tab(shared_page, "What if")
    expect(shared_page.locator(".lab")).to_have_attribute("data-runs", re.compile(r"\d"))
    return shared_page


def expect_run(lab: Page, trace: Trace) -> None:
    """The outcome is that of a trace."""
    expect(lab.locator("[data-lab=changed-total]")).to_contain_text(f"{trace.log_probability:.2f}".replace("-", "−"))
    expect_german(lab, trace.translation)


def test_another_candidate_makes_a_branch_and_a_link_brings_it_back(lab, shipped: Translator):
    original = record(shipped, SENTENCE)
    step = 6
    lab.locator(".fork .pieces button").nth(step).click()
    lab.locator(".fork .chips button").nth(1).click()
    ids = [found.predicted.id for found in original.steps[:step]]
    beginning = (*ids, original.steps[step].candidates[1].piece.id)
    forked = run(shipped, SENTENCE, Experiment(beginning=beginning))
    expect(lab.locator("[data-lab=said]")).to_contain_text("The German changes")
    expect_run(lab, forked)
    tree = lab.locator(".fork .tree")
    expect(tree.locator("button[aria-pressed=true]")).to_contain_text(f"step {step + 1}")
    tree.get_by_role("button", name="greedy").click()
    expect(lab.locator("[data-lab=said]")).to_contain_text("Nothing is changed")
    tree.locator("li li button").first.click()
    expect(lab.locator("[data-lab=said]")).to_contain_text("The German changes")
    expect(lab).to_have_url(re.compile(r"lab\.begin="))
    link = lab.url
    lab.goto("about:blank")
    lab.goto(link)
    expect(lab.locator("[data-lab=said]")).to_contain_text("The German changes")
    expect_german(lab, forked.translation)
    expect_weights(lab.locator(".lab"), forked.cross.matrix(3, "mean"), "second")


@pytest.mark.thorough
def test_a_link_opens_the_place_that_was_shown_also_of_another_sentence(lab, shipped_page):
    place = "lab.step=9&lab.kind=decoder&lab.layer=2&lab.head=3&lab.pin=query.5&lab.cell=5.2"
    off = "lab.off=" + ",".join(f"cross.4.{head}" for head in range(1, 9))
    lab.goto(f"{shipped_page}?sentence={OTHER.replace(' ', '%20')}&tab=lab&lab.station=heads&{off}&{place}")
    viewer = lab.locator(".lab .viewer")
    expect(viewer).to_have_attribute("data-two", "")
    for name, value in (("sentence", OTHER), ("step", "9"), ("kind", "decoder")):
        expect(viewer).to_have_attribute(f"data-{name}", value)
    eventually(lab, lambda: check_parts(lab, place))


def check_parts(page: Page, parts: str) -> None:
    assert set(parts.split("&")) <= set(page.url.split("?")[1].split("&"))


def test_a_candidate_of_explore_and_of_the_whole_model_leads_into_the_lab(shared_page):
    page = begin_again(shared_page, **{"whole.at": "output"})
    explore = page.locator("#viewer .candidates button").nth(2), "span"
    whole = page.locator("#whole [data-output=candidates] tr").nth(2), "th"
    for tab, (candidate, name) in {"Explore": explore, "The whole model": whole}.items():
        open_tab(page, tab)
        piece = candidate.locator(name).first.inner_text().lstrip("·")
        candidate.locator(".fork").click() if name == "th" else candidate.click()
        expect(page.get_by_role("tab", name="What if")).to_have_attribute("aria-selected", "true")
        expect(page.locator("[data-lab=changed] ins").first).to_have_text(piece)


def test_a_german_of_ones_own_is_scored_and_what_has_no_pieces_is_refused(lab, shipped: Translator):
    german = "Ein Mann putzt ein Fenster."
    lab.locator(".lab .panels").get_by_role("button", name="Your German").click()
    box = lab.locator(".score input")
    box.fill("Ein 犬")
    box.press("Enter")
    expect(lab.locator(".lab > .message")).to_contain_text("犬")
    expect(box).to_have_value("Ein 犬")
    box.fill(german)
    box.press("Enter")
    ids = (*shipped.tokenizer.encode(german), shipped.tokenizer.eos_id)
    scored = run(shipped, SENTENCE, Experiment(beginning=ids))
    rows = lab.locator("[data-score=rows] tr")
    expect(rows).to_have_count(len(ids) + 1)
    for row, found in zip(rows.all(), scored.steps, strict=False):
        cells = row.locator("td").all_inner_texts()
        assert cells[1:5] == [
            named(found.predicted.text),
            f"{found.probability:.3f}",
            f"{found.log_probability:.2f}".replace("-", "−"),
            f"{found.rank + 1}",
        ]
    expect(rows.last).to_contain_text(f"{scored.log_probability:.2f}".replace("-", "−"))
    check_scores_against(lab, record(shipped, SENTENCE).translation, german)


def check_scores_against(lab: Page, hypothesis: str, reference: str) -> None:
    """The model's translation is the hypothesis; what both have is marked, and a link brings the marks back."""
    scores = sentence_bleu(hypothesis, [reference]), sentence_chrf(hypothesis, [reference])
    summaries = lab.locator(".score summary").all()
    for summary, score in zip(summaries, scores, strict=True):
        expect(summary).to_contain_text(f" {score.score:.2f},")
        summary.click()
    lab.locator("[data-score=bleu-orders] button").nth(3).click()
    marked = ["putzt ein Fenster ."]
    expect(lab.locator("[data-score=reference] mark")).to_have_text(marked)
    expect(lab).to_have_url(re.compile("score-marks=w4"))
    lab.goto(lab.url)
    expect(lab.locator("[data-score=hypothesis] mark")).to_have_text(marked)
    expect(lab.locator("[data-score=bleu-steps]")).to_be_visible()


@pytest.mark.thorough
def test_a_link_brings_branches_back_where_the_greedy_one_is_chosen(lab, shipped_page, shipped: Translator):
    first = record(shipped, "Why?").steps[0].candidates
    known, other = first[0].piece.id, first[1].piece.id
    lab.goto(f"{shipped_page}?sentence=Why%3F&tab=lab&lab.fork-branches={known},{other}")
    branches = lab.locator(".fork .tree li li")
    expect(branches).to_have_count(1)  # what greedy decoding has, too, is no branch
    expect(branches).to_contain_text("step 1")


@pytest.mark.thorough
def test_after_a_refusal_another_sentence_is_shown_all_the_same(lab):
    lab.goto(f"{lab.url.split('?')[0]}?sentence=Why%3F&tab=lab&lab.station=positions&lab.encoder=shifted&lab.shift=505")
    long = "The old man who had been sitting on the bench in the park finally stood up."
    expect(lab.locator("[data-lab=source]")).to_contain_text("Why?")
    open_tab(lab, "Explore")
    translate(lab, long)
    open_tab(lab, "What if")
    expect(lab.locator(".lab > .message")).to_contain_text("cannot be shifted by 505")
    expect(lab.locator("[data-lab=source]")).to_have_text(long)
    expect(lab.locator(".lab .viewer")).to_have_attribute("data-sentence", long)


@pytest.mark.thorough
def test_a_late_reading_of_german_moves_nobody(lab):
    lab.locator(".lab .panels").get_by_role("button", name="Your German").click()
    held: list[Route] = []
    lab.route("**/ask", lambda route: held.append(route))
    lab.locator(".score input").fill("Ein Mann.")
    with lab.expect_request("**/ask"):
        lab.locator(".score input").press("Enter")
    lab.locator(".lab .panels").get_by_role("button", name="Another token").click()
    lab.evaluate("performance.clearResourceTimings()")
    held[0].continue_()
    lab.wait_for_function(ANSWERED)
    at_rest(lab)
    assert len(held) == 1  # no experiment is run
    expect(lab.locator(".lab")).to_have_attribute("data-panel", "fork")
    expect(lab.locator("[data-lab=said]")).to_contain_text("Nothing is changed")


@pytest.fixture
def panel(shared_page: Page) -> Page:
    """The panel Another sentence, without the experiment that it remembers."""
    begin_again(shared_page)
    follow(shared_page, f"?sentence={SENTENCE.replace(' ', '+')}&tab=lab&lab.station=compare")
    expect(shared_page.locator(".compare textarea")).to_have_value(SENTENCE)
    return shared_page


def partners(first: Sequence[int], second: Sequence[int]) -> list[int | None]:
    """The index in the first list of each element of the second: common ones, and those replaced one by one."""
    found: list[int | None] = [None] * len(second)
    for name, start, end, other, last in SequenceMatcher(a=first, b=second, autojunk=False).get_opcodes():
        if name == "equal" or (name == "replace" and end - start == last - other):
            found[other:last] = range(start, end)
    return found


def step_partners(first: Trace, second: Trace) -> list[int | None]:
    return partners(*([step.predicted.id for step in trace.steps] for trace in (first, second)))


def subtracted(first: Trace, second: Trace) -> np.ndarray:
    """Second minus first where both have a row and a column, from the pairs one by one."""
    columns = partners(*([piece.id for piece in trace.source] for trace in (first, second)))
    before, after = first.cross.matrix(3, "mean"), second.cross.matrix(3, "mean")
    found = np.full(after.shape, np.nan)
    for row, query in enumerate(step_partners(first, second)):
        for column, key in enumerate(columns):
            if query is not None and key is not None:
                found[row, column] = after[row, column] - before[query, key]
    return found


def test_two_sentences_stand_beside_each_other_and_a_link_brings_them_back(panel, shipped: Translator):
    first, second = record(shipped, SENTENCE), run(shipped, SENTENCE, Experiment(source=OTHER))
    box = panel.locator(".compare textarea")
    box.fill(OTHER)
    box.press("Enter")
    expect_run(panel, second)
    aligned = panel.get_by_role("list", name="Both sentences, token by token")
    assert aligned.locator("del").all_inner_texts() == ["·man"]
    assert aligned.locator("ins").all_inner_texts() == ["·woman", "·not"]
    view = panel.locator("#lab .viewer")
    for pane, name, trace in (("first", "First", first), ("second", "Second", second)):
        expect(view.locator(f"[data-pane={pane}] h3")).to_have_text(f"{name} · layer 4 · mean of heads")
        expect_weights(view, trace.cross.matrix(3, "mean"), pane)
        assert labels_under_buttons(view.locator(f"[data-pane={pane}]")) == []
    view.get_by_role("button", name="Difference").click()
    expect(view.locator("[data-pane=second]")).to_be_hidden()
    expect_weights(view, subtracted(first, second), atol=2e-3)
    alone = step_partners(first, second).index(None)
    view.locator("[data-role=slider]").fill(str(alone + 1))
    expect(view.locator("[data-pane=first] .readout")).to_contain_text("has no partner")
    view.get_by_role("button", name="Table").click()
    row = view.locator("[data-pane=first] tbody tr").nth(alone)
    assert {*row.locator("td").all_inner_texts()} == {"no partner"}
    expect(panel).to_have_url(re.compile(r"lab\.look=table&lab\.compared=difference"))
    link = panel.url
    panel.goto("about:blank")
    panel.goto(link)
    expect_run(panel, second)
    expect(panel.locator(".compare textarea")).to_have_value(OTHER)
    expect(view.locator("[data-pane=first] table caption")).to_contain_text("Second − First")


@pytest.mark.thorough
def test_the_words_in_another_order_and_what_is_refused_loses_nothing(panel, shipped: Translator):
    panel.get_by_role("button", name="Another order").click()
    second = run(shipped, SENTENCE, Experiment(word_order=1))
    expect_run(panel, second)
    assert panel.locator(".aligned b").all_inner_texts() == [named(piece.text) for piece in second.source]
    panel.locator(".compare textarea").fill("x" * 600)
    panel.get_by_role("button", name="Compare").click()
    expect(panel.locator(".lab > .message")).to_contain_text("600 characters")
    expect(panel.locator(".compare textarea")).to_have_value("x" * 600)
    expect_run(panel, second)
