"""The trace: right numbers under right labels, also after the way to the browser."""

import base64
import gzip
import json

import jaxtyping
import numpy as np
import pytest
import torch
from cases import each_case
from samples import random_trace

from explorer.recording.payload import encode_weights, trace_json
from explorer.recording.trace import AttentionMap, Piece, Query, record, record_batch
from explorer.server.ask import GZIP_LEVEL
from model.errors import UserError
from model.probe import KINDS

SENTENCES = ["The dog is tired because it has played all day.", "A 漢字 on the wall."]


@each_case("sentence", SENTENCES)
def test_every_row_equals_a_fresh_decoding_stopped_at_that_step(shipped, sentence):
    trace = record(shipped, sentence)
    encoded = shipped.encode([piece.id for piece in trace.source])
    np.testing.assert_allclose(trace.encoder.weights, torch.cat(encoded.attention).numpy(), atol=1e-5)
    for t in range(len(trace.steps)):
        prefix = [piece.id for piece in trace.target[: t + 1]]
        decoded = shipped.decode(prefix, encoded)
        self_attention = torch.cat(decoded.self_attention)[:, :, t].numpy()
        cross = torch.cat(decoded.cross_attention)[:, :, t].numpy()
        np.testing.assert_allclose(trace.decoder.weights[:, :, t, : t + 1], self_attention, atol=1e-5)
        np.testing.assert_allclose(trace.cross.weights[:, :, t], cross, atol=1e-5)
        assert (trace.decoder.weights[:, :, t, t + 1 :] == 0).all()
        allowed = decoded.logits[0, -1].index_fill(0, torch.tensor(shipped.excluded_ids), -torch.inf)
        best = allowed.softmax(dim=-1).topk(len(trace.steps[t].candidates))
        assert best.indices.tolist() == [candidate.piece.id for candidate in trace.steps[t].candidates]
        shown = [candidate.probability for candidate in trace.steps[t].candidates]
        np.testing.assert_allclose(shown, best.values.numpy(), atol=1e-5)
        assert trace.steps[t].predicted.id == best.indices[0]


def test_decoder_rows_are_labelled_with_the_piece_fed_and_the_piece_predicted(shipped):
    trace = record(shipped, SENTENCES[0])
    tokenizer = shipped.tokenizer
    assert trace.encoder.keys == trace.cross.keys == trace.source and trace.decoder.keys == trace.target
    assert tuple(query.fed for query in trace.encoder.queries) == trace.source
    assert trace.target[0].id == tokenizer.bos_id
    assert trace.steps[-1].predicted.id == tokenizer.eos_id
    for t, query in enumerate(trace.cross.queries):
        assert query == trace.decoder.queries[t]
        assert (query.fed, query.predicted) == (trace.target[t], trace.steps[t].predicted)
        assert query.label == f"{query.fed.text} → {query.predicted.text}"
        assert t == 0 or query.fed == trace.steps[t - 1].predicted


def test_a_map_refuses_labels_that_do_not_fit():
    pieces = (Piece("a", 1), Piece("b", 2))
    with pytest.raises(ValueError, match="do not fit 2 queries and 1 keys"):
        AttentionMap(np.zeros((1, 1, 2, 2), dtype=np.float32), tuple(map(Query, pieces)), pieces[:1])


def test_the_mean_and_the_maximum_are_over_heads_or_over_layers(toy):
    cross = record(toy, "The cat sleeps.", max_steps=4).cross
    np.testing.assert_array_equal(cross.matrix(1, 3), cross.weights[1, 3])
    np.testing.assert_allclose(cross.matrix(1, "mean"), cross.weights[1].sum(axis=0) / 4, atol=1e-7)
    np.testing.assert_array_equal(cross.matrix(1, "max"), np.maximum.reduce(cross.weights[1]))
    np.testing.assert_allclose(cross.matrix("mean", 3), cross.weights[:, 3].sum(axis=0) / 2, atol=1e-7)
    np.testing.assert_array_equal(cross.matrix("max", 3), np.maximum(*cross.weights[:, 3]))


def test_over_layers_and_heads_the_heads_come_first():
    weights = np.array([[4, 0], [0, 2]], dtype=np.float32).reshape(2, 2, 1, 1)  # the heads of either layer
    attention = AttentionMap(weights, (Query(Piece("q", 1)),), (Piece("k", 2),))
    both = [("max", "mean"), ("mean", "max"), ("mean", "mean"), ("max", "max")]
    assert [attention.matrix(*choice).item() for choice in both] == [2, 3, 1.5, 4]


