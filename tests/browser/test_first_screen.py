"""The first screen: the whole German at once, ribbons between the words, a picture that uses the height."""

from collections.abc import Iterator
from urllib.parse import urljoin

import pytest
from cases import each_case
from playwright.sync_api import Browser, Page, expect
from visiting import TIMEOUT, begin_again, drawn, go_to, needs_browser, next_frames, target, visited

from explorer.recording.default_step import default_step
from explorer.recording.sentence import examples
from explorer.recording.trace import Trace, record
from model.decoding import Translator

pytestmark = needs_browser
FIRST = examples()[0]
MAX_WIDTH = 16  # pixels of a ribbon (word_ribbons.js)
RIBBONS = """[...document.querySelectorAll(".word-ribbons path")].map((path) =>
    (path.style.display === "none" ? 0 : Number(path.getAttribute("stroke-width"))))"""
ENDS = """() => {
    const path = [...document.querySelectorAll(".word-ribbons path")].find((path) => path.style.display !== "none");
    const { left } = path.ownerSVGElement.getBoundingClientRect(), word = document.querySelector(".piece.current");
    const box = word.getBoundingClientRect();
    return Math.abs(path.getPointAtLength(0).x + left - (box.left + box.width / 2));
}"""
CELL = """() => {
    const { width, height } = document.querySelector("[data-pane=first] .nsewdrag").getBoundingClientRect();
    const { data: [{ z }] } = document.querySelector("[data-pane=first] .heatmap");
    return [width / z[0].length, height / z.length];
}"""
SCROLLS = "document.documentElement.scrollHeight > innerHeight"
ROW_LABELS = """[...document.querySelectorAll("[data-pane=first] .ytick")]
    .map((tick) => [tick.textContent, tick.style.visibility !== "hidden",
        getComputedStyle(tick.querySelector("text")).fontWeight])"""


@pytest.fixture
def page(shared_page: Page) -> Page:
    return begin_again(shared_page, level="picture")


@pytest.fixture(scope="module")
def trace(shipped: Translator) -> Trace:
    return record(shipped, FIRST["sentence"])


def test_the_german_stands_there_whole_and_what_is_to_come_is_grey(page, trace):
    words = [step.predicted.text.removeprefix("·") for step in trace.steps]
    assert page.locator("[data-role=target] .piece > span").all_inner_texts() == ["(start)", *words[:-1], "(end)"]
    step = default_step(trace, FIRST["subject"])
    assert target(page) == ["(start)", *words[: step + 1]]
    later = page.locator("[data-role=target] .piece.later")
    colour = "(node) => getComputedStyle(node).color"
    assert later.first.evaluate(colour) != page.locator("[data-role=target] .piece.current").evaluate(colour)
    later.last.click()  # a word that is to come leads to its step
    expect(page.locator(".viewer")).to_have_attribute("data-step", str(len(words)))
    expect(later).to_have_count(0)


def test_the_most_probable_words_of_the_step_are_named(page, trace):
    step = trace.steps[default_step(trace, FIRST["subject"])]
    shares = [f"“{one.piece.text.lstrip('·')}” {100 * one.probability:.0f}%" for one in step.candidates[:3]]
    expect(page.locator("#viewer .choices")).to_have_text(f"Most probable here: {', '.join(shares)}.")
    begin_again(page, level="picture", kind="encoder")  # whose rows are English words
    expect(page.locator("#viewer .choices")).to_be_hidden()


def test_the_footer_leads_to_guide_source_licence_and_api(browser, shipped_page):
    for page in visited(browser, shipped_page):
        links = page.locator("#footer a")
        expect(links).to_have_count(3)
        for link in links.all():
            assert page.request.get(urljoin(page.url, link.get_attribute("href"))).ok

    # Gradio's panel asks for routes that the server does not have, which the browser reports.
    page = browser.new_page()
    page.goto(shipped_page)
    page.locator("#footer button").click()
    expect(page.get_by_role("heading", name="API documentation")).to_be_visible()
    page.close()


