"""Traces too large for one answer: their weights come one kind at a time."""

from collections.abc import Iterator
from dataclasses import asdict, replace

import gradio as gr
import numpy as np
import pytest
from playwright.sync_api import expect
from serving import launched
from visiting import choose, drawn, needs_browser, visited

from explorer.attention_view.component import View, attention_viewer
from explorer.page.ui import GradioComponents
from explorer.recording.app_context import AppContext
from explorer.recording.payload import trace_payload
from explorer.recording.recordings import Recordings
from explorer.recording.rollout import rollout
from explorer.recording.sentence import examples
from explorer.recording.trace import record
from explorer.server.answer_service import AnswerService
from explorer.tabs.explore.tab import add_questions

pytestmark = needs_browser
PRECISION = 0.0005  # of what is drawn: half of the last digit that is printed
EXAMPLE = examples()[0]["sentence"]


@pytest.fixture(scope="module")
def desk(shipped) -> Iterator[str]:
    """A page whose weights come one kind at a time, as for a large trace."""
    recordings = Recordings(shipped)
    trace = recordings.trace(EXAMPLE)
    app = AppContext(recordings, None)
    add_questions(app)
    with gr.Blocks(analytics_enabled=False) as page:
        components = GradioComponents()
        view = View(kind="decoder", layer=0, head=2, step=5)
        viewer = attention_viewer(trace_payload(trace, [], max_characters=0))
        components.add(replace(viewer, settings={**viewer.settings, "view": asdict(view)}))
        components.write()
    yield from launched(page, AnswerService(app))


def test_large_traces_load_a_kind_when_it_is_chosen_and_again_after_a_failure(browser, desk, shipped):
    trace = record(shipped, EXAMPLE)
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
            np.testing.assert_allclose(drawn(page).weights, trace.map(kind).weights[2, 2], atol=PRECISION)
        assert len([url for url in asked if url.endswith("/ask")]) == 2
        expect(page.locator("[data-role=message]")).to_be_empty()


def test_a_rollout_fetches_all_that_it_needs_and_lengths_need_no_weights(browser, desk, shipped):
    trace = record(shipped, EXAMPLE)
    for page in visited(browser, desk):
        asked: list[str] = []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.locator(".measures button[value=length]").click()
        expect(page.locator("[data-pane=first] h3")).to_contain_text("Lengths · Decoder")
        page.locator(".kinds button[value=cross]").click()
        expect(page.locator("[data-pane=first] h3")).to_contain_text("Lengths · Cross")
        assert len([url for url in asked if url.endswith("/ask")]) == 2
        page.locator(".measures button[value=weight]").click()
        page.locator("[data-role=layer]").select_option(label="rollout")
        expect(page.locator("[data-pane=first] h3")).to_contain_text("rollout")
        np.testing.assert_allclose(drawn(page).weights, rollout(trace, "cross"), atol=PRECISION)
        assert len([url for url in asked if url.endswith("/ask")]) == 4  # that of the decoder was there
