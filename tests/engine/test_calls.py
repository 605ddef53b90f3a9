"""The model's calls: the engine in the browser against PyTorch, name by name."""

import re
from inspect import signature
from pathlib import Path

from same_answers import Question, assert_same_answers
from same_answers import pages as pages
from visiting import needs_browser

from explorer.engine.calls import ModelCalls
from model.probe import KINDS

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


def questions() -> list[Question]:
    found: list[Question] = [("translate", [sentence]) for sentence in (SENTENCE, f" {OTHER} ", "")]
    found += [("run", [SENTENCE, experiment]) for experiment in EXPERIMENTS]
    found += [("weights", [SENTENCE, experiment, kind]) for experiment in EXPERIMENTS[:2] for kind in KINDS]
    found += [("encode", [SENTENCE]), ("tensors", [SENTENCE, SITES]), ("tensors", [OTHER, []])]
    found += [("head", [sentences, kind, 2, 3]) for sentences in ([SENTENCE], [SENTENCE, "A dog."]) for kind in KINDS]
    found += [("head", [[SENTENCE], "cross", *place]) for place in ((4, 0), (1234, 8), (3, 8))]
    found += [("lens", [SENTENCE, step]) for step in (0, 4, 99)]
    found += [("norms", [SENTENCE, kind]) for kind in KINDS] + [("contributions", [SENTENCE])]
    heads = [["decoder", 1, 2], ["encoder", 3, 0], ["cross", 0, 7], ["encoder", 0, 5]]
    found += [("scores", [SENTENCE, heads, by, [0, 3]]) for by in ("zero", "mean")]
    found += [("scores", [SENTENCE, [], "zero", list(range(4))]), ("scores", [SENTENCE, [], "zero", [99]])]
    found += [("patching", [SENTENCE, OTHER, grid, 8]) for grid in ("heads", "encoder", "decoder")]
    found += [("beam", [SENTENCE, 3]), ("sample", [SENTENCE, SAMPLING, 7])]
    found += [("tokenize", [text]) for text in ("Ein Hund schläft.", "漢字", "")]
    return found


def test_every_call_gives_what_pytorch_gives(in_browser, pages):
    assert_same_answers(in_browser, pages["de"], questions())


def test_both_sides_have_the_same_calls_with_the_same_arguments(in_browser, pages):
    theirs = in_browser("calls")
    assert theirs.keys() <= pages["de"].questions.known.keys()
    for name in theirs:
        assert theirs[name] == len(signature(getattr(ModelCalls, name)).parameters) - 1, name
    assert {name for name, _ in questions()} == theirs.keys()


def test_the_documentation_lists_every_call_with_its_arguments():
    rows = re.findall(r"^\| `(\w+)` \| ([\w, ]+) \|", (ROOT / "docs" / "calls.md").read_text(encoding="utf-8"), re.M)
    found = {name: arguments.split(", ") for name, arguments in rows}
    assert found.keys() == {name for name, _ in questions()}
    for name, arguments in found.items():
        assert arguments == [*signature(getattr(ModelCalls, name)).parameters][1:], name
