"""The page in a real browser: Debian's Chromium, driven by playwright."""

import os
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from conftest import served
from playwright.sync_api import Browser, Page, expect, sync_playwright

from explorer.prose import MAX_CHARACTERS
from explorer.trace import record
from explorer.ui import examples
from model.decoding import Translator

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
TIMEOUT = 30_000  # milliseconds; generous, because a busy machine must not fail a test
expect.set_options(timeout=TIMEOUT)
SENTENCE = "Two children are playing in the garden."

if CHROMIUM is None and os.environ.get("REQUIRE_BROWSER"):
    pytest.fail("no Chromium: apt-get install chromium, or set CHROMIUM to its path", pytrace=False)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, shipped_page: str) -> Iterator[Page]:
    """The page, opened and drawn; at the end nothing may have failed and nothing been asked of another host."""
    yield from visited(browser, shipped_page)


def visited(browser: Browser, address: str, width: int = 1366, height: int = 768) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": width, "height": height})
    page.set_default_timeout(TIMEOUT)
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "request",
        lambda request: None if request.url.startswith((address, "data:", "blob:")) else errors.append(request.url),
    )
    page.goto(address)
    expect(page.locator(".status")).to_contain_text("Step")
    yield page
    page.close()
    assert errors == []


def translate(page: Page, sentence: str) -> None:
    page.get_by_placeholder("Type an English sentence").fill(sentence)
    page.get_by_placeholder("Type an English sentence").press("Enter")


def source(page: Page) -> list[str]:
    return page.locator("[data-role=source] .piece > span").all_inner_texts()


def choose(page: Page, kind: str, layer: int, head: int) -> None:
    """Zero-based, as in the trace; a head of -1 is the mean."""
    page.locator(f".kinds button[value={kind}]").click()
    page.locator("[data-role=layer]").select_option(label=str(layer + 1))
    page.locator("[data-role=head]").select_option(label="mean of heads" if head < 0 else str(head + 1))


@dataclass(frozen=True, eq=False)
class Drawn:
    """What Plotly shows: values, NaN where a cell is empty, and the texts of both axes."""

    weights: np.ndarray
    queries: list[str]
    keys: list[str]


def drawn(page: Page) -> Drawn:
    z, queries, keys = page.evaluate(
        """() => {
            const { data, layout } = document.querySelector(".heatmap");
            return [data[0].z, layout.yaxis.ticktext, layout.xaxis.ticktext];
        }"""
    )
    return Drawn(np.array(z, dtype=float), queries, keys)


def test_the_page_opens_with_an_example_already_translated(page, shipped):
    first = record(shipped, examples()[0]["sentence"])
    assert source(page) == [piece.text for piece in first.source]
    expect(page.locator("[data-role=target] button.piece")).to_have_count(len(first.steps))
    expect(page.locator(".heatmap .heatmaplayer image")).to_be_visible()
    assert page.locator(".candidates li").count() == 10


def test_enter_translates(page, shipped):
    translate(page, SENTENCE)
    trace = record(shipped, SENTENCE)
    expect(page.locator("[data-role=source] .piece")).to_have_count(len(trace.source))
    assert source(page) == [piece.text for piece in trace.source]
    made = page.locator("[data-role=target] button.piece > span").all_inner_texts()
    assert made == [step.predicted.text for step in trace.steps]


def test_an_example_is_translated_by_a_click(page, shipped):
    page.get_by_role("button", name="negation").click()
    sentence = next(e["sentence"] for e in examples() if e["shows"] == "negation")
    expect(page.get_by_placeholder("Type an English sentence")).to_have_value(sentence)
    expect(page.locator("[data-role=source] .piece")).to_have_count(len(record(shipped, sentence).source))


def test_buttons_slider_and_keys_move_the_step(page):
    viewer = page.locator(".viewer")
    page.get_by_label("First step").click()
    expect(viewer).to_have_attribute("data-step", "1")
    assert len(drawn(page).weights) == 1
    page.get_by_label("Next step").click()
    expect(viewer).to_have_attribute("data-step", "2")
    assert len(drawn(page).weights) == 2
    page.get_by_label("Previous step").click()
    expect(viewer).to_have_attribute("data-step", "1")
    page.locator("[data-role=slider]").fill("4")
    expect(viewer).to_have_attribute("data-step", "4")
    page.locator("[data-role=title]").click()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    expect(viewer).to_have_attribute("data-step", "5")
    page.keyboard.press("Home")
    expect(viewer).to_have_attribute("data-step", "1")


def test_arrow_keys_in_the_text_box_do_not_move_the_step(page):
    before = page.locator(".viewer").get_attribute("data-step")
    page.get_by_placeholder("Type an English sentence").press("ArrowLeft")
    page.get_by_placeholder("Type an English sentence").press("Home")
    assert page.locator(".viewer").get_attribute("data-step") == before


