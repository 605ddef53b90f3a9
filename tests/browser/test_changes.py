"""What is changed in a run, in a real browser: at words, candidates and heads, in the drawer, by a link; and every view
shows the run that the switch names."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from urllib.parse import quote

import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect
from sacrebleu import sentence_bleu, sentence_chrf
from visiting import (
    at_rest,
    begin_again,
    chips,
    choose_panel,
    eventually,
    expect_german,
    expect_weights,
    follow,
    go_to,
    labels_under_buttons,
    named,
    needs_browser,
    open_panel,
    open_tab,
    option,
    translate,
)

from explorer.experiments.experiment import Experiment, HeadAt, NeuronAt
from explorer.experiments.running import run
from explorer.recording.sentence import examples
from explorer.recording.trace import Trace, record
from model.decoding import Translator

pytestmark = needs_browser
ANSWERED = 'performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/ask"))'  # to the last byte
SENTENCE = examples()[0]["sentence"]
OTHER = "A woman in a blue shirt is not standing on a ladder cleaning a window."
LAST_LAYER = tuple(HeadAt("cross", 3, head) for head in range(8))


@pytest.fixture
def view(shared_page: Page) -> Page:
    return begin_again(shared_page)


def told(trace: Trace) -> str:
    return f"{trace.log_probability:.2f}".replace("-", "−")


def expect_run(page: Page, trace: Trace) -> None:
    """The run that is shown is that of a trace, and the line below the chips tells of it."""
    expect_german(page, trace.translation)
    expect(page.locator("#bar .told")).to_contain_text(f"log-probability: changed {told(trace)}")


def test_a_word_is_hidden_where_it_stands_and_the_switch_shows_either_run_in_every_view(view, shipped: Translator):
    unchanged, hidden = record(shipped, SENTENCE), run(shipped, SENTENCE, Experiment(hidden=(11,)))
    assert hidden.translation != unchanged.translation
    view.locator("[data-role=source] .piece").nth(11).hover()
    view.get_by_role("button", name="Hide “cleaning”").click()
    expect(chips(view)).to_have_text(["Hidden: “cleaning”"])
    expect_run(view, hidden)
    expect(view.locator("[data-role=source] .gone")).to_have_text(["·cleaning8061"])
    expect(view.locator("[data-role=targetSideOther]")).to_have_text("unchanged")
    expect_weights(view, hidden.cross.matrix(3, "mean"))
    view.locator("#bar").get_by_role("button", name="unchanged").click()
    expect_german(view, unchanged.translation)
    expect_weights(view, unchanged.cross.matrix(3, "mean"))
    open_tab(view, "Whole model")
    expect(view.locator(".whole .status")).to_have_text(re.compile(f"of {len(unchanged.steps)}$"))
    view.locator("#bar").get_by_role("button", name="changed", exact=True).click()
    expect(view.locator(".whole .status")).to_have_text(re.compile(f"of {len(hidden.steps)}$"))
    chips(view).click()
    expect(chips(view)).to_have_count(0)
    expect(view.locator(".whole .status")).to_have_text(re.compile(f"of {len(unchanged.steps)}$"))


def test_a_candidate_goes_on_where_it_is_clicked_and_is_seen_in_the_whole_model(view, shipped: Translator):
    unchanged, step = record(shipped, SENTENCE), 6
    go_to(view, step)
    view.locator("#viewer .candidates button").nth(1).click()
    beginning = (
        *(one.predicted.id for one in unchanged.steps[:step]),
        unchanged.steps[step].candidates[1].piece.id,
    )
    forced = run(shipped, SENTENCE, Experiment(beginning=beginning))
    expect_run(view, forced)
    piece = unchanged.steps[step].candidates[1].piece.text.lstrip("·")
    expect(chips(view)).to_have_text([f"Written: “{piece}”"])
    expect(view.locator("#viewer .viewer")).to_have_attribute("data-step", str(step + 1))
    open_tab(view, "Whole model")
    expect(view.locator(".whole [data-role=caption]")).to_contain_text(f"“{piece}”")
    expect(view).to_have_url(re.compile(r"change=begin\."))
    link = view.url
    view.goto("about:blank")
    view.goto(link)
    expect(view.locator(".whole .status")).to_have_text(f"{step + 1} of {len(forced.steps)}")


def test_changes_combine_and_each_is_taken_back_alone(view, shipped: Translator):
    open_tab(view, "Heads")
    view.locator("#viewer .switch").click()  # of the last layer, as the view opens
    expect(view.locator("#viewer .switch")).to_have_text("Off: switch its heads on")
    panel = open_panel(view, "hide")
    panel.get_by_title("Hide “cleaning”").click()
    positions = open_panel(view, "positions")
    positions.locator("[data-positions=decoder] [value=off]").click()
    all_three = Experiment(off=LAST_LAYER, hidden=(11,), decoder_positions="off")
    expect_run(view, run(shipped, SENTENCE, all_three))
    expect(chips(view)).to_have_text(
        ["Off: cross-attention, layer 4", "Hidden: “cleaning”", "Off: positions in the decoder"]
    )
    chips(view).nth(1).click()
    expect_run(view, run(shipped, SENTENCE, Experiment(off=LAST_LAYER, decoder_positions="off")))
    expect(view).to_have_url(re.compile(r"change=off\.cross\.4\.1.*_decoder\.off&"))
    translate(view, OTHER)  # another sentence keeps what is no token
    expect_run(view, run(shipped, OTHER, Experiment(off=LAST_LAYER, decoder_positions="off")))
    view.get_by_role("button", name="Undo all").click()
    expect_german(view, record(shipped, OTHER).translation)
    expect(view).not_to_have_url(re.compile("change="))


@pytest.mark.thorough
def test_a_link_holds_neurons_in_every_view_and_each_is_let_go_alone(view, shipped: Translator):
    car, polite, other = "Do you have a car?", NeuronAt("decoder", 3, 541, 6.0), NeuronAt("encoder", 0, 80, 0.0, 3)
    follow(view, f"?sentence={quote(car)}&change=neuron.encoder.1.81.0.at4,decoder.4.542.6")
    expect(chips(view)).to_have_text(
        ["Off at “a”: neuron 81 of encoder layer 1", "Neuron 542 of decoder layer 4 held at 6"]
    )
    both = run(shipped, car, Experiment(neurons=(polite, other)))
    assert both.translation == "Haben Sie ein Auto?"
    expect_run(view, both)
    expect_weights(view, both.cross.matrix(3, "mean"))
    chips(view).first.click()
    expect(view).to_have_url(re.compile(r"change=neuron\.decoder\.4\.542\.6(&|$)"))
    expect_run(view, run(shipped, car, Experiment(neurons=(polite,))))
    translate(view, "I saw you yesterday.")  # a neuron that is held everywhere stays
    expect_run(view, run(shipped, "I saw you yesterday.", Experiment(neurons=(polite,))))
    chips(view).click()
    expect(chips(view)).to_have_count(0)
    expect_german(view, record(shipped, "I saw you yesterday.").translation)


def test_the_picture_shows_the_last_layer_that_is_on_and_a_step_stays_with_its_partner(view, shipped: Translator):
    off = run(shipped, SENTENCE, Experiment(off=LAST_LAYER))
    follow(view, f"?sentence={quote(SENTENCE)}&level=picture&step=3")
    open_panel(view, "heads").get_by_role("button", name="L4: all heads").click()
    expect_run(view, off)
    at_rest(view)
    figure = view.locator("[data-pane=first] .heatmap")
    rows = off.cross.matrix(2, "mean")
    z = figure.evaluate("({ data }) => Array.from(data[0].z[0]).slice(0, 2)")
    np.testing.assert_allclose(z, rows[0, :2], atol=0.0005)  # single tokens are words here
    expect(view.locator("#viewer .viewer")).to_have_attribute("data-step", "3")


def test_a_german_of_ones_own_is_scored_and_what_has_no_pieces_is_refused(view, shipped: Translator):
    german = "Ein Mann putzt ein Fenster."
    panel = open_panel(view, "score")
    box = panel.locator("input")
    box.fill("Ein 犬")
    box.press("Enter")
    expect(view.locator("#drawer [data-drawer=message]")).to_contain_text("犬")
    expect(box).to_have_value("Ein 犬")
    box.fill(german)
    box.press("Enter")
    ids = (*shipped.tokenizer.encode(german), shipped.tokenizer.eos_id)
    scored = run(shipped, SENTENCE, Experiment(beginning=ids))
    rows = panel.locator("[data-score=rows] tr")
    expect(rows).to_have_count(len(ids) + 1)
    expect(chips(view)).to_have_text(["Your German"])
    for row, found in zip(rows.all(), scored.steps, strict=False):
        cells = row.locator("td").all_inner_texts()
        assert cells[1:5] == [
            named(found.predicted.text),
            f"{found.probability:.3f}",
            f"{found.log_probability:.2f}".replace("-", "−"),
            f"{found.rank + 1}",
        ]
    expect(rows.last).to_contain_text(told(scored))
    check_scores_against(view, record(shipped, SENTENCE).translation, german)


def check_scores_against(page: Page, hypothesis: str, reference: str) -> None:
    """The model's translation is the hypothesis; what both have is marked, and a link brings the marks back."""
    scores = sentence_bleu(hypothesis, [reference]), sentence_chrf(hypothesis, [reference])
    summaries = page.locator(".score summary").all()
    for summary, score in zip(summaries, scores, strict=True):
        expect(summary).to_contain_text(f" {score.score:.2f},")
        summary.click()
    page.locator("[data-score=bleu-orders] button").nth(3).click()
    marked = ["putzt ein Fenster ."]
    expect(page.locator("[data-score=reference] mark")).to_have_text(marked)
    expect(page).to_have_url(re.compile("score-marks=w4"))
    page.goto(page.url)
    expect(page.locator("[data-score=hypothesis] mark")).to_have_text(marked)
    expect(page.locator("[data-score=bleu-steps]")).to_be_visible()


