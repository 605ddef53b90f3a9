"""The first screen: the whole German at once, ribbons between the words, a picture that uses the height."""

from collections.abc import Iterator
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Locator, Page, expect
from remarks import default_step
from visiting import (
    DESK,
    HOLD_TIME,
    MOTION,
    PHONE,
    WAITING,
    at_rest,
    begin_again,
    draw_again,
    drawn,
    eventually,
    follow,
    go_to,
    in_motion,
    needs_browser,
    target,
    time_held,
    visited,
)

from explorer.recording.sentence import examples
from explorer.recording.trace import Trace, record
from model.decoding import Translator

pytestmark = needs_browser
FIRST = examples()[0]
MAX_WIDTH = 16  # pixels of a ribbon (ribbons.js)
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
INK = """(canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data
    .filter((part, i) => i % 4 === 3 && part > 0).length"""
SCROLLS = "document.documentElement.scrollHeight > innerHeight"
CURRENT_ROW = """() =>
    document.querySelector("[data-pane=first] .mark").getBoundingClientRect().bottom <= innerHeight"""
GERMAN_WORDS = "performance.getEntriesByType('resource').filter(({ name }) => name.includes('words.bloom')).length"
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


def test_the_footer_leads_to_classes_guide_source_licence_and_api(browser, shipped_page):
    for page in visited(browser, shipped_page):
        links = page.locator("#footer a")
        expect(links).to_have_count(4)
        for link in links.all():
            assert page.request.get(urljoin(page.url, link.get_attribute("href"))).ok

        # Gradio's panel asks for routes that the server does not have, which the browser reports.
        page = page.context.new_page()
        page.goto(shipped_page)
        expect(page.locator("#viewer .status")).not_to_be_empty()  # until then a click on a button does nothing
        page.locator("#footer button").click()
        expect(page.get_by_role("heading", name="API documentation")).to_be_visible()
        page.close()


def test_ribbons_are_as_wide_as_the_weights_and_end_at_the_current_word(page, trace):
    for step in (3, default_step(trace, FIRST["subject"])):
        with in_motion(page):  # ribbons glide
            go_to(page, step)
        row = [weight if weight >= 0.02 else 0 for weight in trace.cross.matrix(-1, "mean")[step]]
        assert page.evaluate(RIBBONS) == pytest.approx([MAX_WIDTH * float(weight) for weight in row], abs=0.01)
        assert page.evaluate(ENDS) < 1
    page.get_by_role("button", name="Reading the English").click()
    finding = page.locator("#viewer .plain")
    expect(finding).to_contain_text("While reading “cleaning”")  # a word to begin with
    at_rest(page)
    assert max(page.evaluate(RIBBONS)) > 1
    shirt = page.locator("[data-role=source] .piece", has_text="shirt")
    shirt.click()
    expect(finding).to_contain_text("While reading “shirt”")


def test_pointing_at_a_word_or_focusing_it_shows_where_it_looks_and_leaving_gives_the_state_back(page):
    finding, source = page.locator("#viewer .plain"), page.locator("[data-role=source]")
    words = {
        "encoder": (source, "shirt", "While reading “shirt”"),
        "cross": (source, "shirt", "looks at “shirt” most while writing “Hemd”"),
        "decoder": (page.locator("[data-role=target]"), "Hemd", "To write “Hemd”"),
    }
    for kind, (strip, word, sentence) in words.items():
        page.locator(f"#viewer .kinds [value={kind}]").click()
        piece, before = strip.locator(".piece", has_text=word), finding.inner_text()
        piece.hover()
        expect(finding).to_contain_text(sentence)
        expect(piece).to_have_attribute("aria-pressed", "false")
        draw_again(page)
        expect(finding).to_contain_text(sentence)
        page.mouse.move(0, 0)
        expect(finding).to_have_text(before)
        strip.locator(".piece").nth(5).focus()
        page.keyboard.press("ArrowRight")  # words of a strip share a tab stop
        expect(finding).not_to_have_text(before)
        page.evaluate("document.activeElement.blur()")
        expect(finding).to_have_text(before)


MOVING = """(keys) => {
    for (const key of keys) document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    return document.getAnimations().map(({ effect }) => effect.target.matches(".piece") ? "word" : "row");
}"""
# The clock stands so many milliseconds from now: what comes then comes at once, as while a key is held.
STOP_CLOCK = """(milliseconds) => {
    delete performance.now;
    const now = performance.now() + milliseconds;
    performance.now = () => now;
}"""


