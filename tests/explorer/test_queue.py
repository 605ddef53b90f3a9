"""The line in which work on the model waits: bounded, fair, in batches, and one may leave it."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from threading import Event, Thread, current_thread
from time import sleep
from typing import Any

import pytest
from cases import each_case

from explorer.ui.language import LANGUAGE_CONTEXT, LanguageContext, use_language
from explorer.ui.queue import BACKGROUND_VISITOR, MAX_BATCH, FairQueue, Job, QueueFull, Scheduler


class Held:
    """A queue whose worker is held up by a job until `go`."""

    def __init__(self, together: Callable[[Sequence[str]], None] = list, **limits: int):
        self.done: list[Any] = []
        self.queue = Scheduler(together, **limits)
        self.gate, started = Event(), Event()

        def hold() -> None:
            started.set()
            assert self.gate.wait(60)

        self.holding = self.queue.put(hold, "holder")
        assert started.wait(60)

    def put(self, name: Any, visitor: str = "ann", sentence: str | None = None) -> Job:
        return self.queue.put(lambda: self.done.append(name), visitor, sentence)

    def go(self) -> list[Any]:
        """Lets the worker go on until nothing waits; what was done, in order."""
        last = self.queue.put(lambda: None, "last of all") if len(self.queue) < self.queue.max_jobs else None
        self.gate.set()
        for job in [self.holding, *([last] if last else [])]:
            job.done.result(60)
        while len(self.queue):
            sleep(0.001)
        return self.done


def test_visitors_take_turns_however_much_one_of_them_asks_for():
    held = Held()
    for name in range(5):
        held.put(f"ann {name}", "ann")
    held.put("bob", "bob")
    held.put("eve", "eve")
    assert held.go() == ["ann 0", "bob", "eve", "ann 1", "ann 2", "ann 3", "ann 4"]


def test_what_pages_ask_in_the_background_comes_after_everybody_else():
    held = Held()
    job = held.put("search", BACKGROUND_VISITOR)
    others = [held.put(name, name[:3]) for name in ("ann 0", "ann 1", "bob")]
    assert [held.queue.ahead(one) for one in [*others, job]] == [1, 3, 2, 4]
    assert held.go() == ["ann 0", "bob", "ann 1", "search"]


@each_case("order", ["aabbbc", "ccccab"])
def test_as_many_are_ahead_as_come_first(order):
    line = FairQueue()
    waiting = [Job(visitor, lambda: None, None) for visitor in order]
    for job in waiting:
        line.add(job)
    said = {job: line.ahead(job) for job in waiting}
    served = [job for _ in waiting for job in line.pop_batch(MAX_BATCH)]
    assert [said[job] for job in served] == [*range(len(order))]


def test_a_full_line_refuses_and_says_for_how_long():
    held = Held(max_jobs=3, max_jobs_per_visitor=2)
    held.put(1), held.put(2)
    with pytest.raises(QueueFull) as full:
        held.put(3)
    assert full.value.seconds >= 1
    held.put(4, "bob")
    with pytest.raises(QueueFull):
        held.put(5, "eve")
    assert held.go() == [1, 4, 2]


def test_sentences_that_wait_are_translated_together_and_no_more_than_a_batch_holds():
    batches: list[Sequence[str]] = []
    held = Held(batches.append)
    for visitor in ("ann", "bob"):
        held.put(visitor, visitor, f"{visitor}'s sentence")
    held.put("arithmetic", "eve")
    held.put("ann again", "ann", "another")
    held.put("joe", "joe", "joe's sentence")
    assert held.go() == ["ann", "bob", "joe", "arithmetic", "ann again"]
    assert batches == [["ann's sentence", "bob's sentence", "joe's sentence"]]
    held = Held(lambda batch: batches.append(batch))
    for number in range(MAX_BATCH + 3):
        held.put(number, f"{number}", "a sentence")
    assert held.go() == [*range(MAX_BATCH + 3)] and [len(batch) for batch in batches[1:]] == [MAX_BATCH, 3]


def test_where_a_batch_fails_so_do_its_jobs_and_no_other():
    def fails(batch: Sequence[str]) -> None:
        raise MemoryError

    held = Held(fails)
    ours = [held.put(1, "ann", "one"), held.put(2, "bob", "two")]
    held.put(3, "eve")
    assert held.go() == [3]
    assert [type(job.done.exception(20)) for job in ours] == [MemoryError, MemoryError]


def test_the_thread_ends_where_nothing_comes_and_another_starts(monkeypatch):
    monkeypatch.setattr("explorer.ui.queue.IDLE_SECONDS", 0.01)
    queue = Scheduler(list)
    first = queue.put(current_thread).done.result(60)
    first.join(60)
    assert not first.is_alive() and queue.worker is None
    second = queue.put(current_thread).done.result(60)
    assert second is not first and second.daemon


def test_work_is_done_by_the_model_thread_in_the_language_of_the_request():
    def work() -> tuple[str, str]:
        return LANGUAGE_CONTEXT.get().language, current_thread().name

    with use_language(LanguageContext("de")):
        language, thread = asyncio.run(Scheduler(list).result_of(work, "ann"))
    assert language == "de"
    assert thread.startswith("model")


def test_who_stops_listening_has_left_the_line():
    held = Held()

    async def leaves() -> None:
        async with asyncio.timeout(0.05):
            await held.queue.result_of(lambda: held.done.append("left"), "ann")

    with pytest.raises(TimeoutError):
        asyncio.run(leaves())
    stays = held.put("stayed", "bob")
    assert held.queue.ahead(stays) == 1
    assert held.go() == ["stayed"]


def test_who_waits_hears_how_many_are_ahead(monkeypatch):
    monkeypatch.setattr("explorer.ui.queue.POSITION_SECONDS", 0.01)
    held = Held()
    held.put(1, "bob")

    async def listens() -> list[int]:
        job, heard = held.put(2, "ann"), []
        async for ahead in held.queue.positions(job):
            heard.append(ahead)
            held.gate.set()
        return heard

    heard = asyncio.run(listens())
    assert heard[0] == 2
    assert heard == sorted(heard, reverse=True)


def test_a_line_that_is_closed_answers_nobody_any_more():
    held = Held()
    waits = held.put("late", "ann")
    closing = Thread(target=held.queue.close)
    closing.start()
    with pytest.raises(CancelledError):
        waits.done.result(60)
    held.gate.set()
    closing.join(60)
    assert held.holding.done.result(0) is None and held.done == []
    with pytest.raises(QueueFull):
        held.put("too late")


def test_a_sentence_that_nobody_waits_for_any_more_is_not_translated():
    batches: list[Sequence[str]] = []
    held = Held(batches.append)
    waiting = [held.put(visitor, visitor, f"{visitor}'s sentence") for visitor in ("ann", "bob", "joe")]
    assert waiting[0].done.cancel()
    assert held.go() == ["bob", "joe"]
    assert batches == [["bob's sentence", "joe's sentence"]]