def test_branches_are_a_tree_that_a_link_brings_back(view, shipped: Translator):
    first = record(shipped, "Why?").steps[0].candidates
    known, other = first[0].piece.id, first[1].piece.id
    follow(view, f"?sentence=Why%3F&level=heads&drawer.panel=branches&drawer.branches-branches={known},{other}")
    branches = view.locator(".branches .tree li li")
    expect(branches).to_have_count(1)  # what greedy decoding has, too, is no branch
    expect(branches).to_contain_text("step 1")
    branches.get_by_role("button").first.click()
    expect_run(view, run(shipped, "Why?", Experiment(beginning=(other,))))
    view.locator(".branches .tree").get_by_role("button", name="greedy").click()
    expect(chips(view)).to_have_count(0)
    expect(branches).to_have_count(1)
    follow(view, f"?sentence=Why%3F&level=heads&drawer.panel=heads&change=begin.{other}")
    follow(view, f"?sentence=Why%3F&level=heads&drawer.panel=branches&change=begin.{other}")
    expect(branches.locator("[aria-pressed=true]")).to_have_count(1)


@pytest.mark.thorough
def test_what_is_measured_stays_when_the_drawer_is_put_away(view):
    panel = open_panel(view, "score")
    view.locator("[data-drawer=close]").click()
    expect(view.locator("#drawer .narrow")).to_be_hidden()
    expect(panel).to_be_visible()
    view.locator("[data-change=open]").click()
    expect(view.locator("#drawer .narrow")).to_be_visible()
    view.locator("[data-drawer=close]").click()
    view.locator("[data-drawer=end]").click()
    expect(panel).to_be_hidden()
    expect(view).not_to_have_url(re.compile("drawer"))


