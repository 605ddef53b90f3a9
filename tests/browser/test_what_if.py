"""The tab What if in a real browser: what is changed is what the model then does, in all panels but Heads off."""

import re

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, Route, expect
from sacrebleu import sentence_bleu, sentence_chrf
from visiting import all_panels, begin_again, drawn, needs_browser, next_frames, open_tab, translate

from explorer.experiments.differences import pair_pieces
from explorer.experiments.experiment import CellAt, Experiment, Patch
from explorer.experiments.omission import omission
from explorer.experiments.patching import cell_places, parting, runs
from explorer.experiments.running import run
from explorer.experiments.searching import beam_json, samples_json
from explorer.recording.contributions import contributions
from explorer.recording.forward_pass import record_pass
from explorer.recording.sentence import examples
from explorer.recording.trace import Trace, record
from explorer.tabs.what_if.patch.panel import PARTNERS
from model.decoding import Translator
from model.sampling import Sampling

pytestmark = needs_browser
ANSWERED = 'performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/ask"))'  # to the last byte
SENTENCE = examples()[0]["sentence"]
OTHER = "A woman in a blue shirt is not standing on a ladder cleaning a window."


def text_of(trace: Trace) -> str:
    return " ".join(trace.translation.split())


def changed_text(page: Page) -> str:
    """The changed German as it stands there, its end left out."""
    return " ".join((page.locator("[data-lab=changed]").text_content() or "").replace("</s>", "").split())


@pytest.fixture
def lab(shared_page: Page) -> Page:
    begin_again(shared_page)
    open_tab(shared_page, "What if")
    expect(shared_page.locator(".lab")).to_have_attribute("data-runs", re.compile(r"\d"))
    return shared_page


def test_another_candidate_makes_a_branch_and_a_link_brings_it_back(lab, shipped: Translator):
    original = record(shipped, SENTENCE)
    step = 6
    lab.locator(".fork .pieces button").nth(step).click()
    lab.locator(".fork .chips button").nth(1).click()
    ids = [found.predicted.id for found in original.steps[:step]]
    beginning = (*ids, original.steps[step].candidates[1].piece.id)
    forked = run(shipped, SENTENCE, Experiment(beginning=beginning))
    expect(lab.locator("[data-lab=said]")).to_contain_text("The German changes")
    assert changed_text(lab) == text_of(forked)
    expect(lab.locator("[data-lab=changed-total]")).to_contain_text(f"{forked.log_probability:.2f}".replace("-", "−"))
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
    assert changed_text(lab) == text_of(forked)
    weights = drawn(lab.locator(".lab"), "second").weights
    assert abs(weights - forked.cross.matrix(3, "mean")).max() < 1e-3


def test_a_candidate_of_explore_and_of_predictions_leads_into_the_lab(shared_page):
    page = begin_again(shared_page)
    for tab, candidates in (("Explore", "#viewer .candidates"), ("Predictions", ".predictions .candidates")):
        open_tab(page, tab)
        candidate = page.locator(f"{candidates} button").nth(2)
        piece = candidate.locator("span").first.inner_text().lstrip("·")
        candidate.click()
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
            found.predicted.text,
            f"{found.probability:.3f}",
            f"{found.log_probability:.2f}".replace("-", "−"),
            f"{found.rank + 1}",
        ]
    expect(rows.last).to_contain_text(f"{scored.log_probability:.2f}".replace("-", "−"))
    check_scores_against(lab, text_of(record(shipped, SENTENCE)), german)


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


def test_a_link_brings_branches_back_where_the_greedy_one_is_chosen(lab, shipped_page, shipped: Translator):
    first = record(shipped, "Why?").steps[0].candidates
    known, other = first[0].piece.id, first[1].piece.id
    lab.goto(f"{shipped_page}?sentence=Why%3F&tab=lab&lab.fork-branches={known},{other}")
    branches = lab.locator(".fork .tree li li")
    expect(branches).to_have_count(1)  # what greedy decoding has, too, is no branch
    expect(branches).to_contain_text("step 1")


