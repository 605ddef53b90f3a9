"""Beam and sampling in a real browser: the tree and the samples are the model's, and a choice shows their attention."""

import re

import pytest
from playwright.sync_api import Page, expect
from visiting import begin_again, chips, expect_german, needs_browser, open_panel

from explorer.experiments.searching import beam_json, samples_json
from explorer.recording.sentence import examples
from explorer.recording.trace import record
from model.decoding import Translator
from model.sampling import Sampling

pytestmark = needs_browser
SENTENCE = examples()[0]["sentence"]


def minus(number: float, digits: int) -> str:
    return f"{number:.{digits}f}".replace("-", "−")


@pytest.fixture
def panel(shared_page: Page) -> Page:
    page = begin_again(shared_page)
    open_panel(page, "search")
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
    expect_german(panel, second["translation"])
    expect(panel.locator(".search [data-search=finals] button").nth(1)).to_have_attribute("aria-pressed", "true")
    assert best["translation"] != second["translation"]


@pytest.mark.thorough
def test_another_beam_and_a_choice_are_kept_in_the_link(panel, shipped: Translator):
    panel.locator(".search .widths").get_by_role("button", name="2", exact=True).click()
    expect(panel.locator(".search [data-search=finals] tbody tr")).to_have_count(2)
    second = panel.locator(".search [data-search=finals] button").nth(1)
    ids = re.sub(",", r"\\.", second.get_attribute("value") or "")
    second.click()
    expect(panel).to_have_url(re.compile(r"search-width=2"))
    expect(panel).to_have_url(re.compile(rf"change=begin\.{ids}"))
    link = panel.url
    panel.goto("about:blank")
    panel.goto(link)
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(chips(panel)).to_have_text(["Your German"])


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
    expect(panel).to_have_url(re.compile(r"search-seed=8"))
    panel.locator(".search [data-search=top_p]").fill("7")
    panel.keyboard.press("Tab")
    expect(panel.locator(".search [data-search=refused]")).to_contain_text("Top-p is a number")
