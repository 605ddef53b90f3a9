"""The Training tab in a real browser: the story's player and the record."""

import gzip
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from cases import each_case
from playwright.sync_api import Page, expect
from serving import served
from training_story import MOMENTS, PAIRS
from training_story import final as final
from training_story import run as run
from training_story import tale as tale
from training_story import told as told
from visiting import Drawn, choose, drawn, eventually, go_to, in_motion, named, needs_browser, open_tab, visited

from explorer.recording.trace import Trace, record, record_forced
from explorer.tabs.model_training.tab import words
from model.checkpoints import checkpoint
from model.decoding import Translator
from model.probe import KINDS

pytestmark = needs_browser
TAB = ".training"
PRECISION = 0.0005  # of what is drawn: half of the last digit that is printed
MARK = """(figure) => figure.layout.shapes.filter(({ line }) => line.width === 2).map(({ x0 }) => x0)"""

FILMED = """() => {
    globalThis.moments = [];
    const note = ({ target: { dataset: { moment } } }) => moments.at(-1) !== moment && moments.push(moment);
    const watched = { subtree: true, attributes: true, attributeFilter: ["data-moment"] };
    new MutationObserver((records) => records.forEach(note)).observe(document.body, watched);
}"""


@pytest.fixture(scope="module")
def address(final, told) -> Iterator[str]:
    yield from served(final, told, max_trainings=1)


@pytest.fixture(scope="module")
def opened(browser, address) -> Iterator[Page]:
    """One page for most tests."""
    yield from visited(browser, address)


@pytest.fixture
def tab(opened: Page) -> Page:
    """The Training tab with its story at the last moment, and its curves drawn: Plotly comes when it is asked for."""
    open_tab(opened, "Training")
    for name in ("an animal", "what it says in the end", "log"):
        opened.locator(TAB).get_by_role("button", name=name, exact=name == "log").click()
    choose(opened.locator(TAB), "cross", 1, "mean")
    at(opened, len(MOMENTS) - 1)
    expect(opened.locator(".training [data-pane=first] .nsewdrag")).to_be_visible()
    expect(opened.locator(".training .opening .figure .main-svg").first).to_be_visible()
    return opened


def at(page: Page, moment: int) -> None:
    """Zero-based, by the slider."""
    page.locator("[data-role=moment]").fill(str(moment + 1))


def shown_moment(page: Page, moment: int) -> None:
    expect(page.locator(".training")).to_have_attribute("data-moment", str(moment + 1))


def traces(run, moment: int, sentence: str, final: Translator) -> tuple[Trace, Trace]:
    """The model's own trace at a moment, and that of the final translation: recorded afresh."""
    folder = (
        run / checkpoint.FINAL if moment == len(MOMENTS) - 1 else run / checkpoint.MOMENTS / f"{MOMENTS[moment]:07}"
    )
    translator, steps = checkpoint.load(str(folder)), record(final, sentence).steps
    own = record(translator, sentence, max_steps=len(steps) + 4)
    return own, record_forced(translator, sentence, [step.predicted.id for step in steps])


def expect_map(found: Drawn, trace: Trace, kind: Any, layer: int | str, head: int | str) -> None:
    """What Plotly holds are the trace's weights; the decoder's future is empty."""
    weights = trace.map(kind).matrix(layer, head)
    if kind == "decoder":
        assert np.isnan(found.weights[np.triu_indices(len(weights), 1)]).all()
    np.testing.assert_allclose(np.nan_to_num(found.weights), weights, atol=PRECISION)
    assert len(found.queries) == len(trace.map(kind).queries)


@pytest.mark.thorough
def test_the_story_is_fetched_when_the_tab_is_first_opened_only_once_and_a_link_leads_to_a_moment(browser, address):
    for page in visited(browser, address):
        asked: list[str] = []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.get_by_role("button", name="Translate").click()
        open_tab(page, "Positions")
        expect(page.locator("#positions [data-figure=heatmap] .main-svg").first).to_be_visible()
        assert not [url for url in asked if url.endswith(checkpoint.STORY)]
        open_tab(page, "Training")
        shown_moment(page, len(MOMENTS) - 1)
        expect(page.locator(".training [data-pane=first] .nsewdrag")).to_be_visible()
        open_tab(page, "Explore")
        open_tab(page, "Training")
        expect(page.locator(".training [data-pane=first] .nsewdrag")).to_be_visible()
        assert len([url for url in asked if url.endswith(checkpoint.STORY)]) == 1
        page.goto(f"{address}?tab=training&training.moment=3")
        shown_moment(page, 2)
        at(page, 1)
        expect(page).to_have_url(re.compile(r"training\.moment=2"))


