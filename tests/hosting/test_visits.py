"""What Gradio keeps of visits and of its own events: bounded, whatever comes. And how often it looks for them."""

import inspect
import threading
from collections.abc import Iterator

import gradio as gr
import httpx
import pytest
from gradio.queueing import Queue
from serving import free_port, get, post, until

from explorer.server import launch

ROOM = 2


@pytest.fixture
def hold() -> Iterator[threading.Event]:
    """What the page's event waits for."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def page(hold, monkeypatch) -> Iterator[gr.Blocks]:
    """A page of one event, with room for two visits and two events in line."""
    monkeypatch.setattr(launch, "MAX_SESSIONS", ROOM)
    monkeypatch.setattr(launch, "MAX_GRADIO_EVENTS", ROOM)
    monkeypatch.setattr(launch, "MAX_PENDING_SESSIONS", ROOM)
    with gr.Blocks() as page:
        box = gr.Textbox()
        box.submit(lambda text: text if hold.wait(30) else "too late", box, box)
    launch.launch(page, port=free_port(), prevent_thread_lock=True, quiet=True)
    yield page
    hold.set()
    page.close(verbose=False)


def joined(page: gr.Blocks, visit: str) -> httpx.Response:
    """What a visit is told that asks for the event."""
    asked = {"data": [visit], "fn_index": 0, "session_hash": visit, "event_data": None, "trigger_id": None}
    return post(f"{page.local_url}gradio_api/queue/join", json=asked)


def answered(page: gr.Blocks, visit: str) -> str:
    """All that a visit hears of its event, until it is over."""
    return get(f"{page.local_url}gradio_api/queue/data", params={"session_hash": visit}).text


def test_the_values_of_old_visits_are_let_go(page, hold):
    hold.set()
    for visit in ("one", "two", "three", "four"):
        assert joined(page, visit).is_success and visit in answered(page, visit)
    assert [*page.state_holder.session_data] == ["three", "four"]


def test_a_visit_that_was_let_go_goes_on(page, hold):
    hold.set()
    for visit in ("one", "two", "three", "one"):
        assert joined(page, visit).is_success and f'["{visit}"]' in answered(page, visit).replace(" ", "")


def test_answers_that_nobody_reads_are_let_go_the_idlest_first(page, hold):
    hold.set()
    for visit in ("one", "two"):
        assert joined(page, visit).is_success
    until(lambda: not len(page._queue) and not any(page._queue.active_jobs))  # both are answered
    assert "one" in answered(page, "one") and joined(page, "three").is_success
    assert {*page._queue.pending_messages_per_session} == {"one", "three"}
    assert "three" in answered(page, "three")


def test_a_full_queue_says_so_at_once(page):
    answers = [joined(page, f"visit {i}") for i in range(ROOM + 3)]
    full = [answer for answer in answers if not answer.is_success]
    assert full and all(answer.status_code == 503 and "Queue is full" in answer.text for answer in full)


def test_an_empty_queue_is_looked_at_twenty_times_a_second(page):
    assert page._queue.sleep_when_free == page._queue.progress_update_sleep_when_free == 0.05
    assert "asyncio.sleep(self.sleep_when_free)" in inspect.getsource(Queue.start_processing)
    assert "asyncio.sleep(self.progress_update_sleep_when_free)" in inspect.getsource(Queue.start_progress_updates)
