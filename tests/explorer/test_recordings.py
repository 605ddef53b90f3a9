"""What is computed for sentences: recorded once, in batches, cached by its bytes, or refused with the reason."""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event

import pytest
from cachetools import LRUCache
from cases import each_case

from explorer.engine.calls import ModelCalls
from explorer.experiments.experiment import Experiment
from explorer.experiments.laboratory import Laboratory
from explorer.recording import MAX_PIECES
from explorer.recording.app_context import AppContext
from explorer.recording.payload import trace_json
from explorer.recording.recordings import SHARES, BatchCache, Recordings
from explorer.recording.sentence import check_sentence
from explorer.recording.trace import Trace, record, record_batch
from explorer.server.ask import AnswerService
from explorer.ui.questions import Questions
from model.decoding import Step, Translator
from model.errors import UserError
from model.probe import NO_PROBE, Probe
from model.transformer import Encoded

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


def test_waiting_sentences_are_recorded_in_one_batch(toy):
    batches: list[list[str]] = []

    def record_and_note(translator: Translator, sentences: Sequence[str], limits: Sequence[int]) -> list[Trace]:
        batches.append([*sentences])
        return record_batch(translator, sentences, limits)

    recordings = Recordings(toy, record_and_note)
    first = recordings.trace(SENTENCES[0])
    waiting = [SENTENCES[1], "", SENTENCES[2], SENTENCES[1], SENTENCES[0]]
    recordings.translate_batch(waiting)
    recordings.translate_batch(waiting)
    assert batches == [SENTENCES[:1], SENTENCES[1:]]
    assert recordings.trace(SENTENCES[0]) is first
    assert recordings.trace(SENTENCES[2]).sentence == SENTENCES[2]
    assert len(batches) == 2
    with pytest.raises(UserError, match=r"\.$"):
        recordings.trace("")


SENTENCE = "The cat sleeps."


@dataclass(frozen=True, eq=False)
class Counting(Translator):
    """Remembers the length of every sentence that it was made to read."""

    encoded: list[int] = field(default_factory=list)

    def encode(self, src: Sequence[int], probe: Probe = NO_PROBE) -> Encoded:
        self.encoded.append(len(src))
        return super().encode(src, probe)


class Endless(Translator):
    """Never ends a sentence by itself."""

    def steps(self, encoded: Encoded, **lengths) -> Iterator[Step]:
        return super().steps(encoded, **{**lengths, "min_steps": 1000})


@pytest.fixture
def counting(toy: Translator) -> Counting:
    return Counting(toy.model, toy.tokenizer)


def questions(translator: Translator) -> Questions:
    """What the page may ask."""
    app = AppContext(Recordings(translator), None)
    ModelCalls(app).register(app.questions)
    return app.questions


def refusal(translator: Translator, name: str, *given: object) -> str:
    """What is said instead of an answer, and nothing else is."""
    sent = json.loads(questions(translator).answer(name, [*given]))
    assert sent.keys() == {"error"}
    return sent["error"]


def test_an_answer_is_what_the_model_records(toy):
    sent = json.loads(questions(toy).answer("translate", [SENTENCE]))
    assert sent == json.loads(json.dumps(trace_json(record(toy, SENTENCE))))


@each_case("text", [" \n ", "a " * 128])
def test_a_refused_text_is_answered_with_the_reason(counting, text):
    with pytest.raises(UserError, match=r"\.$") as reason:
        check_sentence(text, counting)
    assert refusal(counting, "translate", text) == str(reason.value)
    assert counting.encoded == []


def test_the_last_few_sentences_are_remembered_and_no_more(counting):
    sentences = ["1 dog", "2 dogs", "3 dogs", "4 dogs"]
    sizes = [Recordings(counting).trace(sentence).memory() for sentence in sentences]
    counting.encoded.clear()
    recordings = Recordings(counting, max_bytes=int(sum(sizes[1:]) / SHARES["traces"]) + 9)
    for sentence in [*sentences, *sentences[1:]]:
        recordings.trace(sentence)
    assert len(counting.encoded) == 4
    recordings.trace(sentences[0])
    assert len(counting.encoded) == 5


def test_what_is_evicted_is_computed_again_alike(toy):
    kept, evicted = Recordings(toy), Recordings(toy, max_bytes=0)
    laboratory, experiment = Laboratory(evicted), Experiment(decoder_positions="off")
    for sentence in SENTENCES:
        assert evicted.trace(sentence) is not evicted.trace(sentence)
        assert trace_json(evicted.trace(sentence)) == trace_json(kept.trace(sentence))
        again = laboratory.trace(sentence, experiment)
        assert trace_json(again) == trace_json(Laboratory(kept).trace(sentence, experiment))


def test_the_caches_share_one_bound(toy):
    assert sum(SHARES.values()) == pytest.approx(1)
    recordings = Recordings(toy, max_bytes=1_000)
    assert sum(map(recordings.share, SHARES)) <= 1_000
    app = AppContext(recordings, None)
    assert AnswerService(app).cache.answers.maxsize == recordings.share("answers")


def test_a_translation_stops_where_the_view_ends(toy):
    endless = Endless(toy.model, toy.tokenizer)
    long = "the cat " * 12
    assert endless.limit(len(endless.source_ids(long.strip()))) > MAX_PIECES
    trace = Recordings(endless).trace(long)
    assert len(trace.steps) == MAX_PIECES and trace.stopped_at_limit
    steps = Recordings(endless).trace("The cat").steps
    assert len(steps) == endless.limit(len(endless.source_ids("The cat"))) < MAX_PIECES  # or at the model's own limit


def test_passes_are_remembered_as_long_as_there_is_memory(toy):
    forward_pass = Recordings(toy).forward_pass(SENTENCE)
    assert forward_pass.memory() > forward_pass.trace.memory() + 100_000
    recordings = Recordings(toy, max_bytes=int(2.5 * forward_pass.memory() / SHARES["passes"]))
    passes = [recordings.forward_pass(sentence) for sentence in (SENTENCE, SENTENCE, SENTENCES[1])]
    assert passes[0] is passes[1]
    assert recordings.forward_pass(SENTENCE) is not passes[0]