def test_what_is_undone_leads_back_to_the_step_of_before(view):
    viewer = view.locator("#viewer .viewer")
    follow(view, f"?sentence={quote(SENTENCE)}&level=heads&step=12")
    panel = open_panel(view, "hide")
    panel.get_by_title("Hide “cleaning”").click()
    expect(chips(view)).to_have_count(1)
    expect(viewer).not_to_have_attribute("data-step", "12")  # which has no partner
    view.locator("[data-change=undo]").click()
    expect(viewer).to_have_attribute("data-step", "12")


def test_the_button_at_a_hidden_word_shows_it_again_in_either_run(view):
    word = view.locator("#viewer [data-role=source] .piece", has_text="cleaning")
    word.click()
    hide = view.locator("#viewer [data-role=hideToken]")
    expect(hide).to_have_text("×")
    hide.click()
    expect(chips(view)).to_have_count(1)
    view.locator("[data-change=runs] button[value=unchanged]").click()
    word.hover()
    expect(hide).to_have_text("+")
    hide.click()
    expect(chips(view)).to_have_count(0)


@pytest.mark.thorough
def test_a_link_opens_the_place_that_was_shown_also_of_another_sentence(view):
    place = "step=9&kind=decoder&layer=2&head=3&pin=query.5&cell=5.2"
    off = "change=off." + "%2C".join(f"cross.4.{head}" for head in range(1, 9))
    view.goto(f"{view.url.split('?')[0]}?sentence={quote(OTHER)}&level=heads&{off}&{place}&drawer.panel=heads")
    viewer = view.locator("#viewer .viewer")
    expect(viewer).to_have_attribute("data-two", "")
    for name, value in (("sentence", OTHER), ("step", "9"), ("kind", "decoder")):
        expect(viewer).to_have_attribute(f"data-{name}", value)

    def check() -> None:
        assert {*place.split("&"), off} <= {*view.url.split("?")[1].split("&")}

    eventually(view, check)


