"""Waiting for the model: how many are ahead, stopping, a line that is full, and answers that come too late."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from time import monotonic, sleep

import pytest
from playwright.sync_api import Page, expect
from serving import launched
from visiting import BOX, ask, at_rest, expect_sentence, needs_browser, translate, visited

from explorer.attention_view.component import words as view_words
from explorer.page.ui import create_ui
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.server.ask import AnswerService
from explorer.ui import words as shared_words
from explorer.ui.component import bundle, url
from explorer.ui.fair_queue import FairQueue
from explorer.ui.scheduler import Scheduler
from explorer.ui.translations import load

pytestmark = needs_browser
SAID = ".draft [role=status]"
# Has answers come only when `late[text]` is called (setRequestHandler of ui/server.js).
LATE = r"""async (bundle) => {
    const { default: modules } = await import(bundle);
    window.late = {};
    modules["ui/server.js"].setRequestHandler((question, [text], { language }) => new Promise((answered) => {
        late[text] = async () => {
            const body = JSON.stringify({ question, arguments: [text], language });
            const headers = { "Content-Type": "application/json" };
            answered((await (await fetch("/ask", { method: "POST", headers, body })).text()).trim().split("\n").pop());
        };
    }));
}"""


@pytest.fixture(scope="module")
def app(toy) -> AppContext:
    return AppContext(Recordings(toy), None)


@pytest.fixture(scope="module")
def address(app: AppContext) -> Iterator[str]:
    yield from launched(create_ui(app), AnswerService(app))


@pytest.fixture
def page(browser, address) -> Iterator[Page]:
    yield from visited(browser, address)


def until_waiting(queue: FairQueue, number: int) -> None:
    """Until so many jobs wait or are being done."""
    end = monotonic() + 30
    while len(queue) != number:
        assert monotonic() < end, f"{len(queue)} wait, not {number}"
        sleep(0.01)


@contextmanager
def held_up(scheduler: Scheduler, *others: str) -> Iterator[list[Event]]:
    """Other visitors, who were served before, are ahead; each is done when their event is set, the last at the end."""
    gates, here = [Event() for _ in others], "127.0.0.1"
    for other, gate in zip(others, gates, strict=True):
        visitor = f"{other} {secrets.token_hex(8)}"
        scheduler.queue.regulars[here, visitor] = None
        scheduler.put(gate.wait, visitor, address=here)
    try:
        yield gates
    finally:
        for gate in gates:
            gate.set()
        until_waiting(scheduler.queue, 0)


def test_who_waits_sees_how_many_are_ahead_until_the_answer_is_there(page, app):
    stop = page.get_by_role("button", name="Stop", exact=True)
    with held_up(app.scheduler, "ann", "bob", "eve") as gates:
        ask(page, "A dog.")
        expect(page.locator(SAID)).to_have_text("In line: 3 ahead of you.")
        expect(stop).to_be_visible()
        gates[0].set()
        expect(page.locator(SAID)).to_have_text("In line: 2 ahead of you.")
    expect_sentence(page, "A dog.")
    expect(page.locator(SAID)).to_be_empty()
    expect(stop).to_be_hidden()
    with held_up(app.scheduler, "ann"):
        page.get_by_role("tab", name="Whole model").click()
        expect(page.locator(SAID)).to_have_text("In line: 1 ahead of you.")
    expect(page.locator("#whole [role=alert]")).to_be_empty()
    expect(page.locator("#whole [data-role=caption]")).not_to_be_empty()
    expect(page.locator(SAID)).to_be_empty()


def test_stop_leaves_the_line_and_the_text_in_the_box(browser, address, app):
    for page in visited(browser, f"{address}de"):
        with held_up(app.scheduler, "ann"):
            page.fill(BOX, "The old dog.")
            page.press(BOX, "Enter")
            expect(page.locator(SAID)).to_have_text("In der Schlange: 1 vor dir.")
            stop = page.get_by_role("button", name="Abbrechen", exact=True)
            stop.focus()
            stop.press("Enter")
            expect(page.locator("#viewer .message")).to_have_text(load(view_words.folder, "de")["TEXT"]["stopped"])
            until_waiting(app.scheduler.queue, 1)
            expect(page.locator("#viewer .viewer")).to_have_attribute("aria-busy", "false")
            expect(page.get_by_role("tab", selected=True).first).to_be_focused()  # not lost with the button
            assert page.input_value(BOX) == "The old dog."
        page.press(BOX, "Enter")
        expect_sentence(page, "The old dog.")
        expect(page.locator("#viewer .message")).to_be_empty()


@pytest.mark.thorough
def test_who_asks_again_has_left_the_line_with_what_he_asked_before(page, app):
    with held_up(app.scheduler, "ann", "bob"):
        ask(page, "A cat.")
        expect(page.locator(SAID)).to_have_text("In line: 2 ahead of you.")
        with page.expect_response("**/ask"):  # which begins when it stands in line
            ask(page, "A bird.")
        until_waiting(app.scheduler.queue, 3)
    expect_sentence(page, "A bird.")
    expect(page.locator("#viewer .message")).to_be_empty()


def test_an_answer_that_was_overtaken_is_not_shown(page):
    page.evaluate(LATE, url(bundle()))
    for sentence in ("The cat.", "The bird."):
        ask(page, sentence)
        page.wait_for_function("(text) => late[text]", arg=sentence)
    page.evaluate("late['The bird.']()")
    expect_sentence(page, "The bird.")
    page.evaluate("late['The cat.']()")
    at_rest(page)
    expect_sentence(page, "The bird.")
    expect(page.locator("#viewer .viewer")).to_have_attribute("aria-busy", "false")


def test_a_full_queue_says_so_and_nothing_is_asked_of_gradio(page, address, app, monkeypatch):
    page = page.context.new_page()  # its console says what is refused
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}?level=heads")
    translate(page, "The water.")
    with monkeypatch.context() as full:
        full.setattr(app.scheduler.queue, "max_jobs", 0)
        ask(page, "The cold water.")
        message = page.locator("#viewer .message")
        expect(message).to_have_text(shared_words.REFUSALS["full"].format(seconds=1))
        assert page.input_value(BOX) == "The cold water."
        expect_sentence(page, "The water.")
    translate(page, "The cold water.")
    assert sum(each.endswith("/ask") for each in asked) == 3
    assert not [each for each in asked if "/queue/" in each]  # so that Gradio keeps nothing of the visitor
    page.close()
