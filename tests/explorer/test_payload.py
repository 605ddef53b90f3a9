"""The payload: a trace survives the way to the browser."""

import base64
import gzip
import json

import numpy as np
from cases import each_case
from samples import random_trace

from explorer.recording.payload import encode_weights, trace_payload
from explorer.server.answer_service import GZIP_LEVEL
from model.probe import KINDS


def decode_floats(text: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), "<f4")


def test_weights_arrive_row_by_row_and_of_the_decoder_only_the_lower_triangle():
    trace = random_trace(2, 3, 5, 4)
    sent = json.loads(trace_payload(trace, []))
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
    all_sent = json.loads(trace_payload(trace, [], max_characters=room))["kinds"]
    left_out = json.loads(trace_payload(trace, [], max_characters=room - 1))["kinds"]
    for kind in KINDS:
        assert all_sent[kind] == {**left_out[kind], "weights": encode_weights(trace, kind)}
        assert left_out[kind]["weights"] is None


@each_case(("pieces", "most"), [(60, 2_200_000)])
def test_six_layers_of_eight_heads_travel_in_few_bytes(pieces, most):
    payload = trace_payload(random_trace(6, 8, pieces, pieces), [])
    assert json.loads(payload)["kinds"]["cross"]["weights"] is not None
    assert len(gzip.compress(payload.encode(), GZIP_LEVEL)) < most
