"""Files of numbers, each read back as a program would read it, and compared with the trace."""

import csv
import io
import json

import numpy as np
import pytest
from cases import each_case
from tiny_models import tiny_translator

from explorer import Experiment, HeadAt, csv_of, json_of, npz_of, record, rollout, run
from explorer.files.export_trace import checkpoint_name, describe_model
from explorer.files.matrix import Matrix, csv_text, matrix_of
from model.probe import KINDS

SENTENCE = "The cat sleeps on the old chair."
OFF = Experiment(off=(HeadAt("cross", 1, 2),))


@pytest.fixture(scope="module")
def trace(toy):
    return record(toy, SENTENCE)


@pytest.fixture(scope="module")
def changed(toy):
    return run(toy, SENTENCE, OFF)


def read_csv(text: str) -> tuple[np.ndarray, list[str], list[str]]:
    """Numbers, the labels of rows and those of columns."""
    (_, *keys), *rows = csv.reader(io.StringIO(text, newline=""))
    return np.array([row[1:] for row in rows], dtype=np.float64), [row[0] for row in rows], keys


@each_case("kind", KINDS)
@each_case(("layer", "head"), [(1, 2), ("mean", "max"), ("rollout", "mean")])
def test_a_csv_holds_one_matrix_with_both_label_lists(trace, kind, layer, head):
    numbers, queries, keys = read_csv(csv_of(trace, kind, layer, head))
    expected = rollout(trace, kind) if layer == "rollout" else trace.map(kind).matrix(layer, head)
    np.testing.assert_allclose(numbers, expected, atol=1e-6)
    assert layer != 1 or (numbers.astype(np.float32) == expected).all()  # the very same 32 bits
    assert queries == [query.label for query in trace.map(kind).queries]
    assert keys == [piece.text for piece in trace.map(kind).keys]


def test_without_special_pieces_a_row_is_divided_by_its_rest(trace):
    numbers, _, keys = read_csv(csv_of(trace, "encoder", 0, 1, specials=False))
    assert keys == [piece.text for piece in trace.source if not piece.special]
    np.testing.assert_allclose(numbers.sum(axis=1), 1)
    found = matrix_of(trace, "encoder", 0, 1, specials=False, lengths=3 * trace.encoder.weights)
    kept = [not piece.special for piece in trace.source]
    np.testing.assert_allclose(found.numbers, 3 * trace.encoder.weights[0, 1][:, kept])  # lengths are not divided


def test_a_csv_is_written_by_rfc_4180():
    text = csv_text(Matrix(np.array([[0.5, 0.25]], dtype=np.float32), ('a "b"',), ("c,d", "e\nf")))
    assert text == 'query / key,"c,d","e\nf"\r\n"a ""b""",0.5,0.25\r\n'


@each_case("label", ["=1+1", "-5", "@a", "\t=1"])
def test_no_label_of_a_csv_is_a_formula(label):
    _, queries, keys = read_csv(csv_text(Matrix(np.zeros((1, 1)), (label,), (label,))))
    assert queries == keys == [f"'{label}"]


def same_trace(read: dict, trace) -> None:
    assert (read["sentence"], read["translation"]) == (trace.sentence, trace.translation)
    assert [(piece["text"], piece["id"]) for piece in read["source"]] == [(one.text, one.id) for one in trace.source]
    for kind in KINDS:
        attention = read["attention"][kind]
        weights = np.array(attention["weights"])
        assert list(weights.shape) == attention["shape"]
        np.testing.assert_allclose(weights, trace.map(kind).weights, atol=1e-6)
        assert (weights.astype(np.float32) == trace.map(kind).weights).all()
        assert attention["queries"] == [query.label for query in trace.map(kind).queries]
    for step, shown in zip(read["steps"], trace.steps, strict=True):
        assert step["predicted"]["id"] == shown.predicted.id
        assert step["probability"] == pytest.approx(shown.probability, abs=1e-6)
        assert [one["id"] for one in step["candidates"]] == [one.piece.id for one in shown.candidates]


def test_json_holds_the_changed_trace_beside_the_unchanged_one(trace, changed):
    read = json.loads(json_of(trace, changed, OFF))
    same_trace(read["trace"], trace)
    same_trace(read["changed"], changed)
    assert read["experiment"] == {"off": [["cross", 1, 2]]}


def test_every_name_in_a_json_is_explained(trace, changed):
    read = json.loads(json_of(trace, changed, OFF))
    explained = " ".join((*read["readme"], *read["readme"].values()))
    for name in (*read, *read["trace"], *read["trace"]["steps"][0], *read["trace"]["attention"]["cross"]):
        assert name in explained or name in ("readme", "piece", "fed", "predicted"), name


def same_arrays(arrays: dict, trace, prefix: str = "") -> None:
    for kind in KINDS:
        assert arrays[prefix + kind].dtype == np.float32
        np.testing.assert_allclose(arrays[prefix + kind], trace.map(kind).weights, atol=1e-6)
    assert arrays[f"{prefix}source_text"].tolist() == [piece.text for piece in trace.source]
    assert arrays[f"{prefix}predicted_id"].tolist() == [step.predicted.id for step in trace.steps]
    np.testing.assert_allclose(arrays[f"{prefix}probability"], [step.probability for step in trace.steps], atol=1e-6)
    expected = [[one.probability for one in step.candidates] for step in trace.steps]
    np.testing.assert_allclose(arrays[f"{prefix}candidate_probability"], expected, atol=1e-6)


def load(content: bytes) -> dict[str, np.ndarray]:
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        return dict(file)


def test_npz_holds_the_changed_trace_beside_the_unchanged_one(trace, changed):
    arrays = load(npz_of(trace, changed, OFF))
    same_arrays(arrays, trace)
    same_arrays(arrays, changed, "changed_")
    assert json.loads(str(arrays["experiment"])) == {"off": [["cross", 1, 2]]}


def test_every_array_of_an_npz_is_explained(trace):
    arrays = load(npz_of(trace))
    explained = " ".join(arrays["readme"])
    for name in arrays.keys() - {"readme"}:
        mark = next((mark for mark in ("_unknown", "_special", "_starts_word") if name.endswith(mark)), None)
        assert (mark or name) in explained, name


@each_case(
    ("path", "name"),
    [("assets/small", "small"), ("hub/models--owner--name/snapshots/0123456789abcdef", "owner/name@0123456")],
)
def test_a_model_is_called_by_its_folder_or_repository(tmp_path, path, name):
    assert checkpoint_name(tmp_path / path) == name


def test_a_model_is_described_by_its_own_sizes(tokenizer):
    found = describe_model(tiny_translator(tokenizer, n_layers=1, n_decoder_layers=2, n_heads=2, d_model=8))
    assert [found[size] for size in ("layers", "decoder_layers", "heads", "d_model")] == [1, 2, 2, 8]