@pytest.mark.thorough
@each_case(
    ("body", "said"),
    [
        (b"no story", words.STORY["notLoaded"].format(file=checkpoint.STORY)),
        (gzip.compress(b'{"moments": "x"}'), words.STORY["faulty"].format(field="sentences")),
    ],
)
def test_a_story_that_is_damaged_is_refused_in_words_and_the_record_stays(browser, address, body, said):
    for page in visited(browser, address):
        page.route(f"**/{checkpoint.STORY}", lambda route: route.fulfill(body=body))
        open_tab(page, "Training")
        expect(page.locator(".training [data-role=message]").first).to_have_text(said)
        expect(page.locator("#record table").first).to_be_visible()


def test_the_slider_changes_map_translation_and_mark_together(tab, run, final):
    for moment in (0, 2, 3):
        at(tab, moment)
        own, forced = traces(run, moment, PAIRS[0].src, final)
        expect_map(drawn(tab.locator(TAB)), forced, "cross", 1, "mean")
        ending = " …" if own.stopped_at_limit else ""
        expect(tab.locator("[data-role=own]")).to_have_text(" ".join(f"{own.translation}{ending}".split()))
        expect(tab.locator("[data-role=final]")).to_have_text(PAIRS[0].tgt)
        expect(tab.locator("[data-role=where]")).to_contain_text(f"after step {MOMENTS[moment]}")
        first = 5  # half of the first step above zero: there the logarithmic axis begins
        for figure in tab.locator(".curves .figure").all():
            assert set(figure.evaluate(MARK)) == {max(MOMENTS[moment], first)}


def test_the_cells_have_the_room_beside_their_scale_and_words_stand_beside_the_curves(tab):
    eventually(tab, expect_room, tab)
    tab.locator(".training .candidates").scroll_into_view_if_needed()
    expect(tab.locator("[data-role=moment]")).to_be_in_viewport()


def expect_room(tab: Page) -> None:
    parts = (tab.locator(f".training [data-pane=first] .{part}").bounding_box() for part in ("heatmap", "nsewdrag"))
    room, cells = parts
    assert room and cells
    assert cells["x"] + cells["width"] == pytest.approx(room["x"] + room["width"] - 74, abs=1)
    curves, moment = tab.locator(".opening .curves").bounding_box(), tab.locator(".moment").bounding_box()
    assert curves and moment
    assert curves["x"] + curves["width"] <= moment["x"]


def test_on_a_desk_the_story_is_seen_without_scrolling_and_curves_follow_the_width(tab):
    tab.evaluate("scrollTo(0, 0)")
    for part in (".opening .figure", "[data-role=own]", "[data-role=moment]", ".training [data-pane=first] .heatmap"):
        expect(tab.locator(part).first).to_be_in_viewport(ratio=1)
    for width in (1000, 1366):
        tab.set_viewport_size({"width": width, "height": 768})
        for figure in tab.locator(".curves .figure").all():
            room = figure.bounding_box()
            assert room
            expect(figure.locator(".main-svg").first).to_have_attribute("width", str(round(room["width"])))


def test_kind_layer_head_and_sentence_are_picked_as_elsewhere(tab, run, final):
    tab.get_by_role("button", name="a drink").click()
    expect(tab.locator(".training [data-role=final]")).to_have_text(PAIRS[1].tgt)
    for kind in KINDS:
        choose(tab.locator(TAB), kind, 0, 3)
        at(tab, 2)
        expect_map(drawn(tab.locator(TAB)), traces(run, 2, PAIRS[1].src, final)[1], kind, 0, 3)