def test_words_and_rows_move_with_a_step_unless_a_key_is_held_or_motion_is_unwanted(page):
    with in_motion(page):
        page.evaluate(STOP_CLOCK, 300)
        assert {*page.evaluate(MOVING, ["ArrowLeft"])} == {"word", "row"}
        at_rest(page)
        assert page.evaluate(MOVING, ["ArrowLeft"]) == []
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(STOP_CLOCK, 300)
    assert page.evaluate(MOVING, ["ArrowRight"]) == []
    page.evaluate("delete performance.now")
    page.emulate_media(reduced_motion=MOTION)


@pytest.fixture
def first_visit(shared_page: Page) -> Iterator[Page]:
    page = shared_page.context.new_page()  # which has the page's files
    page.emulate_media(reduced_motion="no-preference")
    page.add_init_script(HOLD_TIME)
    yield page
    page.close()


def arrive_first(page: Page, address: str) -> Locator:
    """As if nobody had been here with this browser; the button that plays."""
    page.goto(address + WAITING)
    page.evaluate("localStorage.clear()")
    page.goto(address)
    expect(page.locator("#viewer .status")).not_to_be_empty()
    return page.locator("[data-go=play]")


def expect_the_end_of_a_film(page: Page, word: str, steps: int) -> None:
    """The German is written, and the word that it is about is marked until the next step."""
    expect(page.locator("#viewer .plain")).to_contain_text(f"Finished. To write “{word}”")
    expect(page.locator("#viewer .viewer")).to_have_attribute("data-step", str(steps))
    pinned = page.locator("[data-role=target] .pinned > span")
    expect(pinned).to_have_text([word])
    expect(page.locator("[data-go=play]")).to_have_attribute("aria-label", "Play")
    page.keyboard.press("ArrowLeft")
    expect(pinned).to_have_count(0)


def test_a_first_visit_plays_once_to_the_end_unless_it_is_stopped(first_visit, shipped_page, trace):
    viewer, end = first_visit.locator("#viewer .viewer"), str(default_step(trace, FIRST["subject"]) + 1)
    play = arrive_first(first_visit, shipped_page)
    expect(play).to_have_attribute("aria-label", "Pause")
    expect(viewer).to_have_attribute("data-step", "1")
    first_visit.evaluate("window.pace = 10")
    expect_the_end_of_a_film(first_visit, "putzt", len(trace.steps))
    assert not first_visit.evaluate(GERMAN_WORDS), "its German was looked up before"
    first_visit.locator("#sentence input").fill("We sleep.")
    first_visit.keyboard.press("Enter")  # a sentence of one's own plays, too
    expect_the_end_of_a_film(first_visit, "schlafen", 4)
    assert first_visit.evaluate(GERMAN_WORDS)
    begin_again(first_visit, level="picture", sentence="Tom sleeps.")  # a link does not
    expect(play).to_have_attribute("aria-label", "Play")
    expect(viewer).not_to_have_attribute("data-step", "1")
    first_visit.goto(shipped_page)
    expect(viewer).to_have_attribute("data-step", end)
    expect(play).to_have_attribute("aria-label", "Play")
    for stop in (lambda: first_visit.keyboard.press("Space"), play.click):
        arrive_first(first_visit, shipped_page)
        expect(play).to_have_attribute("aria-label", "Pause")
        stop()
        expect(play).to_have_attribute("aria-label", "Play")
        first_visit.evaluate("window.pace = 1")
        at_rest(first_visit)
        expect(viewer).to_have_attribute("data-step", "1")
    first_visit.emulate_media(reduced_motion="reduce")  # where nothing moves
    arrive_first(first_visit, shipped_page)
    expect(viewer).to_have_attribute("data-step", end)
    expect(play).to_have_attribute("aria-label", "Play")


def test_a_film_that_gives_way_to_another_tab_or_a_tool_ends_at_its_end(first_visit, shipped_page, trace):
    viewer = first_visit.locator("#viewer .viewer")
    heads = first_visit.get_by_role("tab", name="Heads", exact=True)
    theme = first_visit.locator("[data-tool=theme]")
    for lead_on in (heads.click, lambda: heads.press("Enter"), lambda: theme.press("Space")):
        play = arrive_first(first_visit, shipped_page)
        expect(play).to_have_attribute("aria-label", "Pause")
        expect(viewer).to_have_attribute("data-step", "1")
        lead_on()
        expect(play).to_have_attribute("aria-label", "Play")
        expect(viewer).to_have_attribute("data-step", str(len(trace.steps)))
    expect(first_visit.locator("[data-role=target] .pinned > span")).to_have_text(["putzt"])  # the tool stays there
    arrive_first(first_visit, shipped_page)
    first_visit.locator("[data-tool=tour]").click()  # which begins where the sentence tells most
    step = str(default_step(trace, FIRST["subject"]) + 1)
    expect(first_visit.locator("#whole [data-role=step]")).to_have_value(step)


