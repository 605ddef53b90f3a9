"""The list beside the picture of the whole model, alone on a page: what it says, opens and asks for."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from by_node import ROOT
from playwright.sync_api import Browser, Page, Route, expect
from visiting import errors_of, needs_browser

from explorer.recording.payload import trace_json
from explorer.recording.trace import Trace, record
from explorer.tabs.whole.tab import words
from model.decoding import Translator

pytestmark = needs_browser
ORIGIN = "http://list.test/"
PAGE = '<!doctype html><html lang="en"><button id="before">b</button><details id="list"></details></html>'
START = """
    async ({ payload, settings }) => {
      const { createTrace } = await import("/explorer/derived/trace.js");
      const { enableRovingTabindex } = await import("/explorer/ui/keys.js");
      const { WHOLE, parsePlace } = await import("/explorer/tabs/whole/place.js");
      const { Tree } = await import("/explorer/tabs/whole/guide/tree.js");
      enableRovingTabindex("[data-rove]");
      const trace = createTrace(payload);
      const sizes = { ...settings.config, src: trace.source.length, tgt: trace.steps.length };
      const context = { trace, step: 1, config: settings.config };
      window.asked = [];
      const tree = new Tree(list, settings, { go: (place) => { asked.push(place); tree.draw(context, place); } });
      window.show = (text, step = 1) => tree.draw(Object.assign(context, { step }), parsePlace(text, sizes));
      tree.draw(context, WHOLE);
    }
"""
SIZES = {"layers": {"encoder": 2, "decoder": 2}, "heads": 4, "d_model": 16, "d_head": 4, "d_value": 4, "d_ff": 32}


@pytest.fixture(scope="module")
def trace(toy: Translator) -> Trace:
    return record(toy, "Go.", max_steps=3)


@pytest.fixture
def tree(browser: Browser, trace: Trace) -> Iterator[Page]:
    def answer(route: Route) -> None:
        path = Path(ROOT, route.request.url.removeprefix(ORIGIN))
        if path.suffix == ".js":
            route.fulfill(body=path.read_text(encoding="utf-8"), content_type="text/javascript")
        else:
            route.fulfill(body=PAGE, content_type="text/html")

    page = browser.new_page()
    errors = errors_of(page)
    page.route(f"{ORIGIN}**", answer)
    page.goto(ORIGIN)
    config = {**SIZES, "vocabulary": 80, "positions": "sinusoidal", "activation": "relu", "bias": True}
    text = {"captions": words.CAPTIONS, "tour": words.TOUR, "tree": words.TREE}
    settings = {"config": config, "text": text, "context": {"codes": {"source": "en", "target": "de"}}}
    page.evaluate(START, {"payload": trace_json(trace), "settings": json.loads(json.dumps(settings))})
    yield page
    page.close()
    assert not errors


def test_the_list_opens_step_by_step_to_a_table_whose_cells_are_places(tree, trace):
    tree.get_by_text("As a list").click()
    expect(tree.locator("#list > ul > li")).to_have_count(5)
    expect(tree.locator("#list li")).to_have_count(5)  # the rest is not made yet
    assert tree.locator("#list [aria-current]").inner_text().startswith("Whole model")
    for name in ("Decoder", "Layer 2", "Cross-attention", "Head 3"):
        tree.locator("#list summary").filter(has_text=name).last.click()
    table = tree.locator("#list table")
    weights = trace.cross.weights[1, 2]
    expect(table.locator("tbody button")).to_have_count(weights.size)
    shown = [float(text.replace("≈", "")) for text in table.locator("tbody button").all_inner_texts()]
    assert shown == pytest.approx(weights.flatten().tolist(), abs=0.00501)
    first = table.locator("tbody button").first
    first.focus()
    for key in ("ArrowRight", "ArrowDown"):
        tree.keyboard.press(key)
    tree.wait_for_function("asked.at(-1)?.part === 'weights'")
    asked = tree.evaluate("asked.at(-1)")
    assert (asked["row"], asked["column"], asked["head"], asked["layer"]) == (1, 1, 2, 1)
    expect(table.locator("[aria-current]")).to_be_focused()


def test_the_list_follows_the_picture_without_taking_the_focus(tree):
    tree.get_by_text("As a list").click()
    tree.locator("#before").focus()
    tree.evaluate("show('decoder.1.self.2.2.3')")
    expect(tree.locator("#list td [aria-current]")).to_have_text("masked")
    assert tree.locator("#list summary[aria-current]").inner_text().startswith("Head 2 looks")
    expect(tree.locator("#before")).to_be_focused()
    assert tree.evaluate("asked.length") == 0
    sentence = tree.locator("#list li:has(> button)").last.inner_text()
    tree.evaluate("show('output', 2)")
    expect(tree.locator("#list > ul > li").last).not_to_have_text(sentence)
    expect(tree.locator("#list li > [aria-current]")).to_have_text(tree.locator("#list li").last.inner_text())


def test_an_entry_passed_on_the_way_is_not_flown_to(tree):
    tree.get_by_text("As a list").click()
    expect(tree.locator("#list li > button")).to_have_count(3)
    tree.evaluate("document.querySelectorAll('#list li > button').forEach((entry) => entry.focus())")
    tree.wait_for_function("asked.length > 0")
    assert [place["stack"] for place in tree.evaluate("asked")] == ["output"]
