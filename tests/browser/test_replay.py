"""The recorded training in the tab Train one, in a real browser."""

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
from visiting import (
    Drawn,
    at_rest,
    choose,
    drawn,
    eventually,
    follow,
    go_to,
    in_motion,
    named,
    needs_browser,
    open_tab,
    visited,
)

from explorer.recording.trace import Trace, record, record_forced
from explorer.tabs.train_one.replay import words
from model.checkpoints import checkpoint
from model.decoding import Translator
from model.probe import KINDS

pytestmark = needs_browser
TAB = ".replay"
SLIDER = ".moments input"
PRECISION = 0.0005  # of what is drawn: half of the last digit that is printed
PLAYED = """() => {
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
    """The tab with the story at its last moment, and its map drawn: Plotly comes when it is asked for."""
    open_tab(opened, "Train one")
    for name in ("an animal", "what it says in the end"):
        opened.locator(TAB).get_by_role("button", name=name).click()
    choose(opened.locator(TAB), "cross", 1, "mean")
    at(opened, len(MOMENTS) - 1)
    expect(opened.locator(".replay [data-pane=first] .nsewdrag")).to_be_visible()
    return opened


def at(page: Page, moment: int) -> None:
    """Zero-based, by the slider."""
    page.locator(SLIDER).fill(str(moment + 1))


def shown_moment(page: Page, moment: int) -> None:
    expect(page.locator(".replay")).to_have_attribute("data-moment", str(moment + 1))


def traces(run, moment: int, sentence: str, final: Translator) -> tuple[Trace, Trace]:
    """The model's own trace at a moment, and that of the final translation: recorded afresh."""
    folder = (
        run / checkpoint.FINAL if moment == len(MOMENTS) - 1 else run / checkpoint.MOMENTS / f"{MOMENTS[moment]:07}"
    )
    translator, steps = checkpoint.load(str(folder)), record(final, sentence).steps
    free = record(translator, sentence, max_steps=len(steps) + 4)
    return free, record_forced(translator, sentence, [step.predicted.id for step in steps])


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
        open_tab(page, "Train one")
        shown_moment(page, len(MOMENTS) - 1)
        expect(page.locator(".replay [data-pane=first] .nsewdrag")).to_be_visible()
        open_tab(page, "Heads")
        open_tab(page, "Train one")
        expect(page.locator(".replay [data-pane=first] .nsewdrag")).to_be_visible()
        assert len([url for url in asked if url.endswith(checkpoint.STORY)]) == 1
        page.goto(f"{address}?tab=training&training.moment=3")
        shown_moment(page, 2)
        at(page, 1)
        expect(page).to_have_url(re.compile(r"tab=train.*train\.moment=2"))


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
        open_tab(page, "Train one")
        expect(page.locator(".replay [data-replay=message]")).to_have_text(said)
        open_tab(page, "Training")
        expect(page.locator("#record table").first).to_be_visible()


def test_the_slider_changes_map_and_translation_together(tab, run, final):
    for moment in (0, 2, 3):
        at(tab, moment)
        free, forced = traces(run, moment, PAIRS[0].src, final)
        expect_map(drawn(tab.locator(TAB)), forced, "cross", 1, "mean")
        ending = " …" if free.stopped_at_limit else ""
        expect(tab.locator("[data-replay=own]")).to_have_text(" ".join(f"{free.translation}{ending}".split()))
        expect(tab.locator("[data-replay=final]")).to_have_text(PAIRS[0].tgt)
        expect(tab.locator(".moments .status")).to_contain_text(f"after step {MOMENTS[moment]}")


def test_the_cells_have_the_room_beside_their_scale(tab):
    eventually(tab, expect_room, tab)
    tab.locator(".replay .candidates").scroll_into_view_if_needed()
    expect(tab.locator(SLIDER)).to_be_in_viewport()


def expect_room(tab: Page) -> None:
    parts = (tab.locator(f".replay [data-pane=first] .{part}").bounding_box() for part in ("heatmap", "nsewdrag"))
    room, cells = parts
    assert room and cells
    assert cells["x"] + cells["width"] == pytest.approx(room["x"] + room["width"] - 74, abs=1)


def test_on_a_desk_form_translation_and_slider_are_seen_without_scrolling(tab):
    tab.evaluate("scrollTo(0, 0)")
    for part in ("[data-train=train]", "[data-replay=own]", SLIDER, ".replay [data-role=target]"):
        expect(tab.locator(part)).to_be_in_viewport(ratio=1)


def test_kind_layer_head_and_sentence_are_picked_as_elsewhere(tab, run, final):
    tab.get_by_role("button", name="a drink").click()
    expect(tab.locator(".replay [data-replay=final]")).to_have_text(PAIRS[1].tgt)
    for kind in KINDS:
        choose(tab.locator(TAB), kind, 0, 3)
        at(tab, 2)
        expect_map(drawn(tab.locator(TAB)), traces(run, 2, PAIRS[1].src, final)[1], kind, 0, 3)


