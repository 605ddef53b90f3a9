"""Beam and sampling in a real browser: the tree and the samples are the model's, and a choice shows their attention; so
does the better translation that Explore offers on request."""

import re

import pytest
from playwright.sync_api import Page, expect
from visiting import all_panels, begin_again, needs_browser, open_tab

from explorer.experiments.searching import beam_json, samples_json
from explorer.recording.sentence import examples
from explorer.recording.trace import record
from model.decoding import Translator
from model.sampling import Sampling

pytestmark = needs_browser
SENTENCE = examples()[0]["sentence"]


def minus(number: float, digits: int) -> str:
    return f"{number:.{digits}f}".replace("-", "−")


BETTER_BY_BEAM = "We waited until the rain stopped."


@pytest.fixture
def panel(shared_page: Page) -> Page:
    page = shared_page
    open_tab(page, "What if")
    all_panels(page).get_by_text("Beam and sampling").click()
    expect(page.locator(".search .nodes button").first).to_be_visible()
    return page


def test_the_tree_is_that_of_the_search_and_a_hypothesis_shows_its_attention(panel, shipped: Translator):
    panel.locator(".search .widths").get_by_role("button", name="4", exact=True).click()
    tree = beam_json(shipped, SENTENCE, 4)
    nodes = panel.locator(".search .nodes button")
    kept, best = nodes.locator("xpath=self::*[not(contains(@class,'pruned') or contains(@class,'lost'))]"), tree["best"]
    expect(kept).to_have_count(sum(len(level["kept"]) for level in tree["levels"]))
    for place, hypothesis in enumerate(tree["levels"][2]["kept"]):
        node = kept.nth(8 + place)
        expect(node).to_contain_text(hypothesis["text"].removeprefix("·"))
        expect(node).to_contain_text(minus(hypothesis["score"], 2))
        told = f"{minus(hypothesis['total'], 2)} / 3 = {minus(hypothesis['score'], 3)}"
        expect(node).to_have_attribute("title", re.compile(re.escape(told)))
    # From the best leaf the arrows lead along the lines; Enter chooses.
    last = panel.locator(".search .nodes button[tabindex='0']")
    last.focus()
    panel.keyboard.press("ArrowDown")
    second = tree["finals"][1]
    panel.keyboard.press("Enter")
    expect(panel.locator("[data-lab=changed]")).to_have_text(re.compile(re.escape(second["translation"][-12:])))
    expect(panel.locator("[data-lab=changed-total]")).to_contain_text("log-probability")
    expect(panel.locator(".search [data-search=finals] button").nth(1)).to_have_attribute("aria-pressed", "true")
    assert best["translation"] != second["translation"]


@pytest.mark.thorough
def test_another_beam_and_a_choice_are_kept_in_the_link(panel, shipped: Translator):
    panel.locator(".search .widths").get_by_role("button", name="2", exact=True).click()
    expect(panel.locator(".search [data-search=finals] tbody tr")).to_have_count(2)
    second = panel.locator(".search [data-search=finals] button").nth(1)
    ids = re.sub(",", "[^&]{1,3}", second.get_attribute("value") or "")
    second.click()
    expect(panel).to_have_url(re.compile(r"lab\.search-width=2"))
    expect(panel).to_have_url(re.compile(rf"lab\.begin={ids}"))
    link = panel.url
    panel.goto("about:blank")
    panel.goto(link)
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(panel.locator("[data-lab=said]")).to_contain_text("The German changes")


@pytest.mark.thorough
def test_samples_are_those_of_their_seeds(panel, shipped: Translator):
    panel.locator(".search .modes").get_by_role("button", name="Sampling").click()
    for field, value in (("temperature", "0.9"), ("top_k", "20"), ("seed", "3")):
        panel.locator(f".search [data-search={field}]").fill(value)
        panel.keyboard.press("Tab")
    samples = samples_json(shipped, record(shipped, SENTENCE), Sampling(0.9, 20), 3, 5)["samples"]
    rows = panel.locator(".search .samples > div")
    expect(rows.nth(1)).to_contain_text(f"seed 3 · log-probability {minus(samples[0]['total'], 2)}")
    assert [" ".join(text.split()) for text in rows.locator("button").all_inner_texts()] == [
        " ".join(sample["translation"].split()) for sample in samples
    ]
    panel.locator(".search [data-search=again]").click()
    expect(rows.nth(1)).to_contain_text("seed 8 ·")
    expect(panel).to_have_url(re.compile(r"lab\.search-seed=8"))
    panel.locator(".search [data-search=top_p]").fill("7")
    panel.keyboard.press("Tab")
    expect(panel.locator(".search [data-search=refused]")).to_contain_text("Top-p is a number")


def test_explore_offers_the_better_german_of_a_beam_and_steps_through_it(shared_page: Page, shipped: Translator):
    page = begin_again(shared_page, BETTER_BY_BEAM, beam="5")
    tree, line = beam_json(shipped, BETTER_BY_BEAM, 5), page.locator("#viewer .beam")
    scores = f"Score {minus(tree['best']['score'], 3)} instead of {minus(tree['greedy']['score'], 3)}"
    top = page.locator("#viewer .views").bounding_box()
    expect(line.locator("[lang=de]")).to_have_text(tree["best"]["translation"])
    assert page.locator("#viewer .views").bounding_box() == top  # nothing moves when it comes
    expect(line).to_have_attribute("title", re.compile(re.escape(scores)))
    line.get_by_role("button").click()
    expect(page.locator(".score [data-score=text]")).to_have_value(tree["best"]["translation"])
    expect(page).to_have_url(re.compile(r"beam=5.*lab\.begin=.*lab\.station=score"))
    page.go_back()
    expect(line).to_be_visible()
    begin_again(page, SENTENCE, beam="5")
    expect(line).to_have_text("With a beam of five: nothing better")
    begin_again(page, SENTENCE)
    expect(line).to_be_hidden()
