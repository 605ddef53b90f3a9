"""A cell's arithmetic in the browser is that of Python, from the same payload."""

import json

import numpy as np
from by_node import in_node, needs_node
from cases import each_case

from explorer.notebook.cell import cell
from explorer.recording.forward_pass import record_pass
from explorer.recording.head import head_of
from explorer.recording.trace import record
from explorer.tabs.inside.tab import head_payload

pytestmark = needs_node
CELL = """
    import { computeCell } from "./explorer/tabs/inside/arithmetic.js";
    import { decodeTensors } from "./explorer/ui/tensor.js";
    const { payload, query, key } = JSON.parse(readFileSync(0));
    const found = computeCell(decodeTensors(JSON.parse(payload)), query, key);
    const plain = (value) => (value?.map ? Array.from(value, plain) : Number.isFinite(value) ? value : String(value));
    console.log(JSON.stringify(Object.fromEntries(Object.entries(found).map(([name, value]) => [name, plain(value)]))));
"""
SAME = {"product": "product", "dot": "dot", "score": "score", "scores": "scores", "weights": "weights"}
SAME |= {"exponentials": "exponentials", "weighted": "weighted", "headOutput": "head_output"}
SAME |= {"concatenated": "concatenated", "output": "output", "q": "q", "k": "k"}


@each_case("kind", ["encoder", "decoder", "cross"])
def test_python_and_the_browser_do_the_same_arithmetic(toy, kind):
    trace = record(toy, "The cat sleeps.", max_steps=6)
    head = head_of(record_pass(toy, trace), kind, 1, 2)
    for query, key in ((2, 4), (5, 1)):
        found = in_node(CELL, {"payload": head_payload(head), "query": query, "key": key})
        expected = cell(head, query, key)
        for name, ours in SAME.items():
            np.testing.assert_allclose(found[name], getattr(expected, ours), atol=2e-5, err_msg=name)
        assert [score == "-Infinity" for score in found["masked"]] == list(expected.masked == -np.inf)


def test_a_heads_payload_holds_its_numbers(toy):
    head = head_of(record_pass(toy, record(toy, "A dog.", max_steps=4)), "decoder", 0, 1)
    sent = json.loads(head_payload(head))
    assert sent["index"] == 1
    assert sent["mask"]["shape"] == list(head.mask.shape)
    assert sent["heads"]["shape"] == list(head.heads.shape)