def test_a_change_that_cannot_be_is_named_and_changes_nothing(view, shipped: Translator):
    view.goto(f"{view.url.split('?')[0]}?sentence=Why%3F&level=heads&change=off.cross.9.1")
    expect(view.locator("#toolbar [data-tool=notice]")).to_contain_text("change")
    expect(chips(view)).to_have_count(0)
    expect_german(view, record(shipped, "Why?").translation)


def test_after_a_refusal_another_sentence_is_shown_all_the_same(view, shipped: Translator):
    view.goto(f"{view.url.split('?')[0]}?sentence=Why%3F&level=heads&change=encoder.shifted_shift.505")
    expect(chips(view)).to_have_text(["Shifted: positions in the encoder"])
    long = "The old man who had been sitting on the bench in the park finally stood up."
    translate(view, long)
    expect(view.locator("#viewer > .viewer > .message, #viewer .message").first).to_contain_text(
        "cannot be shifted by 505"
    )
    expect(chips(view)).to_have_count(0)
    expect_german(view, record(shipped, long).translation)


@pytest.mark.thorough
def test_a_late_reading_of_german_moves_nobody(view):
    box = open_panel(view, "score").locator("input")
    held: list[Route] = []
    view.route("**/ask", lambda route: held.append(route))
    box.fill("Ein Mann.")
    with view.expect_request("**/ask"):
        box.press("Enter")
    choose_panel(view, "fork")
    view.evaluate("performance.clearResourceTimings()")
    held[0].continue_()
    view.wait_for_function(ANSWERED)
    at_rest(view)
    assert len(held) == 1  # nothing is run
    expect(chips(view)).to_have_count(0)


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


def test_two_sentences_stand_beside_each_other_and_a_link_brings_them_back(view, shipped: Translator):
    first, second = record(shipped, SENTENCE), run(shipped, SENTENCE, Experiment(source=OTHER))
    panel = open_panel(view, "compare")
    box = panel.locator("textarea")
    expect(box).to_have_value(SENTENCE)
    box.fill(OTHER)
    box.press("Enter")
    expect_run(view, second)
    aligned = view.get_by_role("list", name="Both sentences, token by token")
    assert aligned.locator("del").all_inner_texts() == ["·man"]
    assert aligned.locator("ins").all_inner_texts() == ["·woman", "·not"]
    viewer = view.locator("#viewer .viewer")
    viewer.get_by_role("button", name="Side by side").click()
    option(view, "whole").check()
    for pane, name, trace in (("first", "unchanged", first), ("second", "changed", second)):
        expect(viewer.locator(f"[data-pane={pane}] h3")).to_have_text(f"{name} · layer 4 · mean of heads")
        expect_weights(viewer, trace.cross.matrix(3, "mean"), pane)
        assert labels_under_buttons(viewer.locator(f"[data-pane={pane}]")) == []
    viewer.get_by_role("button", name="Difference").click()
    expect(viewer.locator("[data-pane=second]")).to_be_hidden()
    expect_weights(viewer, subtracted(first, second), atol=2e-3)
    alone = step_partners(first, second).index(None)
    viewer.locator("[data-role=slider]").fill(str(alone + 1))
    expect(viewer.locator("[data-pane=first] .readout")).to_contain_text("has no partner")
    viewer.get_by_role("button", name="Table").click()
    row = viewer.locator("[data-pane=first] tbody tr").nth(alone)
    assert {*row.locator("td").all_inner_texts()} == {"no partner"}
    expect(view).to_have_url(re.compile(r"look=table.*compared=difference"))
    link = view.url
    view.goto("about:blank")
    view.goto(link)
    expect_run(view, second)
    expect(view.locator(".compare textarea")).to_have_value(OTHER)
    expect(viewer.locator("[data-pane=first] table caption")).to_contain_text("changed − unchanged")
    view.locator("#bar").get_by_role("button", name="unchanged").click()  # which is one run
    expect(viewer.get_by_role("button", name="One run")).to_have_attribute("aria-pressed", "true")


@pytest.mark.thorough
def test_the_words_in_another_order_and_what_is_refused_loses_nothing(view, shipped: Translator):
    open_panel(view, "order").get_by_role("button", name="Shuffle again").click()
    second = run(shipped, SENTENCE, Experiment(word_order=1))
    expect_run(view, second)
    panel = open_panel(view, "compare")
    assert panel.locator(".aligned b").all_inner_texts() == [named(piece.text) for piece in second.source]
    panel.locator("textarea").fill("x" * 600)
    panel.get_by_role("button", name="Compare").click()
    expect(view.locator("#viewer .message").first).to_contain_text("600 characters")
    expect(panel.locator("textarea")).to_have_value("x" * 600)
    expect_run(view, second)