def test_after_a_refusal_another_sentence_is_shown_all_the_same(lab):
    lab.goto(f"{lab.url.split('?')[0]}?sentence=Why%3F&tab=lab&lab.station=positions&lab.encoder=shifted&lab.shift=505")
    long = "The old man who had been sitting on the bench in the park finally stood up."
    expect(lab.locator("[data-lab=source]")).to_contain_text("Why?")
    open_tab(lab, "Explore")
    translate(lab, long)
    expect(lab.locator("#viewer .viewer")).to_have_attribute("data-sentence", long)
    open_tab(lab, "What if")
    expect(lab.locator(".lab > .message")).to_contain_text("cannot be shifted by 505")
    expect(lab.locator("[data-lab=source]")).to_have_text(long)
    expect(lab.locator(".lab .viewer")).to_have_attribute("data-sentence", long)


def test_a_late_reading_of_german_moves_nobody(lab):
    lab.locator(".lab .panels").get_by_role("button", name="Your German").click()
    held: list[Route] = []
    lab.route("**/ask", lambda route: held.append(route))
    lab.locator(".score input").fill("Ein Mann.")
    with lab.expect_request("**/ask"):
        lab.locator(".score input").press("Enter")
    lab.locator(".lab .panels").get_by_role("button", name="Another piece").click()
    lab.evaluate("performance.clearResourceTimings()")
    held[0].continue_()
    lab.wait_for_function(ANSWERED)
    next_frames(lab)
    assert len(held) == 1  # no experiment is run
    expect(lab.locator(".lab")).to_have_attribute("data-panel", "fork")
    expect(lab.locator("[data-lab=said]")).to_contain_text("Nothing is changed")


@pytest.fixture
def compare(page: Page) -> Page:
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


def test_two_sentences_stand_beside_each_other_and_a_link_brings_them_back(compare, shipped: Translator):
    first, second = record(shipped, SENTENCE), run(shipped, SENTENCE, Experiment(source=OTHER))
    box = compare.locator(".compare textarea")
    expect(box).to_have_value(SENTENCE)
    box.fill(OTHER)
    box.press("Enter")
    compared(compare, second)
    aligned = compare.get_by_role("list", name="Both sentences, piece by piece")
    assert aligned.locator("del").all_inner_texts() == ["·man"]
    assert aligned.locator("ins").all_inner_texts() == ["·woman", "·not"]
    view = compare.locator("#lab .viewer")
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
    expect(compare).to_have_url(re.compile(r"lab\.look=table&lab\.compared=difference"))
    link = compare.url
    compare.goto("about:blank")
    compare.goto(link)
    compared(compare, second)
    expect(compare.locator(".compare textarea")).to_have_value(OTHER)
    expect(view.locator("[data-pane=first] table caption")).to_contain_text("Second − First")


def test_the_words_in_another_order_and_what_is_refused_loses_nothing(compare, shipped: Translator):
    compare.get_by_role("button", name="Another order").click()
    second = run(shipped, SENTENCE, Experiment(word_order=1))
    compared(compare, second)
    assert compare.locator(".aligned b").all_inner_texts() == [piece.text for piece in second.source]
    compare.locator(".compare textarea").fill("x" * 600)
    compare.get_by_role("button", name="Compare").click()
    expect(compare.locator(".lab > .message")).to_contain_text("600 characters")
    expect(compare.locator(".compare textarea")).to_have_value("x" * 600)
    compared(compare, second)


def minus(number: float, digits: int) -> str:
    return f"{number:.{digits}f}".replace("-", "−")


@pytest.fixture
def search(lab: Page) -> Page:
    all_panels(lab).get_by_text("Beam and sampling").click()
    expect(lab.locator(".search .nodes button").first).to_be_visible()
    return lab