def test_an_index_of_numpy_is_an_index_and_anything_else_is_refused(toy, monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)  # a notebook has no type checks either
    cross = record(toy, "The cat sleeps.", max_steps=4).cross
    np.testing.assert_array_equal(cross.matrix(np.int64(0), np.int64(1)), cross.weights[0, 1])
    for choice in (None, 1.0, "median", 99):
        with pytest.raises(UserError, match=r'"mean", "max" or a number from 0 to 3'):
            cross.matrix(0, choice)


def test_start_and_end_are_special_and_nothing_else(shipped):
    for sentence in SENTENCES:
        trace = record(shipped, sentence)
        assert [piece.special for piece in trace.source] == [False] * (len(trace.source) - 1) + [True]
        assert [piece.special for piece in trace.target] == [True] + [False] * (len(trace.target) - 1)
        assert [step.predicted.special for step in trace.steps] == [False] * (len(trace.steps) - 1) + [True]


def test_an_unknown_piece_goes_on_with_the_word_that_its_dot_started(shipped):
    dot, unknown, _ = record(shipped, SENTENCES[1]).source[1:4]
    assert (dot.text, dot.starts_word) == ("·", True)
    assert (unknown.unknown, unknown.starts_word, unknown.special) == (True, False, False)
    assert (unknown.text, unknown.id) == ("漢字", shipped.tokenizer.unk_id)


def test_sentences_recorded_together_are_recorded_as_one_by_one(toy):
    sentences = [
        "The cat sleeps.",
        "The children play in the garden and she reads an old book.",
        "  We drink\n",
        "A 漢字",
    ]
    limits = [12, 7, 30, 3]
    for sentence, limit, ours in zip(sentences, limits, record_batch(toy, sentences, limits), strict=True):
        alone = record(toy, sentence, max_steps=limit)
        assert (ours.sentence, ours.translation) == (alone.sentence, alone.translation)
        assert (ours.source, ours.target, ours.vocabulary) == (alone.source, alone.target, alone.vocabulary)
        assert ours.stopped_at_limit == alone.stopped_at_limit
        for kind in ("encoder", "decoder", "cross"):
            assert (ours.map(kind).queries, ours.map(kind).keys) == (alone.map(kind).queries, alone.map(kind).keys)
            np.testing.assert_allclose(ours.map(kind).weights, alone.map(kind).weights, atol=1e-5)
        for step, theirs in zip(ours.steps, alone.steps, strict=True):
            assert (step.fed, step.predicted, step.rank) == (theirs.fed, theirs.predicted, theirs.rank)
            assert [candidate.piece for candidate in step.candidates] == [other.piece for other in theirs.candidates]
            assert step.probability == pytest.approx(theirs.probability, abs=1e-5)
    assert record_batch(toy, [], []) == []


def decode_floats(text: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), "<f4")


def test_weights_arrive_row_by_row_and_of_the_decoder_only_the_lower_triangle():
    trace = random_trace(2, 3, 5, 4)
    sent = trace_json(trace)
    for kind in ("encoder", "cross"):
        weights = decode_floats(sent["kinds"][kind]["weights"]).reshape(sent["kinds"][kind]["shape"])
        np.testing.assert_array_equal(weights, trace.map(kind).weights)
    assert sent["source"] == [piece._asdict() for piece in trace.source]
    rows, keys = np.tril_indices(4)
    weights = decode_floats(encode_weights(trace, "decoder")).reshape(2, 3, 10)
    np.testing.assert_array_equal(weights, trace.decoder.weights[:, :, rows, keys])


def test_where_the_weights_are_too_much_for_one_answer_they_are_left_out():
    trace = random_trace(2, 3, 5, 4)
    room = sum(len(encode_weights(trace, kind)) for kind in KINDS)
    all_sent = trace_json(trace, max_characters=room)["kinds"]
    left_out = trace_json(trace, max_characters=room - 1)["kinds"]
    for kind in KINDS:
        assert all_sent[kind] == {**left_out[kind], "weights": encode_weights(trace, kind)}
        assert left_out[kind]["weights"] is None


def test_six_layers_of_eight_heads_travel_in_few_bytes():
    payload = json.dumps(trace_json(random_trace(6, 8, 60, 60)))
    assert json.loads(payload)["kinds"]["cross"]["weights"] is not None
    assert len(gzip.compress(payload.encode(), GZIP_LEVEL)) < 2_200_000
