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

from explorer.attention_view.component import View, attention_frame, words
from explorer.notebook.heatmap import attention_heatmap
from explorer.recording.payload import trace_json

FEWEST_TESTS = 105  # so that a folder that is not found does not pass

pytestmark = needs_node
# A process for every file takes five times as long.
ALL = "for (const file of process.argv.slice(1)) await import(file);"

FITTED = """
    import { createTrace } from "./explorer/derived/trace.js";
    import { fitView } from "./explorer/attention_view/state.js";
    const { payload, view } = JSON.parse(readFileSync(0));
    console.log(JSON.stringify(fitView(view, createTrace(payload))));
"""
FIGURE = """
    import { contentOf } from "./explorer/derived/attention_map.js";
    import { createTrace } from "./explorer/derived/trace.js";
    import { heatmapFigure } from "./explorer/attention_view/heatmap.js";
    const { payload, frame, kind, options } = JSON.parse(readFileSync(0));
    const content = contentOf(createTrace(payload).kinds[kind], { layer: 1, head: 2 }, true);
    const { data, layout } = heatmapFigure(frame, content, options);
    data[0].z = data[0].z.map((row) => Array.from(row));
    console.log(JSON.stringify({ data, layout }));
"""


def test_the_viewers_unit_tests_pass():
    files = sorted((ROOT / "tests" / "viewer").glob("*.test.js"))
    alone = [file for file in files if "globalThis" in file.read_text(encoding="utf-8")]  # each in a process of its own
    together = [file.as_uri() for file in files if file not in alone]
    count = 0
    for command in (["--test", *alone], ["--input-type=module", "-e", ALL, *together]):
        result = subprocess.run([NODE, "--test-reporter=tap", *command], capture_output=True, text=True, cwd=ROOT)
        passed = re.search(r"^# pass (\d+)$", result.stdout, flags=re.M)
        assert result.returncode == 0, result.stdout + result.stderr
        assert passed is not None, result.stdout
        count += int(passed[1])
    assert count >= FEWEST_TESTS, count


def test_the_browser_fits_pythons_view_to_its_trace():
    payload = trace_json(random_trace(2, 3, 5, 4))
    view = asdict(View(head=7, pin={"axis": "key", "index": 4}))
    found = in_node(FITTED, {"payload": payload, "view": view})
    assert found == {**view, "layer": 1, "head": 2, "step": found["step"]}


@each_case(
    ("kind", "step", "transposed"),
    [("encoder", 2, False), ("decoder", None, False), ("decoder", 2, True), ("cross", 0, False), ("cross", 2, True)],
)
def test_python_and_the_browser_draw_the_same_figure(kind, step, transposed):
    trace = random_trace(2, 3, 35, 33)
    shown = trace.map(kind)
    frame = attention_frame(kind, transposed=transposed)
    options = {"step": step, "transposed": transposed, "text": words.TEXT}
    found = in_node(FIGURE, {"payload": trace_json(trace), "frame": frame, "kind": kind, "options": options})
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


@each_case("transposed", [False, True])
def test_plotly_takes_every_property_of_the_frame(transposed):
    frame = json.loads(json.dumps(attention_frame("decoder", transposed=transposed)))
    assert json.loads(json.dumps(go.Figure(frame).to_plotly_json())) == frame


def compare(found: dict[str, Any], expected: go.Figure) -> None:
    """Two figures, one from each language: colours to half of the last digit, all the rest as it is."""
    np.testing.assert_allclose(np.array(found["data"][0]["z"], dtype=float), expected.data[0].z, atol=0.00051)
    assert found["data"][0]["text"] == expected.data[0].text.tolist()
    assert (found["data"][1]["x"], found["data"][1]["y"]) == (list(expected.data[1].x), list(expected.data[1].y))
    rest = json.loads(expected.to_json())
    for cells, outline in (found["data"], rest["data"]):
        del cells["z"], cells["text"], outline["x"], outline["y"]
    rest["layout"].setdefault("shapes", [])  # Plotly writes no empty lists
    for size in ("width", "height"):
        rest["layout"].pop(size, None)  # of the picture on the page plot.js says how large it is
    assert found == rest
