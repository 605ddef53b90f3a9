"""The model's calls: the engine in the browser against PyTorch, name by name."""

import re
from inspect import Parameter, signature
from itertools import product
from pathlib import Path

import pytest
from same_answers import Question, assert_same_answers
from same_answers import pages as pages
from visiting import needs_browser

from explorer.engine.calls import ModelCalls
from model.probe import ATTENTION, KINDS
from tools.sentence_lists import LISTS, read_list

pytestmark = needs_browser
ROOT = Path(__file__).parents[2]
SENTENCE, OTHER = "A man is riding a bicycle.", "A woman is riding a horse."
OFF = {"off": [["cross", 3, 4], ["encoder", 0, 1]]}
EXPERIMENTS = [{}, OFF, {"hidden": [1], "off_by": "mean", **OFF}, {"encoder_positions": "off"}, {"word_order": 3}]
SAMPLING = {"temperature": 1.3, "top_k": 40, "top_p": 0.9}
SITES = [
    ["encoder", None, None, "embedding"],
    ["encoder", None, None, "positions"],
    ["decoder", None, None, "stream"],
    ["encoder", 1, "feed_forward", "hidden"],
]
NEURONS = [
    *([stack, layer, index, 0] for stack in ("decoder", "encoder") for layer in range(4) for index in (17, 541, 3071)),
    ["encoder", 1, 5, 8, 0],
    ["decoder", 0, 9, -2.5, 2],
]
PARAMETERS = [
    *(["projection", row] for row in (0, 15999, 16000, None)),
    *(["decoder.layers.3.cross_attention.w_o", row] for row in (255, 256)),
    ["encoder.layers.0.feed_forward.w_1", 2047],
    ["decoder.layers.2.feed_forward_norm.norm", None],
    ["decoder.layers.2.feed_forward_norm.norm", 3],
    *(
        [name, 0]
        for name in ("", "encoder.layers.4.feed_forward.w_1", "encoder.layers.map", "__proto__", "projection.")
    ),
    *([name, None] for name in ("encoder", "encoder.embedding.tokens", "decoder.layers.0.feed_forward_norm.dropout")),
]


def questions() -> list[Question]:
    found: list[Question] = [("translate", [sentence]) for sentence in (SENTENCE, f" {OTHER} ", "")]
    found += [("run", [SENTENCE, experiment]) for experiment in EXPERIMENTS]
    found += [("weights", [SENTENCE, experiment, kind]) for experiment in EXPERIMENTS[:2] for kind in KINDS]
    found += [("encode", [SENTENCE]), ("tensors", [SENTENCE, SITES]), ("tensors", [OTHER, []])]
    found += [("head", [SENTENCE, kind, 2, 3]) for kind in KINDS]
    found += [("head", [SENTENCE, "cross", *place]) for place in ((4, 0), (1234, 8), (3, 8))]
    found += [("lens", [SENTENCE, step]) for step in (0, 4, 99)] + [("lens", [SENTENCE, 4, OFF])]
    found += [("norms", [SENTENCE, kind]) for kind in KINDS] + [("contributions", [SENTENCE])]
    found += [("overview", [sentence, experiment]) for sentence in (SENTENCE, "") for experiment in EXPERIMENTS]
    found += [("tensors", [SENTENCE, SITES, OFF]), ("head", [SENTENCE, "cross", 3, 4, OFF])]
    found += [("parameter", place) for place in PARAMETERS]
    found += [("directions", [stack, 3, neuron]) for stack in ("encoder", "decoder") for neuron in (541, 3071, 3072)]
    heads = [["decoder", 1, 2], ["encoder", 3, 0], ["cross", 0, 7], ["encoder", 0, 5]]
    found += [("scores", [SENTENCE, heads, by, [0, 3]]) for by in ("zero", "mean")]
    found += [("scores", [SENTENCE, [], "zero", list(range(4))]), ("scores", [SENTENCE, [], "zero", [99]])]
    found += [("scores", [SENTENCE, heads[:1], "zero", [1], NEURONS]), ("neurons", [SENTENCE]), ("neurons", [""])]
    found += [("patching", [SENTENCE, OTHER, grid, 8]) for grid in ("heads", "encoder", "decoder")]
    found += [("beam", [SENTENCE, 3]), ("sample", [SENTENCE, SAMPLING, 7])]
    found += [("tokenize", [text]) for text in ("Ein Hund schläft.", "漢字", "")]
    return found


def test_every_call_gives_what_pytorch_gives(in_browser, pages):
    assert_same_answers(in_browser, pages["de"], questions())


@pytest.mark.thorough
def test_every_head_and_stream_of_ten_sentences_is_what_pytorch_gives(in_browser, pages, shipped):
    config = shipped.model.config
    layers = [
        [
            [stack, layer, sublayer, tensor]
            for sublayer in [*(f"{name}_attention" for name in attention), "feed_forward"]
            for tensor in ("output", "sum", "stream")
        ]
        for stack, attention in (("encoder", ["self"]), ("decoder", ["self", "cross"]))
        for layer in range(config.layers(stack))
    ]
    heads = [
        [kind, layer, head]
        for kind, site in ATTENTION.items()
        for layer, head in product(range(config.layers(site.stack)), range(config.n_heads))
    ]
    for sentence in [sentence.text for sentence in read_list(LISTS[0])[:10]]:
        found: list[Question] = [("head", [sentence, *place]) for place in heads]
        found += [("tensors", [sentence, sites]) for sites in layers]
        assert_same_answers(in_browser, pages["de"], found)


def test_both_sides_have_the_same_calls_with_the_same_arguments(in_browser, pages):
    theirs = in_browser("calls")
    assert theirs.keys() <= pages["de"].questions.known.keys()
    for name in theirs:
        parameters = signature(getattr(ModelCalls, name)).parameters.values()
        assert theirs[name] == sum(parameter.default is Parameter.empty for parameter in parameters) - 1, name
    assert {name for name, _ in questions()} == theirs.keys()


def test_the_documentation_lists_every_call_with_its_arguments():
    rows = re.findall(r"^\| `(\w+)` \| ([\w, ]+) \|", (ROOT / "docs" / "calls.md").read_text(encoding="utf-8"), re.M)
    found = {name: arguments.split(", ") for name, arguments in rows}
    assert found.keys() == {name for name, _ in questions()}
    for name, arguments in found.items():
        assert arguments == [*signature(getattr(ModelCalls, name)).parameters][1:], name
