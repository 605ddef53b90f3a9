"""What is remembered: bounded in bytes, fair to visitors, made once."""

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event

import pytest

from explorer.experiments.experiment import Experiment
from explorer.experiments.laboratory import Laboratory
from explorer.recording.recordings import Recordings
from explorer.recording.remembering import ENTRY, VISITOR, FairCache, Remembered
from explorer.recording.trace import Trace, record_together
from model.decoding import Translator

SENTENCES = ["The cat sleeps.", "The dog sleeps under the table.", "We drink cold water."]


@contextmanager
def visiting(name: str) -> Iterator[None]:
    token = VISITOR.set(name)
    yield
    VISITOR.reset(token)


def ask(cache: "Values", visitor: str, key: str, size: int = 1) -> None:
    """As a remembered function does: takes what is there, or makes it."""
    with visiting(visitor):
        if key in cache:
            assert cache[key] == size
        else:
            cache[key] = size
    assert sum(cache.held.values()) == cache.currsize == sum(cache.values_of()) <= cache.maxsize


class Values(FairCache[str, int]):
    """Whose entries are as large as they say, and no larger."""

    def __init__(self, maxsize: int):
        super().__init__(maxsize, lambda size: size)

    def size_of(self, key: str, value: int) -> int:
        return value

    def values_of(self) -> list[int]:
        return [entry.size for entry in self.entries.values()]


@pytest.fixture
def cache() -> Values:
    return Values(100)


def test_one_who_asks_for_thousands_flushes_only_his_own(cache):
    for visitor in "abcdefgh":
        for number in range(3):
            ask(cache, visitor, f"{visitor}{number}", size=2)
    for number in range(2000):
        ask(cache, "flood", f"flood {number}", size=1 + number % 7)
    assert {f"{visitor}{number}" for visitor in "abcdefgh" for number in range(3)} <= set(cache)
    assert sum(key.startswith("flood") for key in cache) > 5


def test_of_ones_own_the_one_not_used_for_longest_goes_first(cache):
    for number in range(10):
        ask(cache, "a", str(number), size=10)
    ask(cache, "a", "0", size=10)
    ask(cache, "a", "new", size=15)
    assert set(cache) == {"0", "3", "4", "5", "6", "7", "8", "9", "new"}


def test_what_a_class_asked_for_stays_when_the_one_who_asked_first_floods(cache):
    ask(cache, "teacher", "class", size=10)
    ask(cache, "teacher", "alone", size=10)
    ask(cache, "pupil", "class", size=10)
    for number in range(100):
        ask(cache, "teacher", f"flood {number}", size=5)
    assert "class" in cache and "alone" not in cache
    assert cache.entries["class"].owner == "pupil"


@pytest.mark.parametrize("names", [["ann"], ["ann", "bob"], ["ann", "bob", "cem"]])
def test_who_comes_under_two_names_flushes_nothing_that_many_others_asked(cache, names):
    others = {f"visitor {number}" for number in range(10)}
    for visitor in others:
        ask(cache, visitor, visitor, size=6)
    for number in range(500):
        for name in names:
            ask(cache, name, f"flood {number}", size=5)
    assert others <= set(cache)
    assert sum(key.startswith("flood") for key in cache) == 8


def test_what_is_given_up_goes_to_the_one_of_its_visitors_who_holds_least(cache):
    ask(cache, "ann", "shared", size=10)
    for visitor, size in (("bob", 20), ("cem", 10)):
        ask(cache, visitor, "shared", size=10)
        ask(cache, visitor, visitor, size=size)
    for number in range(20):
        ask(cache, "ann", str(number), size=10)
    assert cache.entries["shared"].owner == "cem"
    assert cache.held == {"ann": 60, "bob": 20, "cem": 20}


def test_however_many_visitors_there_are_finding_the_one_who_gives_up_looks_at_few(cache):
    many = Values(10_000)
    for visitor in range(10_000):
        ask_only(many, str(visitor), size=1)
    looks = []
    many.held = Looked(many.held, looks)
    ask_only(many, "large", size=2000)
    assert "large" in many and len(many) == 8001
    assert len(looks) < 10 * 2000
    assert len(many.heap) < 2 * len(many.held) + 200


def ask_only(cache: "Values", visitor: str, size: int) -> None:
    with visiting(visitor):
        cache[visitor] = size


class Looked(Counter):
    """That notes who is looked at."""

    def __init__(self, held: Counter, looks: list):
        super().__init__(held)
        self.looks = looks

    def __getitem__(self, key):
        self.looks.append(key)
        return super().__getitem__(key)

    def items(self):
        self.looks.extend(self)
        return super().items()


def test_an_entry_and_its_key_count_too():
    cache = FairCache(5 * ENTRY, len)
    for number in range(10):
        cache[str(number)] = ""
    assert len(cache) == 4
    cache["x" * 5 * ENTRY] = ""
    assert len(cache) == 4


def test_blanks_around_a_sentence_make_no_other_one(toy):
    recordings = Recordings(toy)
    trace, passed = recordings.trace(SENTENCES[0]), recordings.forward_pass(SENTENCES[0])
    blank = f" {SENTENCES[0]}\n"
    recordings.remember([("ann", blank)])
    assert recordings.trace(blank) is trace and recordings.forward_pass(blank) is passed
    assert list(recordings.trace.cache) == SENTENCES[:1]
    laboratory, experiment = Laboratory(recordings), Experiment(decoder_positions="off")
    assert laboratory.trace(SENTENCES[0], experiment) is laboratory.trace(blank, experiment)


