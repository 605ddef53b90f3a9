"""What is computed for sentences: cached, bounded in bytes, and computed once."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from cachetools import LRUCache

from explorer.experiments.experiment import Experiment
from explorer.experiments.laboratory import Laboratory
from explorer.recording.recordings import BatchCache, Recordings
from explorer.recording.trace import Trace, record_batch
from model.decoding import Translator

SENTENCES = ["The cat sleeps.", "The dog sleeps under the table.", "We drink cold water."]


def test_blanks_around_a_sentence_make_no_other_one(toy):
    recordings = Recordings(toy)
    trace, forward_pass = recordings.trace(SENTENCES[0]), recordings.forward_pass(SENTENCES[0])
    blank = f" {SENTENCES[0]}\n"
    recordings.translate_batch([blank])
    assert recordings.trace(blank) is trace and recordings.forward_pass(blank) is forward_pass
    assert list(recordings.traces.cache) == SENTENCES[:1]
    laboratory, experiment = Laboratory(recordings), Experiment(decoder_positions="off")
    assert laboratory.trace(SENTENCES[0], experiment) is laboratory.trace(blank, experiment)


def test_what_fails_is_not_cached_and_nobody_waits_for_it():
    answers = iter([ValueError("no"), ZeroDivisionError(), [3], [4, 5]])

    def compute_all(keys: Sequence[str]) -> list[int]:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    cached = BatchCache(compute_all, LRUCache(10))
    with pytest.raises(ValueError, match="no"):
        cached("x")
    with pytest.raises(ZeroDivisionError):
        cached.add_all(["x", "y"])
    assert [cached("x"), cached("x")] == [3, 3]
    cached.add_all(["x", "y", "z"])
    assert dict(cached.cache) == {"x": 3, "y": 4, "z": 5}


@pytest.mark.parametrize("batch_first", [True, False])
def test_what_two_threads_ask_for_at_once_is_computed_once(batch_first):
    started, go, computed = Event(), Event(), []

    def compute_all(keys: Sequence[str]) -> list[str]:
        computed.append([*keys])
        started.set()
        assert go.wait(60)
        return [f"{key}, asked with {len(keys)}" for key in keys]

    cached = BatchCache(compute_all, LRUCache(10))
    calls = [lambda: cached.add_all(["x", "y"]), lambda: cached("x")]
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(calls[not batch_first])
        assert started.wait(60)
        second = threads.submit(calls[batch_first])
        go.set()
        first.result(60), second.result(60)
    assert computed == ([["x", "y"]] if batch_first else [["x"], ["y"]])
    assert cached("x") == ("x, asked with 2" if batch_first else "x, asked with 1")


class Batches:
    """Records the sentences of each batch."""

    def __init__(self):
        self.seen: list[list[str]] = []

    def __call__(self, translator: Translator, sentences: Sequence[str], limits: Sequence[int]) -> list[Trace]:
        self.seen.append(list(sentences))
        return record_batch(translator, sentences, limits)


def test_waiting_sentences_are_recorded_in_one_batch(toy):
    batches = Batches()
    recordings = Recordings(toy, batches)
    first = recordings.trace(SENTENCES[0])
    waiting = [SENTENCES[1], "", SENTENCES[2], SENTENCES[1], SENTENCES[0]]
    recordings.translate_batch(waiting)
    recordings.translate_batch(waiting)
    assert batches.seen == [SENTENCES[:1], SENTENCES[1:]]
    assert recordings.trace(SENTENCES[0]) is first
    assert recordings.trace(SENTENCES[2]).sentence == SENTENCES[2]
    assert len(batches.seen) == 2
    with pytest.raises(ValueError, match=r"\.$"):
        recordings.trace("")
