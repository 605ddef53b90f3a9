"""The files of numbers over HTTP: the same as in Python."""

import base64
import io
import json

import numpy as np
import pytest
from cases import each_case
from gradio_client import Client
from gradio_client.exceptions import AppError

from explorer import Experiment, HeadAt, csv_of, json_of, lengths, npz_of, record, record_pass, run
from explorer.files.everything import describe_model
from explorer.files.matrix import csv_text, matrix_of

SENTENCE = "The cat sleeps on the old chair."
CHANGES = {"off": [["cross", 1, 2]]}


@pytest.fixture(scope="module")
def client(toy_page):
    client = Client(toy_page, verbose=False)
    yield client
    client.close()


@pytest.fixture(scope="module")
def trace(toy):
    return record(toy, SENTENCE)


@pytest.fixture(scope="module")
def changed(toy):
    return run(toy, SENTENCE, Experiment(off=(HeadAt("cross", 1, 2),)))


@each_case("choice", [("cross", "mean", "max"), ("decoder", "rollout", "mean")])
def test_one_matrix_as_csv(client, trace, choice):
    assert client.predict(SENTENCE, *choice, api_name="/matrix_csv") == csv_of(trace, *choice)


def test_lengths_and_a_changed_matrix_as_csv(client, toy, trace, changed):
    found = lengths(record_pass(toy, trace), "cross")
    expected = csv_text(matrix_of(trace, "cross", 0, 1, lengths=found))
    assert client.predict(SENTENCE, "cross", 0, 1, "length", api_name="/matrix_csv") == expected
    answer = client.predict(SENTENCE, "cross", 1, 1, changes=CHANGES, api_name="/matrix_csv")
    assert answer == csv_of(changed, "cross", 1, 1)


def test_everything_as_json(client, toy, trace):
    text = client.predict(SENTENCE, api_name="/trace_json")
    assert text == json_of(trace, model=describe_model(toy))
    weights = np.array(json.loads(text)["trace"]["attention"]["cross"]["weights"])
    np.testing.assert_allclose(weights, trace.cross.weights, atol=1e-6)


def test_everything_as_npz(client, toy, trace, changed):
    answer = base64.b64decode(client.predict(SENTENCE, CHANGES, api_name="/trace_npz"))
    experiment = Experiment(off=(HeadAt("cross", 1, 2),))
    assert answer == npz_of(trace, changed, experiment, describe_model(toy))
    with np.load(io.BytesIO(answer), allow_pickle=False) as arrays:
        np.testing.assert_allclose(arrays["changed_cross"], changed.cross.weights, atol=1e-6)


@each_case(
    ("arguments", "reason"),
    [
        (("cross", 2, 0), "layer must be from 0 to 1, not 2"),
        (("cross", "least", 0), "layer must be one of mean, max, rollout, not 'least'"),
        (("cross", "rollout", "mean", "length"), "lengths of single layers"),
    ],
)
def test_what_there_is_not_is_answered_with_a_sentence(client, arguments, reason):
    with pytest.raises(AppError, match=reason):
        client.predict(SENTENCE, *arguments, api_name="/matrix_csv")