@pytest.mark.thorough
def test_every_row_is_shown_at_a_desk_on_a_large_screen_a_projector_and_in_a_frame(browser, shipped_page):
    for page in visited(browser, shipped_page, level="picture"):
        page.wait_for_function(f"!({SCROLLS})")
        page.wait_for_function(
            f"() => String({ROW_LABELS}.filter(([, , weight]) => weight === '700')) === 'putzt,true,700'"
        )
        page.set_viewport_size({"width": 1920, "height": 1080})
        page.wait_for_function(f"() => {{ const [w, h] = ({CELL})(); return w >= 56 && h >= 28; }}")
        page.wait_for_function(f"!({SCROLLS})")
        page.set_viewport_size({"width": 1280, "height": 720})
        page.keyboard.press("End")
        for level in ("heads", "picture"):
            page.locator(f"[data-level={level}]").first.click()
            page.wait_for_function(CURRENT_ROW)
        begin_again(page, level="picture")
        page.keyboard.press("p")
        eventually(page, expect_every_row, page, least=24, height=720)
        page.keyboard.press("p")
        page.set_viewport_size({"width": 800, "height": 450})
        page.goto(f"{shipped_page}?embed=1")
        eventually(page, expect_every_row, page, least=14, height=450)


def expect_every_row(page: Page, least: int, height: int) -> None:
    """The rows are so high, and all of them are labelled up to the step."""
    rows = len(drawn(page).queries)
    page.wait_for_function(f"() => ({CELL})()[1] >= {least}")
    box = page.locator("[data-pane=first] .nsewdrag").bounding_box()
    assert box is not None and box["y"] + box["height"] <= height
    labels = page.evaluate(ROW_LABELS)
    step = int(page.locator("#viewer .viewer").get_attribute("data-step") or 0)
    assert len(labels) == rows and all(visible for _, visible, _ in labels[:step])


def test_who_is_new_is_invited_once_and_the_tour_is_the_guided_flight_from_the_step_of_now(page):
    page.evaluate("localStorage.removeItem('attention-explorer:tour')")
    page.reload()
    button, stops = page.locator("[data-tool=tour]"), page.locator("#whole .stops button")
    expect(button).to_have_text("Take the tour")
    expect(button).to_have_class("inviting")
    button.press("Enter")
    expect(page.get_by_role("tab", name="Whole model")).to_have_attribute("aria-selected", "true")
    expect(stops.first).to_have_attribute("aria-current", "step")
    page.keyboard.press("Enter")  # the focus is at the button of the next stop
    expect(stops.nth(1)).to_have_attribute("aria-current", "step")
    page.locator("#whole [data-role=step]").fill("3")
    button.click()
    expect(stops.first).to_have_attribute("aria-current", "step")
    expect(page.locator("#whole [data-role=step]")).to_have_value("3")
    expect(button).to_have_text("Tour")
    expect(button).not_to_have_class("inviting")


@pytest.mark.thorough  # test_site.py presses it in the folder
def test_one_press_plays_the_sentence_in_the_whole_model_from_its_first_step_on(page):
    card, step = page.get_by_role("button", name="The whole model, at work"), page.locator("#whole [data-role=step]")
    play = page.locator("#whole [data-go=play]")
    expect(card).to_be_visible()
    assert card.locator("canvas").evaluate(INK) > 500
    assert not page.evaluate(SCROLLS)
    with time_held(page):
        card.press("Enter")
        expect(page.get_by_role("tab", name="Whole model")).to_have_attribute("aria-selected", "true")
        expect(step).to_have_value("1")
        expect(play).to_have_attribute("aria-label", "Pause")
    expect(step).to_have_value("3")  # the picture moves
    page.keyboard.press("Space")
    expect(play).to_have_attribute("aria-label", "Play")


def test_the_whole_model_in_small_stands_only_where_it_has_room(page):
    card = page.locator("#viewer .card")
    page.set_viewport_size({"width": 1920, "height": 1080})
    at_rest(page)
    expect(card).to_be_visible()
    for query in (
        "?level=heads",
        "?level=picture&drawer.panel=hide",
        "?level=picture&embed=1",
        "?level=picture&lesson=compound.1",
    ):
        follow(page, query)
        expect(card).to_be_hidden()
    follow(page, "?level=picture")
    expect(card).to_be_visible()
    page.keyboard.press("p")
    expect(card).to_be_hidden()
    page.keyboard.press("p")
    for size in (DESK, (1280, 720), (1920, 1080), PHONE):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        at_rest(page)
        box, cells = card.bounding_box(), page.locator("[data-pane=first] .nsewdrag").bounding_box()
        assert box and cells
        assert box["x"] >= cells["x"] + cells["width"] or box["y"] >= cells["y"] + cells["height"], size
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
