"""Answers: a trace for a sentence, recorded once, or the reason why there is none."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from cases import each_case

from explorer.recording import words
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.recording.sentence import check_sentence, notes
from explorer.recording.trace import record
from explorer.recording.warnings import warnings
from explorer.tabs.explore.tab import add_questions, trace_answer
from explorer.tabs.inside.tab import inside_tab
from explorer.tabs.masks.tab import masks_tab
from explorer.ui.limits import MAX_PIECES
from explorer.ui.questions import Questions
from model.decoding import Step, Translator
from model.probe import NO_PROBE, Probe
from model.transformer import Encoded

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
    """What Explore, Inside and Masks may ask."""
    app = AppContext(Recordings(translator), None)
    add_questions(app)
    inside_tab(app)
    masks_tab(app)
    return app.questions


def refusal(translator: Translator, name: str, *given: object) -> str:
    """What is said instead of an answer, and nothing else is."""
    sent = json.loads(questions(translator).answer(name, [*given]))
    assert sent.keys() == {"error"}
    return sent["error"]


def test_an_answer_is_what_the_model_records(toy):
    sent = json.loads(trace_answer(Recordings(toy), SENTENCE))
    trace = record(toy, SENTENCE)
    assert (sent["sentence"], sent["translation"]) == (SENTENCE, trace.translation)
    assert sent["notes"] == notes(trace)
    assert sent["warnings"] == json.loads(json.dumps([warning.json() for warning in warnings(trace)]))
    assert len(sent["steps"]) == len(trace.steps)
    assert sent["kinds"]["decoder"]["keys"] == [piece.text for piece in trace.target]


@each_case("text", [" \n ", "a " * 128])
def test_a_refused_text_is_answered_with_the_reason(counting, text):
    with pytest.raises(ValueError, match=r"\.$") as reason:
        check_sentence(text, counting)
    assert refusal(counting, "translate", text) == str(reason.value)
    assert counting.encoded == []


def test_the_last_few_sentences_are_remembered_and_no_more(counting, monkeypatch):
    sentences = ["1 dog", "2 dogs", "3 dogs", "4 dogs"]
    sizes = [Recordings(counting).trace(sentence).memory() for sentence in sentences]
    monkeypatch.setattr("explorer.recording.recordings.MAX_TRACE_BYTES", sum(sizes[1:]))
    counting.encoded.clear()
    recordings = Recordings(counting)
    for sentence in [*sentences, *sentences[1:]]:
        trace_answer(recordings, sentence)
    assert len(counting.encoded) == 4
    trace_answer(recordings, sentences[0])
    assert len(counting.encoded) == 5


def test_a_translation_stops_where_the_view_ends(toy):
    endless = Endless(toy.model, toy.tokenizer)
    long = "the cat " * 12
    assert endless.limit(len(endless.source_ids(long.strip()))) > MAX_PIECES
    sent = json.loads(trace_answer(Recordings(endless), long))
    assert len(sent["steps"]) == MAX_PIECES
    assert words.WARNINGS["limit"]["text"].format(steps=MAX_PIECES) in [warning["text"] for warning in sent["warnings"]]
    steps = json.loads(trace_answer(Recordings(endless), "The cat"))["steps"]
    assert len(steps) == endless.limit(len(endless.source_ids("The cat"))) < MAX_PIECES  # or at the model's own limit


def test_passes_are_remembered_as_long_as_there_is_memory(toy, monkeypatch):
    whole = Recordings(toy).forward_pass(SENTENCE)
    distinct: list[np.ndarray] = []  # some tensors are views of others, and take no bytes
    for tensor in sorted(whole.tensors.values(), key=lambda tensor: -tensor.nbytes):
        if not any(np.may_share_memory(tensor, other) for other in distinct):
            distinct.append(tensor)
    assert whole.memory() == sum(tensor.nbytes for tensor in distinct) + whole.traces[0].memory() > 100_000
    monkeypatch.setattr("explorer.recording.recordings.MAX_PASS_BYTES", 5 * whole.memory() // 2)
    recordings = Recordings(toy)
    passes = [recordings.forward_pass(SENTENCE, *[SENTENCE] * more) for more in (0, 0, 1)]
    assert passes[0] is passes[1]
    assert recordings.forward_pass(SENTENCE) is not passes[0]


@each_case(("texts", "number"), [(["a" * 401, SENTENCE, ""], 1), ([SENTENCE, "", "漢字"], 3)])
def test_a_refused_sentence_of_a_batch_is_named(toy, texts, number):
    with pytest.raises(ValueError, match=r"\.$") as reason:
        check_sentence(texts[number - 1], toy)
    assert refusal(toy, "masks", texts, "encoder", 0, 0) == f"Sentence {number}: {reason.value}"
    for wrong in ([], ["", " "], [SENTENCE] * 4):
        assert refusal(toy, "masks", wrong, "encoder", 0, 0).endswith(".")