@pytest.mark.thorough
def test_the_map_of_its_own_translation_has_its_own_rows(tab, run, final):
    at(tab, 1)
    tab.get_by_role("button", name="what it says now").click()
    own, forced = traces(run, 1, PAIRS[0].src, final)
    expect_map(drawn(tab.locator(TAB)), own, "cross", 1, "mean")
    assert len(own.steps) != len(forced.steps)
    tab.get_by_role("button", name="what it says in the end").click()
    expect_map(drawn(tab.locator(TAB)), forced, "cross", 1, "mean")


def test_every_row_is_shown_and_a_german_piece_chooses_whose_candidates(tab, run, final):
    at(tab, 2)
    tab.locator(".training [data-role=target] .piece").nth(3).click()
    forced = traces(run, 2, PAIRS[0].src, final)[1]
    candidates = tab.locator(".training .candidates li span:first-of-type").all_inner_texts()
    assert candidates == [named(candidate.piece.text) for candidate in forced.steps[2].candidates]
    expect(tab.locator(".training [data-pane=first] .later")).to_be_hidden()
    at(tab, 1)
    expect(tab.locator(".training .viewer")).to_have_attribute("data-step", "3")


def test_buttons_and_keys_move_through_the_moments(tab):
    tab.locator(".moments").get_by_label("Last snapshot").click()
    shown_moment(tab, 3)
    for key, moment in (("ArrowLeft", 2), ("Home", 0), ("ArrowRight", 1), ("End", 3), ("ArrowRight", 3)):
        tab.keyboard.press(key)
        shown_moment(tab, moment)
    tab.get_by_role("button", name="linear").click()
    for figure in tab.locator(".curves .figure").all():
        assert figure.evaluate("(figure) => figure.layout.xaxis.type") == "linear"
    at(tab, 1)
    tab.locator(".moments").get_by_role("button", name="Play").click()
    shown_moment(tab, len(MOMENTS) - 1)


@pytest.mark.thorough
def test_the_keys_of_one_tab_leave_the_other_alone(tab):
    at(tab, 0)
    tab.locator(".moments").get_by_label("Next snapshot").click()
    open_tab(tab, "Explore")
    go_to(tab.locator("#viewer"), 3)
    step = tab.locator("#viewer .viewer").get_attribute("data-step")
    tab.evaluate("document.activeElement.blur()")
    tab.keyboard.press("Home")
    expect(tab.locator("#viewer .viewer")).to_have_attribute("data-step", "1")
    assert step != "1"
    open_tab(tab, "Training")
    shown_moment(tab, 1)


@pytest.mark.thorough
def test_the_tab_train_one_plays_the_story_before_anything_is_pressed_and_shows_its_end_to_who_wants_no_motion(
    browser, address
):
    for page in visited(browser, address):
        film = page.locator(".train .film")
        page.evaluate(FILMED)
        with in_motion(page):
            open_tab(page, "Train one")
            page.wait_for_function("moments.join() === '4,1,2,3,4'")
            expect(film.locator("[data-film=where]")).to_contain_text("4 of 4: after step")
        assert film.locator("[data-film=map] rect").count() > 10
        page.emulate_media(reduced_motion="reduce")
        page.reload()
        expect(film).to_have_attribute("data-moment", "4")
        expect(film.get_by_role("button", name="Play")).to_be_visible()
        page.locator("[data-train=train]").click()
        expect(film).to_be_hidden()
        expect(page.locator("[data-train=accuracy] svg")).to_be_visible()


@pytest.mark.thorough
def test_the_dark_page_has_curves_of_its_own(tab):
    colour = "() => document.querySelector('.opening .figure').data[0].line.color"
    light = tab.evaluate(colour)
    tab.get_by_role("button", name="Dark", exact=True).click()
    tab.wait_for_function(f"(light) => ({colour})() !== light", arg=light)
    tab.get_by_role("button", name="Light", exact=True).click()
    tab.wait_for_function(f"(light) => ({colour})() === light", arg=light)


@pytest.mark.thorough
def test_a_record_alone_has_its_curves_over_the_whole_width(new_page):
    page = new_page
    open_tab(page, "Training")
    expect(page.get_by_text(words.NO_STORY[:60])).to_be_visible()
    wide = "document.querySelector('.opening .figure .main-svg')?.getBoundingClientRect().width > 1000"
    page.wait_for_function(wide)
    assert page.locator(".training [data-pane]").count() == 0
