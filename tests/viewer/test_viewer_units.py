"""The viewer's modules on their own, run by node; and that both languages mean the same by the same numbers."""

import json
import re
import subprocess
from dataclasses import asdict
from typing import Any

import numpy as np
import plotly.graph_objects as go
from by_node import NODE, ROOT, in_node, needs_node
from cases import each_case
from samples import random_trace

from explorer.attention_view import words
from explorer.attention_view.frame import attention_frame
from explorer.attention_view.view import View
from explorer.notebook.heatmap import attention_heatmap
from explorer.recording.payload import trace_payload
from model.probe import KINDS

FEWEST_TESTS = 105  # so that a folder that is not found does not pass

pytestmark = needs_node

IMPORT_ALL = """
    await import("./explorer/ui/request_cache.js");
    await import("./explorer/ui/contrast.js");
    await import("./explorer/ui/grid.js");
    await import("./explorer/ui/numbers.js");
    await import("./explorer/ui/tensor.js");
    await import("./explorer/ui/text.js");
    await import("./explorer/tabs/architecture/map.js");
    await import("./explorer/tabs/architecture/sections.js");
    await import("./explorer/attention_view/attention.js");
    await import("./explorer/attention_view/difference.js");
    await import("./explorer/attention_view/heatmap.js");
    await import("./explorer/attention_view/comparison.js");
    await import("./explorer/attention_view/overview.js");
    await import("./explorer/attention_view/payload.js");
    await import("./explorer/attention_view/state.js");
    await import("./explorer/attention_view/word_groups.js");
    await import("./explorer/tabs/inside/arithmetic.js");
    await import("./explorer/attention_view/selected_cell.js");
    await import("./explorer/attention_view/plain.js");
    await import("./explorer/tabs/training/curves.js");
    await import("./explorer/tabs/training/story.js");
    console.log(JSON.stringify([typeof document, typeof window]));
"""
MATRICES = """
    import { decodeTrace } from "./explorer/attention_view/payload.js";
    const { payload, choices } = JSON.parse(readFileSync(0));
    const matrices = (map) => choices.map(([layer, head]) => map.matrix(layer, head).map((row) => Array.from(row)));
    const found = Object.entries(decodeTrace(payload).kinds).map(([kind, map]) => [kind, matrices(map)]);
    console.log(JSON.stringify(Object.fromEntries(found)));
"""
FITTED = """
    import { decodeTrace } from "./explorer/attention_view/payload.js";
    import { fitView } from "./explorer/attention_view/state.js";
    const { payload, view } = JSON.parse(readFileSync(0));
    console.log(JSON.stringify(fitView(view, decodeTrace(payload))));
"""
FIGURE = """
    import { contentOf } from "./explorer/attention_view/attention.js";
    import { heatmapFigure } from "./explorer/attention_view/heatmap.js";
    import { decodeTrace } from "./explorer/attention_view/payload.js";
    const { payload, frame, kind, options } = JSON.parse(readFileSync(0));
    const content = contentOf(decodeTrace(payload).kinds[kind], { layer: 1, head: 2 }, true);
    const { data, layout } = heatmapFigure(frame, content, options);
    data[0].z = data[0].z.map((row) => Array.from(row));
    console.log(JSON.stringify({ data, layout }));
"""


def test_the_viewers_unit_tests_pass():
    files = sorted((ROOT / "tests" / "viewer").glob("*.test.js"))
    command = [NODE, "--test", "--test-reporter=tap", *files]
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    passed = re.search(r"^# pass (\d+)$", result.stdout, flags=re.M)
    assert result.returncode == 0, result.stdout + result.stderr
    assert passed is not None, result.stdout
    assert int(passed[1]) >= FEWEST_TESTS, result.stdout


def test_what_is_computed_for_pictures_needs_no_browser():
    assert in_node(IMPORT_ALL) == ["undefined", "undefined"]


def test_python_and_the_browser_read_the_same_weights():
    trace = random_trace(2, 3, 5, 4)
    choices = [(layer, head) for layer in (0, 1, "mean", "max") for head in (0, 1, 2, "mean", "max")]
    found = in_node(MATRICES, {"payload": trace_payload(trace, []), "choices": choices})
    assert found.keys() == set(KINDS)
    for kind, matrices in found.items():
        expected = np.stack([trace.map(kind).matrix(*choice) for choice in choices])
        np.testing.assert_allclose(matrices, expected, atol=2.5e-4)


def test_the_browser_fits_pythons_view_to_its_trace():
    payload = trace_payload(random_trace(2, 3, 5, 4), [])
    view = asdict(View(second={"layer": "max", "head": 7}, pin={"axis": "key", "index": 4}))
    found = in_node(FITTED, {"payload": payload, "view": view})
    assert found == {**view, "layer": 1, "second": {"layer": "max", "head": 2}, "step": json.loads(payload)["telling"]}


@each_case("transposed", [False, True])
@each_case("step", [None, 0, 2])
@each_case("kind", KINDS)
def test_python_and_the_browser_draw_the_same_figure(kind, step, transposed):
    trace = random_trace(2, 3, 35, 33)
    shown = trace.map(kind)
    frame = json.loads(attention_frame(kind, transposed=transposed).to_json())
    options = {"step": step, "transposed": transposed, "text": words.TEXT}
    found = in_node(FIGURE, {"payload": trace_payload(trace, []), "frame": frame, "kind": kind, "options": options})
    expected = attention_heatmap(
        shown.matrix(1, 2),
        [query.label for query in shown.queries],
        [piece.text for piece in shown.keys],
        kind,
        step=step,
        special=shown.special,
        transposed=transposed,
    )
    compare(found, expected)


def compare(found: dict[str, Any], expected: go.Figure) -> None:
    """Two figures, one from each language: colours to half of the last digit, all the rest as it is."""
    np.testing.assert_allclose(np.array(found["data"][0]["z"], dtype=float), expected.data[0].z, atol=0.00051)
    assert found["data"][0]["text"] == expected.data[0].text.tolist()
    assert (found["data"][1]["x"], found["data"][1]["y"]) == (list(expected.data[1].x), list(expected.data[1].y))
    rest = json.loads(expected.to_json())
    for cells, outline in (found["data"], rest["data"]):
        del cells["z"], cells["text"], outline["x"], outline["y"]
    rest["layout"].setdefault("shapes", [])  # Plotly writes no empty lists
    assert found == rest
