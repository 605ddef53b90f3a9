"""Answers: a trace for a sentence, recorded once, or the reason why there is none."""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import pytest

from explorer.answers import REMEMBERED, Answers
from explorer.payload import KINDS
from explorer.prose import MAX_PIECES
from explorer.sentence import check, notes
from explorer.trace import record
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

    def steps(self, encoded: Encoded, *, min_steps: int = 0, max_steps: int | None = None) -> Iterator[Step]:
        return super().steps(encoded, min_steps=1000, max_steps=max_steps)


@pytest.fixture
def counting(toy: Translator) -> Counting:
    return Counting(toy.model, toy.tokenizer)


def test_an_answer_is_what_the_model_records(toy):
    sent = json.loads(Answers(toy).payload(SENTENCE, 5))
    trace = record(toy, SENTENCE)
    assert (sent["request"], sent["sentence"], sent["translation"]) == (5, SENTENCE, trace.translation)
    assert sent["notes"] == notes(trace)
    assert len(sent["steps"]) == len(trace.steps)
    assert sent["kinds"]["decoder"]["keys"] == [piece.text for piece in trace.target]


@pytest.mark.parametrize("text", ["", " \n ", "a" * 401, "漢字", "A bell \x07.", "A \ud800.", "a " * 128])
def test_a_refused_text_is_answered_with_the_reason(counting, text):
    with pytest.raises(ValueError, match=r"\.$") as refusal:
        check(text, counting)
    assert json.loads(Answers(counting).payload(text, 3)) == {"request": 3, "error": str(refusal.value)}
    assert counting.encoded == []


def test_the_same_sentence_is_recorded_once(counting):
    answers = Answers(counting)
    first, second = json.loads(answers.payload(SENTENCE, 1)), json.loads(answers.payload(f"  {SENTENCE}\n", 2))
    assert len(counting.encoded) == 1
    assert second == {**first, "request": 2}


def test_the_weights_of_a_sentence_need_no_second_recording(counting):
    answers = Answers(counting)
    answers.payload(SENTENCE)
    for kind in KINDS:
        answers.weights(SENTENCE, kind)
    assert len(counting.encoded) == 1


def test_another_sentence_is_recorded_anew(counting):
    answers = Answers(counting)
    assert answers.payload(SENTENCE) != answers.payload("The dog sleeps.")
    assert len(counting.encoded) == 2


def test_the_last_few_sentences_are_remembered_and_no_more(counting):
    answers = Answers(counting)
    sentences = [f"{number} dogs" for number in range(REMEMBERED + 1)]
    for sentence in [*sentences, sentences[-1]]:
        answers.payload(sentence)
    assert len(counting.encoded) == REMEMBERED + 1
    answers.payload(sentences[0])
    assert len(counting.encoded) == REMEMBERED + 2


def test_a_translation_stops_where_the_view_ends(toy):
    endless = Endless(toy.model, toy.tokenizer)
    long = "the cat " * 12
    assert endless.limit(len(endless.source_ids(long.strip()))) > MAX_PIECES
    sent = json.loads(Answers(endless).payload(long))
    assert len(sent["steps"]) == MAX_PIECES
    assert any(f"Stopped after {MAX_PIECES} steps" in note for note in sent["notes"])


def test_a_short_sentence_stops_at_the_models_own_limit(toy):
    endless = Endless(toy.model, toy.tokenizer)
    steps = json.loads(Answers(endless).payload("The cat"))["steps"]
    assert len(steps) == endless.limit(len(endless.source_ids("The cat"))) < MAX_PIECES


@pytest.mark.parametrize("kind", KINDS)
def test_the_weights_of_a_kind_are_those_that_the_payload_carries(toy, kind):
    answers = Answers(toy)
    sent = json.loads(answers.payload(SENTENCE))
    assert answers.weights(sent["sentence"], kind) == sent["kinds"][kind]["weights"]


@pytest.mark.parametrize("kind", ["", "Cross", "self", "cross ", "steps"])
def test_an_unknown_kind_is_refused(counting, kind):
    with pytest.raises(ValueError, match="kind must be encoder, decoder or cross, not "):
        Answers(counting).weights(SENTENCE, kind)
    assert counting.encoded == []


def test_weights_of_a_refused_text_are_refused_in_the_same_words(toy):
    with pytest.raises(ValueError, match="nothing to translate"):
        Answers(toy).weights("", "cross")


def test_visitors_share_a_trace_without_changing_it(toy):
    answers = Answers(toy)
    before = answers.trace(SENTENCE).cross.weights.copy()
    answers.payload(SENTENCE)
    answers.weights(SENTENCE, "cross")
    np.testing.assert_array_equal(answers.trace(SENTENCE).cross.weights, before)


def test_heads_and_masks_of_a_kind_that_there_is_not_are_refused_before_anything_is_computed(counting):
    answers = Answers(counting)
    with pytest.raises(ValueError, match="kind must be"):
        answers.head(SENTENCE, "self", 0, 0)
    with pytest.raises(ValueError, match="kind must be"):
        answers.masks([SENTENCE, SENTENCE], "self", 0, 0)
    assert counting.encoded == []


def test_the_pass_of_a_sentence_is_made_once_for_all_its_heads(counting):
    answers = Answers(counting)
    whole = answers.passed(SENTENCE)
    heads = [json.loads(answers.head(SENTENCE, kind, 1, head)) for kind in KINDS for head in range(4)]
    assert [head["index"] for head in heads] == [0, 1, 2, 3] * 3
    assert answers.passed(SENTENCE) is whole


def test_what_many_ask_for_at_once_is_recorded_once(counting):
    answers = Answers(counting)
    with ThreadPoolExecutor(8) as visitors:
        sent = list(visitors.map(answers.payload, [SENTENCE] * 16))
        heads = list(visitors.map(lambda head: answers.head(SENTENCE, "cross", 0, head), [0, 1, 2, 3] * 4))
    assert len(set(sent)) == 1 and len(set(heads)) == 4
    assert len(counting.encoded) == 1


def test_passes_are_remembered_as_long_as_there_is_memory(toy, monkeypatch):
    whole = Answers(toy).passed(SENTENCE)
    assert whole.memory() == sum(tensor.nbytes for tensor in whole.tensors.values()) > 100_000
    monkeypatch.setattr("explorer.answers.PASSES", 2.5 * whole.memory())
    answers = Answers(toy)
    passes = [answers.passed(SENTENCE, *[SENTENCE] * more) for more in (0, 0, 1)]
    assert passes[0] is passes[1]
    assert answers.passed(SENTENCE) is not passes[0]


@pytest.mark.parametrize("texts", [[], ["", " "], [SENTENCE], [SENTENCE] * 4, [SENTENCE, "漢字"]])
def test_a_batch_that_cannot_be_made_is_answered_with_the_reason(toy, texts):
    assert json.loads(Answers(toy).masks(texts, "encoder", 0, 0))["error"].endswith(".")


def test_the_masks_of_a_batch_come_with_padded_labels(toy):
    sent = json.loads(Answers(toy).masks([SENTENCE, "", "We drink cold water in summer."], "encoder", 1, 2))
    assert [len(one["keys"]) for one in sent] == [max(len(one["ids"]) for one in sent)] * 2
    assert sent[0]["keys"][-1] == "<pad>" and sent[0]["ids"][-1] == toy.tokenizer.pad_id
    assert sent[0]["combined"]["shape"] == [len(sent[0]["queries"]), len(sent[0]["keys"])]