def test_play_runs_to_the_end(page):
    page.locator("[data-role=slider]").fill(page.locator("[data-role=slider]").get_attribute("max") or "")
    last = page.locator(".viewer").get_attribute("data-step")
    page.get_by_label("Previous step").click()
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".viewer")).to_have_attribute("data-step", str(last))


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize(("layer", "head"), [(0, 2), (3, 5), (1, -1)])
def test_what_is_drawn_is_what_the_model_computed(page, shipped, kind, layer, head):
    attention = record(shipped, examples()[0]["sentence"]).map(kind)
    choose(page, kind, layer, head)
    shown = drawn(page)
    expected = attention.matrix(layer, None if head < 0 else head).copy()
    if kind == "decoder":
        expected[np.triu_indices(len(expected), 1)] = np.nan
    np.testing.assert_allclose(shown.weights, expected, atol=5e-5)
    assert shown.queries == [query.label.replace("<", "&lt;").replace(">", "&gt;") for query in attention.queries]
    assert shown.keys == [piece.text.replace("<", "&lt;").replace(">", "&gt;") for piece in attention.keys]


def test_what_lies_in_the_future_is_neither_drawn_nor_labelled(page):
    choose(page, "decoder", 0, 0)
    page.locator("[data-role=slider]").fill("3")
    shown = drawn(page)
    assert shown.weights.shape[0] == 3
    for labels in (shown.queries, shown.keys):
        assert ["rgba(0,0,0,0)" in label for label in labels] == [i >= 3 for i in range(len(labels))]


def test_stepping_and_choosing_ask_the_server_nothing(page):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    choose(page, "decoder", 2, 3)
    for _ in range(5):
        page.get_by_label("Previous step").click()
    assert asked == []


def test_choices_survive_a_new_sentence(page):
    choose(page, "decoder", 2, 3)
    translate(page, SENTENCE)
    expect(page.locator("[data-role=source]")).to_contain_text("children")
    expect(page.locator("[data-role=title]")).to_have_text("Decoder self-attention (masked) · layer 3 · head 4")


def test_a_click_on_the_overview_enlarges_that_head(page):
    canvas = page.locator("[data-role=overview]")
    box = canvas.bounding_box()
    assert box is not None
    canvas.click(position={"x": box["width"] - 5, "y": box["height"] - 5})
    expect(page.locator("[data-role=title]")).to_contain_text("layer 4 · head 8")


@pytest.mark.parametrize(
    ("text", "reason"),
    [("   ", "nothing to translate"), ("long " * 100, "limit is 400"), ("漢字", "none of these characters")],
)
def test_bad_text_is_refused_in_words_and_changes_nothing_else(page, text, reason):
    before, step = source(page), page.locator(".viewer").get_attribute("data-step")
    translate(page, text)
    expect(page.get_by_role("alert")).to_contain_text(reason)
    assert source(page) == before
    assert page.locator(".viewer").get_attribute("data-step") == step
    assert page.get_by_placeholder("Type an English sentence").input_value() == text
    translate(page, SENTENCE)
    expect(page.locator("[data-role=message]")).to_be_empty()


def test_the_limit_is_shown_before_submitting(page):
    page.get_by_placeholder("Type an English sentence").fill("x" * (MAX_CHARACTERS + 7))
    expect(page.locator("#counter")).to_contain_text("407 / 400")
    expect(page.locator("#counter .over")).to_be_visible()


def test_markup_is_shown_as_text_and_never_run(page):
    translate(page, 'A <b>dog</b> <img src=x onerror="window.hacked = true"> runs.')
    expect(page.locator("[data-role=source]")).to_contain_text("runs")
    choose(page, "encoder", 0, 0)
    page.wait_for_timeout(300)
    assert page.evaluate("window.hacked") is None
    assert page.locator(".viewer img, .viewer b, .heatmap b").count() == 0
    assert "img" in "".join(source(page))


def test_two_visitors_do_not_touch_each_other(browser, shipped_page, page):
    before = source(page)
    for other in visited(browser, shipped_page):
        translate(other, SENTENCE)
        expect(other.locator("[data-role=source]")).to_contain_text("children")
    assert source(page) == before


class Hesitant(Translator):
    """Takes two seconds over sentences that begin with A."""

    def encode(self, src, *arguments):
        if self.tokenizer.decode(src).startswith("A "):
            time.sleep(2)
        return super().encode(src, *arguments)


def test_a_late_answer_never_overwrites_a_newer_one(browser, shipped):
    for address in served(Hesitant(shipped.model, shipped.tokenizer)):
        for page in visited(browser, address):
            translate(page, "A slow dog.")
            translate(page, "The quick cat.")
            expect(page.locator("[data-role=source]")).to_contain_text("cat")
            page.wait_for_timeout(3000)
            assert "·cat" in source(page)


def test_a_model_of_other_sizes_is_drawn_too(browser, toy_page):
    for page in visited(browser, toy_page):
        assert page.locator("[data-role=layer] option").count() == 2
        assert page.locator("[data-role=head] option").count() == 5


def test_the_positions_tab_draws_both_figures_full_size(page):
    page.get_by_role("tab", name="Positions").click()
    for name in ("#positions-heatmap", "#positions-curves"):
        plot = page.locator(f"{name} .main-svg").first
        expect(plot).to_be_visible()
        box = plot.bounding_box()
        assert box is not None
        assert box["width"] > 800


def test_the_page_fits_a_phone(browser, shipped_page):
    for page in visited(browser, shipped_page, 390, 844):
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        expect(page.locator(".heatmap .heatmaplayer image")).to_be_visible()
