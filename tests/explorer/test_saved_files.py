"""The files of numbers that the page saves, against those that Python writes for programs: labels and numbers alike."""

import base64
import csv
import io
import json
import math
import zipfile
from dataclasses import asdict, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from by_node import in_node, needs_node

from explorer.experiments.experiment import Experiment, experiment_of
from explorer.experiments.running import run
from explorer.files.export_trace import describe_model, json_of, npz_of, words
from explorer.files.matrix import csv_text, matrix_of
from explorer.recording.forward_pass import record_pass
from explorer.recording.payload import tensor_json, trace_json
from explorer.recording.trace import record
from explorer.recording.vector_lengths import lengths, value_norms
from model.probe import KINDS

pytestmark = needs_node
SENTENCE, OTHER = "A man is riding a bicycle.", 'He said: "Two dogs", and then -2 = 0.'
PATCH = {"sentence": OTHER, "heads": [["encoder", 1, 2]], "cells": [["encoder", 0, 3]]}
NEURONS = [["decoder", 3, 541, 6.25, None], ["encoder", 0, 1, 0.5, 2]]
CHANGES = {"off": [["cross", 3, 4]], "off_by": "zero", "neurons": NEURONS, "patch": PATCH}
CHOICES: list[dict[str, Any]] = [
    {"layer": 3, "head": "mean"},
    {"layer": 2, "head": 5, "specials": False},
    {"kind": "decoder", "layer": "mean", "head": "max"},
    {"kind": "encoder", "layer": "max", "head": "mean", "specials": False},
    *({"kind": kind, "layer": "rollout"} for kind in ("decoder", "cross")),
    {"measure": "length", "layer": 0, "head": 1},
    {"measure": "length", "layer": "mean", "head": "max", "specials": False, "kind": "encoder"},
]
FILES = """
    import { mapOfMeasure } from "./explorer/derived/length_map.js";
    import { csvOf } from "./explorer/derived/csv_file.js";
    import { createTrace } from "./explorer/derived/trace.js";
    import { traceJson, traceNpz } from "./explorer/derived/trace_files.js";
    const { original, changed: changedRun, experiment, norms, choices, files } = JSON.parse(readFileSync(0));
    const names = { start: "(start)", end: "(end)" }; // files have those of the vocabulary
    const trace = createTrace(original, { names }), changed = createTrace(changedRun, { names });
    const run = { changed, experiment };
    const csv = choices.map(({ kind, measure, ...choice }) => {
      const map = mapOfMeasure(trace.kinds[kind], measure);
      if (measure === "length") map.receive({ norms: norms[kind] });
      return csvOf(trace, map, { ...choice, words: null }, files.corner);
    });
    const npz = Buffer.from(await traceNpz(trace, run, files)).toString("base64");
    const groups = { queries: [[0, 1], [2]], keys: [[0, 2], [3]] };
    const words = { ...groups, queryLabels: ["+a, b", "c"], keyLabels: ["A", "man\\nis"] };
    const joined = csvOf(trace, trace.kinds.cross, { layer: 1, head: 1, specials: true, words }, "corner");
    const json = [traceJson(trace, {}, files), traceJson(trace, run, files)];
    console.log(JSON.stringify({ csv, npz, json, joined }));
"""


def choice(**given: Any) -> dict[str, Any]:
    return {"kind": "cross", "head": "mean", "measure": "weight", "specials": True, **given}


@pytest.fixture(scope="module")
def saved(shipped) -> SimpleNamespace:
    """What the page saves, and the traces of which it does."""
    original, experiment = record(shipped, SENTENCE), experiment_of(CHANGES)
    changed = replace(run(shipped, SENTENCE, experiment), stopped_at_limit=True)
    forward_pass = record_pass(shipped, original)
    model = describe_model(shipped)
    files = {"corner": words.CORNER, "readme": words.JSON, "npzReadme": words.NPZ, "model": model}
    sent = {
        "original": trace_json(original),
        "changed": trace_json(changed),
        "experiment": CHANGES,
        "norms": {kind: tensor_json(value_norms(forward_pass, kind)) for kind in KINDS},
        "choices": [choice(**given) for given in CHOICES],
        "files": {**files, "unchanged": json.loads(json.dumps(asdict(Experiment())))},
    }
    whole = {"changed": changed, "experiment": experiment, "model": model}
    return SimpleNamespace(**in_node(FILES, sent), trace=original, whole=whole, forward_pass=forward_pass, model=model)


def table(text: str) -> list[list[str]]:
    return [*csv.reader(io.StringIO(text, newline=""))]


def is_rounded_to_32_bits(cell: str) -> bool:
    return cell == str(np.float32(cell))


def test_a_table_of_every_choice_is_the_same(saved):
    for text, given in zip(saved.csv, CHOICES, strict=True):
        wanted = choice(**given)
        kind = wanted["kind"]
        found = lengths(saved.forward_pass, kind) if wanted["measure"] == "length" else None
        specials = wanted["specials"]
        matrix = matrix_of(saved.trace, kind, wanted["layer"], wanted["head"], specials=specials, lengths=found)
        mine, theirs = table(text), table(csv_text(matrix))
        assert [row[0] for row in mine] == [row[0] for row in theirs] and mine[0] == theirs[0]
        cells = [[cell for row in rows[1:] for cell in row[1:]] for rows in (mine, theirs)]
        for one, other in zip(*cells, strict=True):
            assert math.isclose(float(one), float(other), rel_tol=5e-5, abs_tol=5e-6)
            assert one in (str(float(one)), str(np.float32(one)))
        assert all(map(is_rounded_to_32_bits, cells[0])) == all(map(is_rounded_to_32_bits, cells[1])), given


def test_a_table_of_words_sums_keys_and_averages_queries(saved):
    weights = saved.trace.cross.weights[1, 1]
    rows = table(saved.joined)
    assert rows[0] == ["corner", "A", "man\nis"] and [row[0] for row in rows[1:]] == ["'+a, b", "c"]
    expected = [[row[[0, 2]].sum(), row[3]] for row in (weights[:2].mean(axis=0), weights[2])]
    np.testing.assert_allclose([[float(cell) for cell in row[1:]] for row in rows[1:]], expected, atol=1e-6)


def test_whole_translations_are_the_same(saved):
    for text, expected in zip(
        saved.json, (json_of(saved.trace, model=saved.model), json_of(saved.trace, **saved.whole)), strict=True
    ):
        assert json.loads(text) == json.loads(expected)


def test_arrays_are_the_same(saved):
    data = base64.b64decode(saved.npz)
    mine, theirs = np.load(io.BytesIO(data)), np.load(io.BytesIO(npz_of(saved.trace, **saved.whole)))
    assert [*mine] == [*theirs]
    for name in theirs:
        assert (mine[name].dtype, mine[name].shape) == (theirs[name].dtype, theirs[name].shape), name
        np.testing.assert_array_equal(mine[name], theirs[name], name)
    assert zipfile.ZipFile(io.BytesIO(data)).testzip() is None
