"""The payload: a trace survives the way to the browser."""

import base64
import json

import numpy as np

from explorer.payload import refusal_payload, trace_payload
from explorer.trace import record


def test_weights_arrive_to_a_hundred_thousandth(toy):
    trace = record(toy, "The cat sleeps.", max_steps=6)
    payload = json.loads(trace_payload(trace, []))
    for kind in ("encoder", "decoder", "cross"):
        sent = payload["kinds"][kind]
        weights = np.frombuffer(base64.b64decode(sent["weights"]), dtype="<u2").reshape(sent["shape"]) / 65535
        np.testing.assert_allclose(weights, trace.map(kind).weights, atol=1e-5)
        assert sent["queries"] == [query.label for query in trace.map(kind).queries]
        assert sent["keys"] == [piece.text for piece in trace.map(kind).keys]


def test_steps_arrive_with_their_candidates(toy):
    trace = record(toy, "The cat sleeps.", max_steps=3)
    payload = json.loads(trace_payload(trace, ["a note"], request=7))
    assert (payload["request"], payload["notes"]) == (7, ["a note"])
    for sent, step in zip(payload["steps"], trace.steps, strict=True):
        assert (sent["fed"]["id"], sent["predicted"]["id"]) == (step.fed.id, step.predicted.id)
        assert [c["probability"] for c in sent["candidates"]] == [c.probability for c in step.candidates]


def test_a_refusal_carries_its_reason_and_nothing_else():
    assert json.loads(refusal_payload("why", 3)) == {"request": 3, "error": "why"}
