"""Lengths instead of weights, rollouts, and weights that come one kind at a time: right, and asked for once."""

import json
from collections.abc import Iterator
from dataclasses import asdict, replace

import gradio as gr
import numpy as np
import pytest
from playwright.sync_api import Page, expect
from serving import launched
from visiting import begin_again, choose, drawn, expect_weights, go_to_end, needs_browser, option, visited

from explorer import ForwardPass, lengths, record, record_pass, rollout
from explorer.attention_view.component import View, attention_viewer
from explorer.derived.about import about_model
from explorer.engine.calls import ModelCalls
from explorer.page import page as pages
from explorer.page.ui import add_page
from explorer.recording.app_context import AppContext
from explorer.recording.payload import trace_json
from explorer.recording.recordings import Recordings
from explorer.recording.sentence import examples
from explorer.server.ask import AnswerService
from model.probe import KINDS

pytestmark = needs_browser
SENTENCE = examples()[0]["sentence"]


@pytest.fixture(scope="module")
def forward_pass(shipped) -> ForwardPass:
    return record_pass(shipped, record(shipped, SENTENCE))


def measure(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def at(values: np.ndarray, kind: str) -> np.ndarray:
    """As it is drawn: what is masked is no number."""
    return np.where(np.tri(*values.shape), values, np.nan) if kind == "decoder" else values


def test_lengths_are_asked_for_once_a_kind_and_are_those_of_the_pass(shared_page, forward_pass):
    page = shared_page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    go_to_end(page)
    measure(page, "Lengths")
    for kind in (*KINDS, "encoder"):
        found = lengths(forward_pass, kind)
        choose(page, kind, 2, 5)
        expect(page.locator("[data-pane=first] h3")).to_have_text(f"Lengths · {kind.title()} · layer 3 · head 6")
        expect_weights(page, at(found[2, 5], kind), atol=1e-5)
        choose(page, kind, 1, "mean")
        expect_weights(page, at(found[1].mean(axis=0), kind), atol=1e-5)
        expect(page.locator("[data-pane=first] .cbaxis text").last).to_have_text(f"{found.max():.3f}")
        explanation = page.locator("[data-role=explanation]")
        expect(explanation).to_contain_text("strongest key is not the one with the largest weight")
    assert len([url for url in asked if url.endswith("/ask")]) == len(KINDS)


def test_rollout_is_a_choice_of_layer_and_lengths_have_none(shared_page, forward_pass):
    trace, page = forward_pass.trace, shared_page
    page.locator(".measures button[value=weight]").click()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for kind in KINDS:
        page.locator(f".kinds button[value={kind}]").click()
        page.locator("[data-role=layer]").select_option(label="rollout")
        expect(page.locator("[data-pane=first] h3")).to_contain_text("rollout · mean of heads")
        expect_weights(page, at(rollout(trace, kind), kind))
    expect(page.locator("[data-role=head]")).to_be_disabled()
    expect(page.locator("[data-role=explanation]")).to_contain_text("93.8% of every row is English")
    assert not [url for url in asked if url.endswith("/ask")]
    measure(page, "Lengths")
    expect(page.locator("[data-pane=first] h3")).to_have_text("Lengths · Cross · layer 4 · mean of heads")
    expect(page.locator("[data-role=layer] option[value=rollout]")).to_be_disabled()


def test_lengths_are_told_as_lengths_and_are_not_rescaled(shared_page, forward_pass):
    found = lengths(forward_pass, "cross")[3].mean(axis=0, dtype=np.float64)
    page = begin_again(shared_page, measure="length", step="3", kind="cross", layer="4")
    pane = page.locator("[data-pane=first]")
    expect(pane.locator(".readout")).to_contain_text(f"lengths summing to {found[2].sum():.3f}")
    cells = pane.locator(".nsewdrag")
    assert "the longer the vector" in (pane.get_by_role("img").first.get_attribute("aria-label") or "")
    cells.hover(position={"x": 5, "y": 5})
    expect(pane.locator(".hovertext")).to_contain_text("gets a vector of length")
    option(page, "hide").check()
    expect_weights(page, found[:, :-1], atol=1e-5)
    assert "measure=length" in page.url
    page.get_by_role("tab", name="Picture", exact=True).click()  # which is about looking
    expect(page.locator(".plain")).to_contain_text("the model looks")
    assert drawn(page).weights.max() <= 1


@pytest.fixture(scope="module")
def desk(shipped) -> Iterator[str]:
    """A page whose weights come one kind at a time, as for a large trace."""
    recordings = Recordings(shipped)
    trace = recordings.trace(SENTENCE)
    app = AppContext(recordings, None)
    ModelCalls(app).register(app.questions)
    with gr.Blocks(analytics_enabled=False) as page:
        view = View(kind="decoder", layer=0, head=2, step=5)
        viewer = attention_viewer(json.dumps(trace_json(trace, max_characters=0)))
        viewer = replace(viewer, settings={**viewer.settings, "view": asdict(view)})
        parts = {"tools": [], "bar": [], "drawer": []}
        add_page(pages.Page(**parts, panels={"explore": [viewer]}, about=about_model(app), heading="", footer=""))
    yield from launched(page, AnswerService(app))


@pytest.mark.thorough
def test_large_traces_load_a_kind_when_it_is_chosen_and_again_after_a_failure(browser, desk, shipped):
    trace = record(shipped, SENTENCE)
    for page in visited(browser, desk):
        page.route("**/ask", lambda route: route.fulfill(status=200, body="not json"))
        page.locator(".kinds button[value=encoder]").click()
        expect(page.get_by_role("alert")).to_contain_text("could not be loaded")
        page.get_by_label("First step").click()
        expect(page.locator(".status")).to_contain_text("Step 1 of")
        page.unroute("**/ask")
        asked: list[str] = []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        for kind in ("encoder", "cross", "encoder"):
            choose(page, kind, 2, 2)
            expect(page.locator(".viewer")).to_have_attribute("data-kind", kind)
            expect_weights(page, trace.map(kind).weights[2, 2])
        assert len([url for url in asked if url.endswith("/ask")]) == 2
        expect(page.locator("[data-role=message]")).to_be_empty()


@pytest.mark.thorough
def test_a_rollout_and_lengths_fetch_all_that_they_need(browser, desk, shipped):
    trace = record(shipped, SENTENCE)
    for page in visited(browser, desk):
        asked: list[str] = []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.locator(".measures button[value=length]").click()
        expect(page.locator("[data-pane=first] h3")).to_contain_text("Lengths · Decoder")
        page.locator(".kinds button[value=cross]").click()
        expect(page.locator("[data-pane=first] h3")).to_contain_text("Lengths · Cross")
        assert len([url for url in asked if url.endswith("/ask")]) == 3  # the weights of one of them, too
        page.locator(".measures button[value=weight]").click()
        page.locator("[data-role=layer]").select_option(label="rollout")
        expect(page.locator("[data-pane=first] h3")).to_contain_text("rollout")
        expect_weights(page, rollout(trace, "cross"))
        assert len([url for url in asked if url.endswith("/ask")]) == 4  # two of the three kinds were there