def test_what_is_larger_than_the_cache_is_not_kept_and_disturbs_nothing(cache):
    ask(cache, "a", "fits", size=100)
    with visiting("b"):
        cache["larger"] = 101
    assert dict(cache.items()) == {"fits": 100}
    cache["fits"] = 101
    assert not cache and not cache.held and cache.currsize == 0


def test_an_entry_that_grows_stays_its_owners(cache):
    ask(cache, "a", "x", size=10)
    ask(cache, "b", "y", size=10)
    with visiting("b"):
        cache["x"] = 95
    assert cache.held == {"a": 95} and dict(cache.items()) == {"x": 95}
    cache.clear()
    assert not cache.entries and not cache.held
    with pytest.raises(KeyError):
        cache.popitem()


def test_what_fails_is_not_remembered_and_nobody_waits_for_it():
    answers = iter([ValueError("no"), 3])

    def make(key: str) -> int:
        answer = next(answers)
        if isinstance(answer, ValueError):
            raise answer
        return answer

    remembered = Remembered(make, Values(10))
    with pytest.raises(ValueError, match="no"):
        remembered("x")
    with pytest.raises(ZeroDivisionError):
        remembered.make_together({"x": "a", "y": "b"}, lambda keys: [1 // 0])
    assert [remembered("x"), remembered("x")] == [3, 3]


def test_what_a_batch_is_making_is_waited_for_and_what_is_made_alone_is_left_out_of_it():
    begun, go, made = Event(), Event(), []

    def make(key: str) -> int:
        made.append([key])
        begun.set()
        assert go.wait(10)
        return 1

    def make_all(keys: Sequence[str]) -> list[int]:
        made.append(list(keys))
        begun.set()
        assert go.wait(10)
        return [2] * len(keys)

    for first, expected in (("alone", [["x"], ["y"]]), ("batch", [["x", "y"]])):
        remembered = Remembered(make, Values(10))
        begun.clear()
        go.clear()
        made.clear()
        with ThreadPoolExecutor(2) as threads:
            alone = threads.submit(remembered, "x") if first == "alone" else None
            assert alone is None or begun.wait(10)
            batch = threads.submit(remembered.make_together, {"x": "a", "y": "b"}, make_all)
            assert begun.wait(10)
            alone = alone or threads.submit(remembered, "x")
            go.set()
            batch.result(10)
            assert alone.result(10) == (1 if first == "alone" else 2)
        assert made == expected


class Batches:
    """Records together, and remembers what was asked for."""

    def __init__(self):
        self.seen: list[list[str]] = []

    def __call__(self, translator: Translator, sentences: Sequence[str], limits: Sequence[int]) -> list[Trace]:
        self.seen.append(list(sentences))
        return record_together(translator, sentences, limits)


def test_sentences_of_several_visitors_are_recorded_in_one_batch(toy):
    batches = Batches()
    recordings = Recordings(toy, batches)
    with visiting("ann"):
        first = recordings.trace(SENTENCES[0])
    asked = [("bob", SENTENCES[1]), ("cem", ""), ("cem", SENTENCES[2]), ("dan", SENTENCES[1]), ("dan", SENTENCES[0])]
    recordings.remember(asked)
    recordings.remember(asked)
    assert batches.seen == [SENTENCES[:1], SENTENCES[1:]]
    assert {key: entry.owner for key, entry in recordings.trace.cache.entries.items()} == dict(
        zip(SENTENCES, ["ann", "bob", "cem"], strict=True)
    )
    assert recordings.trace(SENTENCES[0]) is first
    assert recordings.trace(SENTENCES[2]).sentence == SENTENCES[2]
    assert len(batches.seen) == 2
    with pytest.raises(ValueError, match=r"\.$"):
        recordings.trace("")


def test_a_batch_is_recorded_as_its_sentences_one_by_one(toy):
    together, alone = Recordings(toy), Recordings(toy)
    together.remember([("", sentence) for sentence in SENTENCES])
    for sentence in SENTENCES:
        ours, theirs = together.trace(sentence), alone.trace(sentence)
        assert (ours.translation, ours.target, ours.source) == (theirs.translation, theirs.target, theirs.source)


def test_one_visitors_sentences_flush_neither_traces_nor_passes_nor_experiments_of_others(toy, monkeypatch):
    whole = Recordings(toy).forward_pass(SENTENCES[1])
    monkeypatch.setattr("explorer.recording.recordings.TRACES", 7 * whole.traces[0].memory() // 2)
    monkeypatch.setattr("explorer.recording.recordings.PASSES", 7 * whole.memory() // 2)
    monkeypatch.setattr("explorer.experiments.laboratory.TRACES", 7 * whole.traces[0].memory() // 2)
    recordings = Recordings(toy)
    laboratory, nothing = Laboratory(recordings), Experiment(decoder_positions="off")
    with visiting("ann"):
        trace, passed = recordings.trace(SENTENCES[0]), recordings.forward_pass(SENTENCES[0])
        changed = laboratory.trace(SENTENCES[0], nothing)
    with visiting("flood"):
        for number in range(6):
            recordings.forward_pass(f"{SENTENCES[1]} {number}")
            laboratory.trace(f"{SENTENCES[1]} {number}", nothing)
    with visiting("ann"):
        assert recordings.trace(SENTENCES[0]) is trace and recordings.forward_pass(SENTENCES[0]) is passed
        assert laboratory.trace(SENTENCES[0], nothing) is changed