def test_the_tree_is_that_of_the_search_and_a_hypothesis_shows_its_attention(search, shipped: Translator):
    search.locator(".search .widths").get_by_role("button", name="4", exact=True).click()
    tree = beam_json(shipped, SENTENCE, 4)
    nodes = search.locator(".search .nodes button")
    kept, best = nodes.locator("xpath=self::*[not(contains(@class,'pruned') or contains(@class,'lost'))]"), tree["best"]
    expect(kept).to_have_count(sum(len(level["kept"]) for level in tree["levels"]))
    for place, hypothesis in enumerate(tree["levels"][2]["kept"]):
        node = kept.nth(8 + place)
        expect(node).to_contain_text(hypothesis["text"].removeprefix("·"))
        expect(node).to_contain_text(minus(hypothesis["score"], 2))
        told = f"{minus(hypothesis['total'], 2)} / 3 = {minus(hypothesis['score'], 3)}"
        expect(node).to_have_attribute("title", re.compile(re.escape(told)))
    # From the best leaf the arrows lead along the lines; Enter chooses.
    last = search.locator(".search .nodes button[tabindex='0']")
    last.focus()
    search.keyboard.press("ArrowDown")
    second = tree["finals"][1]
    search.keyboard.press("Enter")
    expect(search.locator("[data-lab=changed]")).to_have_text(re.compile(re.escape(second["translation"][-12:])))
    expect(search.locator("[data-lab=changed-total]")).to_contain_text("log-probability")
    expect(search.locator(".search [data-search=finals] button").nth(1)).to_have_attribute("aria-pressed", "true")
    assert best["translation"] != second["translation"]


def test_another_beam_and_a_choice_are_kept_in_the_link(search, shipped: Translator):
    search.locator(".search .widths").get_by_role("button", name="2", exact=True).click()
    expect(search.locator(".search [data-search=finals] tbody tr")).to_have_count(2)
    second = search.locator(".search [data-search=finals] button").nth(1)
    ids = re.sub(",", "[^&]{1,3}", second.get_attribute("value") or "")
    second.click()
    expect(search).to_have_url(re.compile(r"lab\.search-width=2"))
    expect(search).to_have_url(re.compile(rf"lab\.begin={ids}"))
    link = search.url
    search.goto("about:blank")
    search.goto(link)
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(search.locator("[data-lab=said]")).to_contain_text("The German changes")


def test_samples_are_those_of_their_seeds(search, shipped: Translator):
    search.locator(".search .modes").get_by_role("button", name="Sampling").click()
    for field, value in (("temperature", "0.9"), ("top_k", "20"), ("seed", "3")):
        search.locator(f".search [data-search={field}]").fill(value)
        search.keyboard.press("Tab")
    samples = samples_json(shipped, record(shipped, SENTENCE), Sampling(0.9, 20), 3, 5)["samples"]
    rows = search.locator(".search .samples > div")
    expect(rows.nth(1)).to_contain_text(f"seed 3 · log-probability {minus(samples[0]['total'], 2)}")
    assert [" ".join(text.split()) for text in rows.locator("button").all_inner_texts()] == [
        " ".join(sample["translation"].split()) for sample in samples
    ]
    search.locator(".search [data-search=again]").click()
    expect(rows.nth(1)).to_contain_text("seed 8 ·")
    expect(search).to_have_url(re.compile(r"lab\.search-seed=8"))
    search.locator(".search [data-search=top_p]").fill("7")
    search.keyboard.press("Tab")
    expect(search.locator(".search [data-search=refused]")).to_contain_text("Top-p is a number")


OWN = "The dog is tired because it has run all day."
TAKEN = PARTNERS[OWN]


@pytest.fixture
def patch(shared_page: Page) -> Page:
    begin_again(shared_page, OWN, **{"tab": "lab", "lab.station": "patch"})
    expect(shared_page.locator(".patch .heat")).to_be_visible()
    return shared_page


def numbers(table: Locator) -> np.ndarray:
    cells = table.locator("tbody tr").evaluate_all(
        "(rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent))"
    )
    return np.array([[float(cell.replace("−", "-")) for cell in row] for row in cells])


def changed_german(page: Page) -> Locator:
    return page.locator("[data-lab=changed]")