def test_ribbons_are_as_wide_as_the_weights_and_end_at_the_current_word(page, trace):
    for step in (3, default_step(trace, FIRST["subject"])):
        go_to(page, step)
        row = [weight if weight >= 0.02 else 0 for weight in trace.cross.matrix(-1, "mean")[step]]
        page.wait_for_function(
            f"(widths) => {RIBBONS}.every((width, i) => Math.abs(width - widths[i]) < 0.01)",
            arg=[MAX_WIDTH * float(weight) for weight in row],
        )
        assert page.evaluate(ENDS) < 1
    page.get_by_role("button", name="Reading the English").click()
    assert page.evaluate(RIBBONS) == []  # no word is looked at
    page.locator("[data-role=source] .piece", has_text="shirt").click()
    assert max(page.evaluate(RIBBONS)) > 1


@pytest.fixture
def first_visit(browser: Browser, shipped_page: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(reduced_motion=getattr(request, "param", "no-preference"))
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    page.goto(shipped_page)
    expect(page.locator("#viewer .status")).not_to_be_empty()
    yield page
    context.close()


def test_a_first_visit_plays_once_up_to_the_default_step(first_visit, trace):
    viewer, end = first_visit.locator("#viewer .viewer"), str(default_step(trace, FIRST["subject"]) + 1)
    expect(first_visit.locator("[data-go=play]")).to_have_attribute("aria-label", "Pause")
    assert viewer.get_attribute("data-step") != end
    expect(viewer).to_have_attribute("data-step", end)
    expect(first_visit.locator("[data-go=play]")).to_have_attribute("aria-label", "Play")
    first_visit.goto(first_visit.url.partition("?")[0])
    expect(viewer).to_have_attribute("data-step", end)
    expect(first_visit.locator("[data-go=play]")).to_have_attribute("aria-label", "Play")


@pytest.mark.parametrize("stop", ["Shift", "Space", "button"])
def test_any_input_stops_it(first_visit, stop):
    play = first_visit.locator("[data-go=play]")
    expect(play).to_have_attribute("aria-label", "Pause")
    play.click() if stop == "button" else first_visit.keyboard.press(stop)
    expect(play).to_have_attribute("aria-label", "Play")
    next_frames(first_visit)
    expect(play).to_have_attribute("aria-label", "Play")


@pytest.mark.parametrize("first_visit", ["reduce"], indirect=True)
def test_nothing_moves_where_less_motion_is_wanted(first_visit, trace):
    expect(first_visit.locator("#viewer .viewer")).to_have_attribute(
        "data-step", str(default_step(trace, FIRST["subject"]) + 1)
    )
    expect(first_visit.locator("[data-go=play]")).to_have_attribute("aria-label", "Play")


def test_a_desk_shows_all_of_it_without_scrolling_and_a_large_screen_square_cells(browser, shipped_page):
    for page in visited(browser, shipped_page, level="picture"):
        assert not page.evaluate(SCROLLS)
        page.wait_for_function(
            f"() => String({ROW_LABELS}.filter(([, , weight]) => weight === '700')) === 'putzt,true,700'"
        )
        page.set_viewport_size({"width": 1920, "height": 1080})
        page.wait_for_function(f"() => {{ const [w, h] = ({CELL})(); return Math.abs(w - h) < 1 && w >= 28; }}")
        assert not page.evaluate(SCROLLS)


@each_case(("query", "size"), [("", (1280, 720)), ("?embed=1", (800, 450))])
def test_a_projector_and_a_frame_show_every_row(browser, shipped_page, query, size):
    for page in visited(browser, f"{shipped_page}{query}", *size, level="picture"):
        if not query:
            page.keyboard.press("p")
            expect(page.locator("#viewer [data-role=slider]")).to_be_visible()
        rows = len(drawn(page).queries)
        least = 24 if not query else 14
        page.wait_for_function(f"() => ({CELL})()[1] >= {least}")
        box = page.locator("[data-pane=first] .nsewdrag").bounding_box()
        assert box is not None and box["y"] + box["height"] <= size[1]
        labels = page.evaluate(ROW_LABELS)
        step = int(page.locator("#viewer .viewer").get_attribute("data-step") or 0)
        assert len(labels) == rows and all(visible for _, visible, _ in labels[:step])