@pytest.mark.thorough
def test_the_map_of_its_own_translation_has_its_own_rows(tab, run, final):
    at(tab, 1)
    tab.get_by_role("button", name="what it says now").click()
    free, forced = traces(run, 1, PAIRS[0].src, final)
    expect_map(drawn(tab.locator(TAB)), free, "cross", 1, "mean")
    assert len(free.steps) != len(forced.steps)
    tab.get_by_role("button", name="what it says in the end").click()
    expect_map(drawn(tab.locator(TAB)), forced, "cross", 1, "mean")


def test_every_row_is_shown_and_a_german_piece_chooses_whose_candidates(tab, run, final):
    at(tab, 2)
    tab.locator(".replay [data-role=target] .piece").nth(3).click()
    forced = traces(run, 2, PAIRS[0].src, final)[1]
    candidates = tab.locator(".replay .candidates li span:first-of-type").all_inner_texts()
    assert candidates == [named(candidate.piece.text) for candidate in forced.steps[2].candidates]
    expect(tab.locator(".replay [data-pane=first] .later")).to_be_hidden()
    at(tab, 1)
    expect(tab.locator(".replay .viewer")).to_have_attribute("data-step", "3")


def test_buttons_and_keys_move_through_the_moments(tab):
    tab.locator(".moments").get_by_label("Last snapshot").click()
    shown_moment(tab, 3)
    for key, moment in (("ArrowLeft", 2), ("Home", 0), ("ArrowRight", 1), ("End", 3), ("ArrowRight", 3)):
        tab.keyboard.press(key)
        shown_moment(tab, moment)
    at(tab, 1)
    tab.locator(".moments").get_by_role("button", name="Play").click()
    shown_moment(tab, len(MOMENTS) - 1)


@pytest.mark.thorough
def test_the_keys_of_one_tab_leave_the_other_alone(tab):
    at(tab, 0)
    tab.locator(".moments").get_by_label("Next snapshot").click()
    open_tab(tab, "Heads")
    go_to(tab.locator("#viewer"), 3)
    step = tab.locator("#viewer .viewer").get_attribute("data-step")
    tab.evaluate("document.activeElement.blur()")
    tab.keyboard.press("Home")
    expect(tab.locator("#viewer .viewer")).to_have_attribute("data-step", "1")
    assert step != "1"
    open_tab(tab, "Train one")
    shown_moment(tab, 1)


def test_a_saved_map_names_the_pages_model_and_a_tab_that_may_show_another_names_none(tab):
    tab.keyboard.press("s")
    for part in ("picture", "all"):
        tab.locator("[data-save=what]").select_option(part)
        with tab.expect_download() as download:
            tab.locator("[data-entry=svg]").click()
        assert ("2 + 2 layers" in download.value.path().read_text(encoding="utf-8")) == (part == "picture")
    tab.keyboard.press("Escape")


@pytest.mark.thorough
def test_it_plays_once_when_it_is_seen_and_shows_its_end_to_who_wants_no_motion(browser, address):
    for page in visited(browser, address):
        replay = page.locator(TAB)
        page.evaluate(PLAYED)
        with in_motion(page):
            open_tab(page, "Train one")
            page.wait_for_function("moments.join() === '4,1'")
            follow(page, "?tab=train")  # as after the translation of a link's sentence
            page.wait_for_function("moments.join() === '4,1,2'")
            at_rest(page)
            assert "moment" not in page.url
            page.wait_for_function("moments.join() === '4,1,2,3,4'")
            expect(replay.locator(".status").first).to_contain_text("4 of 4: after step")
        page.emulate_media(reduced_motion="reduce")
        page.reload()
        expect(replay).to_have_attribute("data-moment", "4")
        expect(page.locator(".moments").get_by_role("button", name="Play")).to_be_visible()
        page.locator("[data-train=train]").click()
        expect(page.locator("[data-train=accuracy] svg")).to_be_visible()
        expect(replay).to_be_visible()


@pytest.mark.thorough
def test_an_address_that_names_a_moment_is_not_played_over_and_what_it_cannot_be_is_named(browser, address):
    for page in visited(browser, address):
        page.evaluate(PLAYED)
        with in_motion(page):
            page.goto(f"{address}?tab=train&train.moment=2&train.fed=own&train.example=9&train.layers=1")
            expect(page.locator("#toolbar .notice")).to_contain_text("train.example")
            expect(page.locator("#train input[name=layers][value='1']")).to_be_checked()
            page.goto(f"{address}?tab=train&train.moment=2&train.fed=own&train.example=2")
            shown_moment(page, 1)
            expect(page.locator(".replay [data-fed=own]")).to_have_attribute("aria-pressed", "true")
            expect(page.locator(".moments [data-go=play]")).not_to_have_class(re.compile("playing"))


def test_without_a_story_its_place_says_how_to_get_one(new_page):
    open_tab(new_page, "Train one")
    expect(new_page.get_by_text(words.NO_STORY[:60])).to_be_visible()
    assert new_page.locator(".replay [data-pane]").count() == 0
