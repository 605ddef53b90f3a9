"""The queue in which work on the model waits: bounded, fair, in batches, and one may leave it."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from threading import Event, Thread, current_thread
from time import sleep
from typing import Any

import pytest
from cases import each_case

from explorer.ui.fair_queue import BACKGROUND_VISITOR, NEWCOMERS_BESIDE, FairQueue, Job, QueueClosed, QueueFull
from explorer.ui.language import LANGUAGE_CONTEXT, LanguageContext, use_language
from explorer.ui.scheduler import MAX_BATCH_SIZE, Scheduler

HOME = "192.0.2.1"


class Held:
    """A scheduler whose worker is held up by a job until `go`. By its clock every job takes about a second."""

    def __init__(self, translate_batch: Callable[[Sequence[str]], None] = list, **limits: int):
        self.done: list[Any] = []
        self.queue = FairQueue(**limits, clock=count().__next__)
        self.scheduler = Scheduler(translate_batch, self.queue)
        self.gate, started = Event(), Event()

        def hold() -> None:
            started.set()
            assert self.gate.wait(60)

        self.holding = self.scheduler.put(hold, "holder", address="of the holder")
        assert started.wait(60)

    def put(self, name: Any, visitor: str = "ann", sentence: str | None = None) -> Job:
        return self.scheduler.put(lambda: self.done.append(name), visitor, sentence)

    def go(self) -> list[Any]:
        """Lets the worker go on until nothing waits; what was done, in order."""
        self.gate.set()
        self.holding.done.result(60)
        while len(self.queue):
            sleep(0.001)
        return self.done


class Line:
    """A FairQueue whose jobs take a second each, unless they say otherwise."""

    def __init__(self, *regulars: str):
        self.queue = FairQueue(clock=lambda: 0.0)
        self.seconds: dict[Job, float] = {}
        for name in regulars:
            self.queue.regulars[HOME, name] = None

    def put(self, name: str, address: str = HOME, seconds: float = 1.0, sentence: str | None = None) -> Job:
        job = Job(name.split()[0], lambda: name, sentence, address)
        self.seconds[job] = seconds
        self.queue.put(job)
        return job

    def serve(self) -> list[str]:
        """Serves a batch, and returns who was in it."""
        batch = self.queue.get(MAX_BATCH_SIZE)
        for job in batch:
            self.queue.task_done(job, self.seconds[job])
        return [job.work() for job in batch]

    def serve_all(self) -> str:
        """The names in the order in which they were served."""
        return " ".join(name for _ in range(len(self.queue)) for name in self.serve())


def test_visitors_take_turns_however_much_one_of_them_asks_for():
    line = Line("ann", "bob", "eve")
    for name in ["ann"] * 5 + ["bob", "eve"]:
        line.put(name)
    assert line.serve_all() == "ann bob eve ann ann ann ann"


def test_addresses_take_turns_however_many_visitors_come_from_one():
    line = Line("ann")
    for number in range(4):
        line.put(f"new{number}", "198.51.100.66")
    for _ in range(3):
        line.put("ann")
    assert line.serve_all() == "new0 ann new1 ann new2 ann new3"


def test_a_turn_is_measured_by_the_work_done():
    line = Line("ann")
    for _ in range(12):
        line.put("ann"), line.put("bob", "198.51.100.66", seconds=3)
    served = line.serve_all().split()
    assert 3 <= served[:16].count("bob") <= 5  # a quarter, each three times as long


def test_newcomers_of_an_address_have_one_turn_together_and_who_was_served_before_one_each():
    line = Line("ann", "bob")
    for number in range(4):
        line.put(f"new{number}")
    for _ in range(2):
        line.put("ann"), line.put("bob")
    assert line.serve_all() == "new0 ann bob new1 ann bob new2 new3"


def test_who_comes_back_waits_for_nobody_who_asked_for_much_meanwhile():
    line = Line("ann")
    for _ in range(20):
        line.put("bob")
        line.serve()
    for name in ("bob", "bob", "ann"):
        line.put(name)
    assert line.serve_all() in ("bob ann bob", "ann bob bob")


def test_who_has_used_much_is_served_beside_ever_new_addresses_that_have_used_nothing():
    line = Line("ann")
    line.put("ann", seconds=5), line.put("bob", "198.51.100.0")
    line.serve(), line.put("ann")
    served = []
    for number in range(20):
        line.put("new", f"198.51.100.{number + 1}")
        served += line.serve()
    assert 5 <= served.index("ann") <= 15


def test_refused_questions_make_nobody_a_regular():
    line = Line("ann")
    line.put("bob", seconds=0.001)
    line.serve()
    assert [*line.queue.regulars] == [(HOME, "ann")]


@each_case(("regulars", "size"), [([], MAX_BATCH_SIZE), (["ann"], NEWCOMERS_BESIDE)])
def test_newcomers_fill_a_batch_unless_others_would_wait_for_it(regulars, size):
    line = Line(*regulars)
    for name in regulars:
        line.put(name)
        line.serve()
    for number in range(MAX_BATCH_SIZE + 1):
        line.put(f"new{number}", sentence="a sentence")
    assert len(line.serve()) == size


def test_what_is_remembered_of_visitors_and_addresses_is_bounded():
    line = Line()
    for number in range(20_000):
        line.put(f"new{number}", f"address {number}")
        line.serve()
    assert len(line.queue.regulars) == 10_000 and len(line.queue.times) == 3000
    assert sum(len(time.finish) for time in line.queue.times.values()) < 3000


def test_what_pages_ask_in_the_background_comes_after_everybody_else():
    held = Held()
    job = held.put("search", BACKGROUND_VISITOR)
    others = [held.put(name, name[:3]) for name in ("ann 0", "ann 1", "bob")]
    assert [held.queue.position(one) for one in [*others, job]] == [1, 3, 2, 4]
    assert held.go() == ["ann 0", "bob", "ann 1", "search"]


@each_case("order", ["aabbbc", "ccccab", "aAbbBBcA"])
def test_the_queue_position_is_how_many_come_first_and_running_jobs_count(order):
    queue = FairQueue()
    waiting = [Job(name.lower(), lambda: None, None, HOME if name.isupper() else "") for name in order]
    for job in waiting:
        queue.put(job)
    positions = {job: queue.position(job) for job in waiting}
    served = [job for _ in waiting for job in queue.get(MAX_BATCH_SIZE)]
    assert [positions[job] for job in served] == [*range(len(order))] == [queue.position(job) for job in served]
    for job in served:
        queue.task_done(job, 1.0)
    assert {queue.position(job) for job in served} == {0}


def test_a_full_queue_refuses_and_says_for_how_long():
    held = Held(max_jobs=9, max_jobs_per_visitor=2)
    held.put(1), held.put(2)
    with pytest.raises(QueueFull) as full:
        held.put(3)
    assert full.value.retry_after >= 1
    held.put(4, "bob")
    with pytest.raises(QueueFull):  # three of nine places, for newcomers of one address
        held.put(5, "eve")
    assert held.go() == [1, 4, 2]


def test_one_address_leaves_room_for_others_and_its_newcomers_for_its_regulars():
    held = Held(max_jobs=12, max_jobs_per_visitor=12)
    held.queue.regulars["", "ann"] = None
    for number in range(12):
        with suppress(QueueFull):
            held.put(number, f"new {number}")
    assert len(held.queue.waiting) == 4
    for number in range(12):
        with suppress(QueueFull):
            held.put(number)
    assert len(held.queue.waiting) == 6
    held.scheduler.put(lambda: None, "eve", address=HOME)


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
    for number in range(MAX_BATCH_SIZE + 3):
        held.put(number, f"{number}", "a sentence")
    assert held.go() == [*range(MAX_BATCH_SIZE + 3)] and [len(batch) for batch in batches[1:]] == [MAX_BATCH_SIZE, 3]


def test_where_a_batch_fails_so_do_its_jobs_and_no_other():
    def fails(batch: Sequence[str]) -> None:
        raise MemoryError

    held = Held(fails)
    ours = [held.put(1, "ann", "one"), held.put(2, "bob", "two")]
    held.put(3, "eve")
    assert held.go() == [3]
    assert [type(job.done.exception(20)) for job in ours] == [MemoryError, MemoryError]


def test_the_thread_ends_where_nothing_comes_and_another_starts(monkeypatch):
    monkeypatch.setattr("explorer.ui.scheduler.IDLE_SECONDS", 0.01)
    scheduler = Scheduler(list)
    first = scheduler.put(current_thread).done.result(60)
    first.join(60)
    assert not first.is_alive() and scheduler.worker is None
    second = scheduler.put(current_thread).done.result(60)
    assert second is not first and second.daemon


def test_work_is_done_by_the_model_thread_in_the_language_of_the_request():
    def work() -> tuple[str, str]:
        return LANGUAGE_CONTEXT.get().language, current_thread().name

    with use_language(LanguageContext("de")):
        language, thread = asyncio.run(Scheduler(list).result_of(work, "ann"))
    assert language == "de"
    assert thread.startswith("model")


def test_who_stops_listening_has_left_the_queue():
    held = Held()

    async def leaves() -> None:
        async with asyncio.timeout(0.05):
            await held.scheduler.result_of(lambda: held.done.append("left"), "ann")

    with pytest.raises(TimeoutError):
        asyncio.run(leaves())
    stays = held.put("stayed", "bob")
    assert held.queue.position(stays) == 1
    assert held.go() == ["stayed"]


def test_who_waits_hears_the_queue_position(monkeypatch):
    monkeypatch.setattr("explorer.ui.scheduler.POSITION_SECONDS", 0.01)
    held = Held()
    held.put(1, "bob")

    async def listens() -> list[int]:
        job, heard = held.put(2, "ann"), []
        async for position in held.scheduler.positions(job):
            heard.append(position)
            held.gate.set()
        return heard

    heard = asyncio.run(listens())
    assert heard[0] == 2
    assert heard == sorted(heard, reverse=True)


def test_a_queue_that_is_closed_answers_nobody_any_more():
    held = Held()
    waits = held.put("late", "ann")
    closing = Thread(target=held.scheduler.close)
    closing.start()
    with pytest.raises(QueueClosed, match="stopped"):
        waits.done.result(60)
    held.gate.set()
    closing.join(60)
    assert held.holding.done.result(0) is None and held.done == []
    with pytest.raises(QueueClosed):
        held.put("too late")


def test_a_sentence_that_nobody_waits_for_any_more_is_not_translated():
    batches: list[Sequence[str]] = []
    held = Held(batches.append)
    waiting = [held.put(visitor, visitor, f"{visitor}'s sentence") for visitor in ("ann", "bob", "joe")]
    assert waiting[0].done.cancel()
    assert held.go() == ["bob", "joe"]
    assert batches == [["bob's sentence", "joe's sentence"]]