def test_a_patch_is_chosen_from_the_sweep_and_a_link_brings_it_back(patch, shipped: Translator):
    found = parting(shipped, record(shipped, TAKEN), record(shipped, OWN))
    both = runs(found)
    shares = both.share(both.patched(cell_places(found, "encoder")))
    assert shares is not None
    expect(patch.locator(".patch progress")).to_be_hidden()
    np.testing.assert_allclose(numbers(patch.locator(".patch .heat")), shares.reshape(5, -1), rtol=0, atol=0.0051)
    row = patch.locator(".patch .heat tbody tr").nth(4)
    row.locator("td button").first.click()
    patched = run(shipped, OWN, Experiment(patch=Patch(TAKEN, cells=(CellAt("encoder", 3, 0),))))
    assert patched.translation != record(shipped, OWN).translation
    expect(changed_german(patch)).to_have_text(
        re.compile(r"\s*".join(step.predicted.text.lstrip("·") for step in patched.steps))
    )
    row.locator("th button").click()
    expect(patch.locator("[data-patch=follows]")).to_contain_text(record(shipped, TAKEN).translation)
    expect(patch).not_to_have_url(re.compile(r"lab\.cells=encoder\.4\.1(&|$)"))  # that of the one cell before
    patch.goto(patch.url)
    expect(patch.locator("[data-patch=follows]")).to_contain_text(record(shipped, TAKEN).translation)
    expect(patch.locator(".patch .heat td button[aria-pressed=true]")).to_have_count(len(found.put_into))


def test_a_sentence_that_cannot_be_compared_is_refused_and_stays_in_its_box(patch):
    box = patch.locator(".patch input")
    for text, said in ((OWN, "same German"), ("x" * 390, "pieces")):
        box.fill(text)
        box.press("Enter")
        expect(patch.locator("[data-patch=message]")).to_contain_text(said)
        expect(box).to_have_value(text)
    box.fill(TAKEN)
    box.press("Enter")
    expect(patch.locator("[data-patch=message]")).to_be_empty()
    expect(patch.locator(".patch .heat")).to_be_visible()


def test_hiding_a_piece_is_one_column_of_the_matrix(patch, shipped: Translator):
    patch.locator(".lab .panels").get_by_role("button", name="Hide a piece").click()
    tables = patch.locator(".hide .heat")
    expect(tables).to_have_count(2)
    trace = record(shipped, OWN)
    effect = omission(shipped, trace, range(len(trace.source)))
    np.testing.assert_allclose(numbers(tables.first), effect, rtol=0, atol=0.051)
    np.testing.assert_allclose(numbers(tables.last), trace.cross.matrix(3, "mean"), rtol=0, atol=0.0051)
    patch.locator(".hide .pieces button").nth(1).click()
    without = run(shipped, OWN, Experiment(hidden=(1,)))
    expect(patch.locator("[data-hide=without]")).to_have_text(f"Without “dog”: {without.translation}")
    steps = patch.locator(".hide .steps button")
    steps.nth(1).click()  # a piece that only the unchanged German has
    expect(steps.nth(1)).to_have_attribute("aria-pressed", "true")
    shares = 100 * contributions(record_pass(shipped, trace)).source[1]
    shown = patch.locator("[data-hide=contributed] small").all_text_contents()
    np.testing.assert_allclose([int(text.rstrip("%")) for text in shown], shares, atol=0.51)
    lost = [float(text.replace("−", "-")) for text in patch.locator("[data-hide=lost] small").all_text_contents()]
    np.testing.assert_allclose(lost, effect[1], atol=0.051)
    percent = round(shares.sum())
    said = f"comes from the English: {percent}%. From the German already written: {100 - percent}%."
    expect(patch.locator("[data-hide=share]")).to_contain_text(said)
    steps.first.click()
    expect(patch.locator("[data-hide=share]")).to_contain_text("No German is written yet")
    steps.last.click()
    expect(patch.locator(".lab .viewer")).to_have_attribute("data-step", str(len(without.steps)))
    patch.locator("[data-hide=head]").select_option(label="3")
    expect(tables.last).to_have_attribute("aria-label", re.compile("head: 3"))
    np.testing.assert_allclose(numbers(tables.last), trace.cross.matrix(3, 2), rtol=0, atol=0.0051)
