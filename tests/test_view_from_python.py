"""The view as Python sets and reads it, and traces whose weights come one kind at a time."""

from collections.abc import Iterator

import gradio as gr
import numpy as np
import pytest
from playwright.sync_api import expect
from visiting import choose, drawn, needs_browser, visited

from explorer.answers import Answers
from explorer.launch import launch
from explorer.payload import trace_payload
from explorer.sentence import examples
from explorer.trace import record
from explorer.view import Heads, Pin, View
from explorer.viewer import REPORT, attention_viewer, show

pytestmark = needs_browser
PRECISION = 0.0005  # of what is drawn: half of the last digit that is printed
EXAMPLE = examples()[0]["sentence"]


@pytest.fixture(scope="module")
def desk(shipped) -> Iterator[str]:
    """A page that sets views and reads them back; the weights come one kind at a time, as for a large trace."""
    answers = Answers(shipped)
    trace = answers.trace(EXAMPLE)
    with gr.Blocks(analytics_enabled=False) as page:
        viewer = attention_viewer(
            trace_payload(trace, [], together=0), answers.weights, View(kind="decoder", layer=0, head=2, step=5)
        )
        text = gr.Textbox(label="view", elem_id="view", max_lines=1)
        gr.Button("Set view").click(lambda view: show(View.from_json(view)), text, viewer)
        gr.Button("Read view").click(lambda view: View.from_json(view).to_json(), text, text, js=REPORT)
    _, address, _ = launch(page, prevent_thread_lock=True, quiet=True)
    yield address
    page.close()


def test_a_view_is_set_from_python_and_reported_back(browser, desk):
    for page in visited(browser, desk):
        box = page.locator("#view textarea, #view input")
        page.get_by_role("button", name="Read view").click()
        expect(box).to_have_value(View(kind="decoder", layer=0, head=2, step=5).to_json())
        wanted = View(
            "encoder", 1, "max", Heads(2, 3), 4, Pin("query", 3), "heatmap", True, "auto", False, True, True, 5
        )
        box.fill(wanted.to_json())
        page.get_by_role("button", name="Set view").click()
        expect(page.locator(".viewer")).to_have_attribute("data-kind", "encoder")
        for _ in range(2):  # the second time after the visitor has gone elsewhere
            box.fill("")
            page.get_by_role("button", name="Read view").click()
            expect(box).to_have_value(wanted.to_json())
            page.get_by_label("First step").click()
            page.get_by_role("button", name="Set view").click()
            expect(page.locator(".viewer")).to_have_attribute("data-step", "5")


def test_large_traces_load_a_kind_when_it_is_chosen(browser, desk, shipped):
    trace = record(shipped, EXAMPLE)
    for page in visited(browser, desk):
        asked: list[str] = []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        for kind in ("encoder", "cross", "encoder"):
            choose(page, kind, 2, 2)
            expect(page.locator(".viewer")).to_have_attribute("data-kind", kind)
            np.testing.assert_allclose(drawn(page).weights, trace.map(kind).weights[2, 2], atol=PRECISION)
        assert len([url for url in asked if "component_server" in url]) == 2


def test_weights_that_cannot_be_loaded_are_told_and_asked_for_again(browser, desk):
    for page in visited(browser, desk):
        page.route("**/component_server/", lambda route: route.fulfill(status=200, body="not json"))
        page.locator(".kinds button[value=encoder]").click()
        expect(page.get_by_role("alert")).to_contain_text("could not be loaded")
        page.get_by_label("First step").click()
        expect(page.locator(".status")).to_contain_text("Step 1 of")
        page.unroute("**/component_server/")
        page.locator(".kinds button[value=encoder]").click()
        expect(page.locator("[data-role=message]")).to_be_empty()
        expect(page.locator("[data-pane=first] h3")).to_contain_text("Encoder")
