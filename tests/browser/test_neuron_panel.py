"""The panel Rank neurons in a real browser: its drops, a neuron that is switched off there, and leaving too early."""

import re
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect
from visiting import at_rest, chips, choose_panel, expect_german, follow, needs_browser, open_panel, visited

from explorer import NeuronAt, rank_neurons
from explorer.experiments.experiment import Experiment
from explorer.experiments.neuron_ranking import firing_neurons
from explorer.experiments.running import run
from explorer.recording.forward_pass import record_pass
from explorer.recording.trace import record
from model.decoding import Translator

pytestmark = needs_browser
SENTENCE = "The old man plays the accordion."
ADDRESS = f"?sentence={SENTENCE.replace(' ', '+')}&level=heads"
TRIED, SHOWN = 320, 20


@pytest.fixture(scope="module")
def page(browser: Browser, shipped_page: str) -> Iterator[Page]:
    yield from visited(browser, f"{shipped_page}{ADDRESS}")


def called(neuron: NeuronAt) -> str:
    return f"{neuron.stack.title()} {neuron.layer + 1} · {neuron.index + 1}"


def expect_ranking(page: Page, ranked: list[tuple[NeuronAt, float]], firing: int) -> None:
    """The strongest of those that were tried, and how many these are."""
    panel = page.locator(".panel.neurons")
    expect(panel.locator(".ranked")).to_contain_text(f"{len(ranked)} of {firing:,} neurons that fire were tried.")
    expect(panel.locator(".ranked")).to_contain_text(f"Of these, “{called(ranked[0][0])}” costs")
    rows = panel.locator(".drops li")
    expect(rows).to_have_count(SHOWN)
    shown = [float(text.replace("−", "-")) for text in rows.locator("span:not(.track)").all_text_contents()]
    np.testing.assert_allclose(shown, [drop for _, drop in ranked[:SHOWN]], atol=0.0051)
    clear = [called(neuron) for neuron, drop in ranked[:5]]
    assert rows.locator("[aria-pressed]").all_text_contents()[:5] == clear


def test_the_strongest_are_ranked_as_far_as_they_were_tried_and_more_on_request(page, shipped: Translator):
    trace = record(shipped, SENTENCE)
    firing = len(firing_neurons(record_pass(shipped, trace)))
    follow(page, f"{ADDRESS}&drawer.panel=neurons")
    at_rest(page)
    expect_ranking(page, rank_neurons(shipped, trace, TRIED), firing)
    page.get_by_role("button", name="Try more").click()
    at_rest(page)
    expect_ranking(page, rank_neurons(shipped, trace, 2 * TRIED), firing)
    expect(page.locator(".panel.neurons progress")).to_be_hidden()


def test_a_neuron_is_switched_off_and_on_and_leads_into_the_whole_model(page, shipped: Translator):
    ((neuron, _), *_) = rank_neurons(shipped, record(shipped, SENTENCE), TRIED)
    follow(page, f"{ADDRESS}&drawer.panel=neurons")
    toggle = page.locator(".panel.neurons .drops [aria-pressed]").first
    toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    layer, number = neuron.layer + 1, neuron.index + 1
    expect(chips(page)).to_have_text([re.compile(f"^Off: neuron {number} of {neuron.stack} layer {layer}")])
    expect_german(page, run(shipped, SENTENCE, Experiment(neurons=(neuron,))).translation)
    toggle.click()
    expect(chips(page)).to_have_count(0)
    page.locator(".panel.neurons .drops .place").first.click()
    expect(page.get_by_role("tab", name="Whole model")).to_have_attribute("aria-selected", "true")
    place = f"{neuron.stack}.{layer}.feed.{number}"
    expect(page.locator("#whole .whole")).to_have_attribute("data-at", place)


def test_who_leaves_the_panel_has_no_more_tried(page):
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route) if is_scoring(route.request) else route.continue_()

    def is_scoring(request: Request) -> bool:
        return '"scores"' in (request.post_data or "")

    follow(page, ADDRESS.replace("accordion", "violin"))
    open_panel(page, "compare")
    page.route("**/ask", hold)
    with page.expect_request(is_scoring):
        choose_panel(page, "neurons")
    expect(page.locator(".panel.neurons progress")).to_be_visible()
    choose_panel(page, "compare")
    held[0].continue_()
    at_rest(page)
    assert len(held) == 1
    page.unroute("**/ask")
    choose_panel(page, "neurons")  # which goes on where it was
    at_rest(page)
    expect(page.locator(".panel.neurons .drops li")).to_have_count(SHOWN)
