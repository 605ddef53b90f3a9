"""The blackboards of the whole picture: every number is the model's own, and follows from what is shown beside it."""

import json
import math
import re
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest
from by_node import in_node, needs_node
from tiny_models import tiny_translator

from explorer.engine.calls import ModelCalls
from explorer.recording.app_context import AppContext
from explorer.recording.forward_pass import ForwardPass, record_pass
from explorer.recording.payload import trace_json
from explorer.recording.recordings import Recordings
from explorer.tabs import tab_labels
from explorer.tabs.whole.tab import words
from model.decoding import Translator
from model.probe import ATTENTION, Site, Stack

pytestmark = needs_node

SENTENCES = {"shipped": "A man in a blue shirt is cleaning a window.", "tiny": "The cat sleeps."}
MODELS = {
    "as the paper": {},
    "learned, without bias": {"positions": "learned", "attention_bias": False, "d_head": 3, "d_value": 5},
    "one head, halves": {"positions": "sinusoidal halves", "n_heads": 1, "activation": "gelu"},
    "without positions": {"positions": "none", "activation": "silu", "n_layers": 1, "n_decoder_layers": 2},
}
BOARDS = """
    import { NoAnswer } from "./explorer/ui/model.js";
    import { createTrace } from "./explorer/derived/trace.js";
    import { NumberData } from "./explorer/tabs/whole/boards/number_data.js";
    import { parsePlace, formatPlace } from "./explorer/tabs/whole/place.js";
    import { sizesOf } from "./explorer/tabs/whole/boards/arithmetic.js";
    const { trace: payload, config, places, answers } = JSON.parse(readFileSync(0));
    const trace = createTrace(payload);
    const asked = new Map();
    const answer = async (...request) => {
      const key = JSON.stringify(request);
      if (answers[key]) return JSON.parse(answers[key]);
      asked.set(key, request);
      throw new NoAnswer(new Error("not yet"));
    };
    const model = { about: { tokenNames: { start: "(start)", end: "(end)" } } };
    for (const name of ["head", "tensors", "lens", "parameter"]) model[name] = (...args) => answer(name, ...args);
    const data = new NumberData(model);
    const boards = await Promise.all(places.map((text) => {
      const place = parsePlace(text, sizesOf(trace, config));
      if (place === null) throw new Error(`there is no ${text}`);
      return data.boardOf(place, { trace, config, experiment: {} });
    }));
    const withAll = (board) => board && {
      ...board, tables: board.steps.flatMap(({ table }) => (table ? [table, ...(table.all ? [table.all()] : [])] : [])),
    };
    const plain = (name, value) => {
      if (ArrayBuffer.isView(value)) return Array.from(value, (number) => plain("", number));
      if (typeof value === "number" && !Number.isFinite(value)) return `${value}`;
      if (value?.stack !== undefined) return formatPlace(value);
      return value;
    };
    console.log(JSON.stringify({ asked: [...asked.values()], boards: boards.map(withAll) }, plain));
"""


class Run(NamedTuple):
    """A translation's forward pass, and blackboards by their places."""

    translator: Translator
    forward_pass: ForwardPass
    boards: dict[str, dict[str, Any]]


def config_of(translator: Translator) -> dict[str, Any]:
    config = translator.model.config
    same = ("d_model", "d_head", "d_value", "d_ff", "positions", "activation")
    return {
        **{name: getattr(config, name) for name in same},
        "layers": {"encoder": config.layers("encoder"), "decoder": config.layers("decoder")},
        "heads": config.n_heads,
        "vocabulary": config.tgt_vocab_size,
        "bias": config.attention_bias,
    }


def places_of(translator: Translator, source: int, target: int) -> Iterator[str]:
    """A place or two of every matrix of every layer, and of two heads of each attention."""
    config, random = translator.model.config, np.random.default_rng(0)

    def pick(count: int) -> int:
        return int(random.integers(count)) + 1

    rows_of = {"encoder": source, "decoder": target}
    for stack, rows in rows_of.items():
        yield f"{stack}.embedding.sum.{pick(rows)}.{pick(config.d_model)}"
        yield f"{stack}.embedding.sum.{rows}.{pick(config.d_model)}"
    for kind, site in ATTENTION.items():
        block, rows = "cross" if kind == "cross" else "self", rows_of[site.stack]
        keys = target if kind == "decoder" else source
        for layer, head in product(range(config.layers(site.stack)), {0, config.n_heads - 1}):
            place = f"{site.stack}.{layer + 1}.{block}.{head + 1}"
            yield f"{place}.{pick(rows)}.{pick(keys)}"
            yield f"{place}.q.{pick(rows)}.{pick(config.d_head)}"
            yield f"{place}.k.{pick(keys)}.{pick(config.d_head)}"
            yield f"{place}.v.{pick(keys)}.{pick(config.d_value)}"
            yield f"{place}.mix.{pick(rows)}.{pick(config.d_value)}"
        for layer, part in product(range(config.layers(site.stack)), ("out", "sum", "norm")):
            yield f"{site.stack}.{layer + 1}.{block}.{part}.{pick(rows)}.{pick(config.d_model)}"
    for stack, rows in rows_of.items():
        for layer, part in product(range(config.layers(stack)), ("hidden", "hidden", "out", "sum", "norm")):
            columns = config.d_ff if part == "hidden" else config.d_model
            yield f"{stack}.{layer + 1}.feed.{part}.{pick(rows)}.{pick(columns)}"
    yield f"decoder.1.self.1.1.{target}"  # masked
    yield f"output.{target}.{pick(config.tgt_vocab_size) - 1}"


def run(translator: Translator, sentence: str) -> Run:
    recordings = Recordings(translator)
    calls = ModelCalls(AppContext(recordings, None, tab_labels()))
    trace = recordings.trace(sentence)
    forward_pass = record_pass(translator, trace)
    places = [*places_of(translator, len(trace.source), len(trace.steps))]
    chosen, excluded = trace.steps[0].predicted.id, translator.excluded_ids[0]
    places += [f"output.1.{chosen}", f"output.1.{excluded}"]
    given = {"trace": trace_json(trace), "config": config_of(translator), "places": places}
    asked = in_node(BOARDS, {**given, "answers": {}})["asked"]
    answers = {as_in_js(request): answer(calls, *request) for request in asked}
    boards = in_node(BOARDS, {**given, "answers": answers})["boards"]
    return Run(translator, forward_pass, dict(zip(places, boards, strict=True)))


def as_in_js(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def answer(calls: ModelCalls, name: str, *arguments: Any) -> str:
    if name == "tensors":
        sentence, sites, experiment = arguments
        return calls.tensors(sentence, [Site(*site) for site in sites], experiment)
    return getattr(calls, name)(*arguments)


@pytest.fixture(scope="module", params=["shipped", *MODELS])
def boards(request, tokenizer) -> Run:
    if request.param == "shipped":
        return run(request.getfixturevalue("shipped"), SENTENCES["shipped"])
    return run(tiny_translator(tokenizer, **MODELS[request.param]), SENTENCES["tiny"])


SUBLAYERS = {"self": "self_attention", "cross": "cross_attention", "feed": "feed_forward"}


def matrix_at(run: Run, place: str) -> tuple[np.ndarray, int, int]:
    """The matrix of the pass with the number of a place, and its row and column."""
    *path, row, column = place.split(".")
    stack: Stack = "decoder" if path[0] == "output" else path[0]  # type: ignore[assignment]
    tensors = run.forward_pass.tensors
    at = int(row) - 1, int(column) - (path[0] != "output")  # a token of the vocabulary has its id
    if path[0] == "output":
        logits = tensors[Site("decoder", tensor="logits")][0].astype(np.float64)
        logits[:, run.translator.excluded_ids] = -np.inf
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True), *at
    if path[1] == "embedding":
        return tensors[Site(stack, tensor="stream")][0], *at
    layer, block, *rest = path[1:]
    site = Site(stack, int(layer) - 1, SUBLAYERS[block])  # type: ignore[arg-type]
    if rest and rest[0].isdigit():
        part = rest[1] if len(rest) > 1 else "weights"
        name = {"mix": "heads"}.get(part, part)
        return tensors[site._replace(tensor=name)][0, int(rest[0]) - 1], *at
    return tensors[site._replace(tensor={"norm": "stream", "out": "output"}.get(rest[0], rest[0]))][0], *at


def assert_at(run: Run, place: str, found: float) -> None:
    """Relative to the largest number of the matrix."""
    matrix, row, column = matrix_at(run, place)
    assert abs(found - matrix[row, column]) <= 2e-5 * np.abs(matrix).max(), place


def test_the_number_of_every_board_is_the_models(boards):
    for place, board in boards.boards.items():
        assert_at(boards, place, board["result"]["number"])


def test_every_number_that_leads_elsewhere_is_the_number_there(boards):
    for board in boards.boards.values():
        terms = [part for step in board["steps"] for part in step["equation"] if isinstance(part, dict)]
        pairs = [(term["place"], term["number"]) for term in terms if term.get("place")]
        for table in board["tables"]:
            for quantity in table["quantities"]:
                pairs += zip(quantity["places"] or [], quantity["numbers"], strict=False)
        for place, number in pairs:
            assert_at(boards, place, number)


def test_the_numbers_beside_a_board_s_own_are_the_models(boards):
    checked = 0
    for table in (table for board in boards.boards.values() for table in board["tables"]):
        items, quantities = table["items"], table["quantities"]
        has_current = any(item.get("isCurrent") for item in items)
        if has_current or quantities[0]["name"] == "concatenated":  # its items lead to the numbers of one line
            numbers = quantities[-1 if has_current else 0]["numbers"]
            for item, number in zip(items, numbers, strict=True):
                assert_at(boards, item["place"], number)
                checked += 1
    assert checked > 100


def on_the_way(run: Run, place: str) -> dict[str, float]:
    """What a board shows between the factors and the result of a place, by name."""
    tensors, (_, row, column) = run.forward_pass.tensors, matrix_at(run, place)
    path = place.split(".")
    if path[0] == "output":
        return {"logit": tensors[Site("decoder", tensor="logits")][0, row, column]}
    if path[-3] == "hidden":
        before = tensors[Site(path[0], int(path[1]) - 1, "feed_forward", "pre_activation")]  # type: ignore[arg-type]
        return {"before": before[0, row, column]}
    if path[-4:-2] == ["feed", "out"]:
        return {"lit": (matrix_at(run, place.replace("out", "hidden"))[0][row] != 0).sum()}
    if path[-3] == "norm":
        total = matrix_at(run, place.replace("norm", "sum"))[0][row].astype(float)
        return {"mean": total.mean(), "variance": total.var()}
    return {}


def test_the_numbers_on_the_way_to_a_result_are_the_models(boards):
    found = set()
    for place, board in boards.boards.items():
        terms = [part for step in board["steps"] for part in step["equation"] if isinstance(part, dict)]
        shown = [(term["name"], term["number"]) for term in terms]
        shown += [("lit", step["values"]["lit"]["count"]) for step in board["steps"] if "lit" in step["values"]]
        expected = on_the_way(boards, place)
        for name, number in shown:
            if name in expected:
                assert number == pytest.approx(expected[name], rel=1e-4, abs=2e-5), f"{place} {name}"
                found.add(name)
    assert found == {"logit", "before", "lit", "mean", "variance"}


def test_every_line_of_a_table_follows_from_those_above_it(boards):
    checked = 0
    for table in (table for board in boards.boards.values() for table in board["tables"]):
        value = np.array([])
        for quantity in table["quantities"]:
            numbers = np.array(quantity["numbers"], dtype=float)
            if quantity["sign"] == "=":
                np.testing.assert_allclose(numbers, value, rtol=0, atol=1e-6 * np.abs(value).max())
                checked += 1
            value = {"×": np.multiply, "+": np.add}.get(quantity["sign"], lambda _, last: last)(value, numbers)
    assert checked > 10


def value_of(parts: list[Any]) -> float:
    """What one side of an equation comes to."""
    text = "".join(f"({part['number']})" if isinstance(part, dict) else part for part in parts)
    text = re.sub(r"√(\d+)", r"sqrt(\1)", text).replace("÷", "/").replace("×", "*").replace("−", "-").replace("^", "**")
    return eval(text, {"sqrt": math.sqrt, "sin": math.sin, "cos": math.cos})


def test_both_sides_of_every_equation_are_equal(boards):
    checked = 0
    for place, board in boards.boards.items():
        for step in board["steps"]:
            parts = step["equation"]
            if "=" not in parts:
                continue
            ends = [i for i, part in enumerate(parts) if part == "="]
            sides = [parts[start + 1 : end] for start, end in zip([-1, *ends], [*ends, len(parts)], strict=True)]
            values = [value_of(side) for side in sides]
            scale = max(abs(part["number"]) for part in parts if isinstance(part, dict))
            np.testing.assert_allclose(values, values[0], atol=1e-6 * scale, err_msg=f"{place} {step['name']}")
            checked += 1
    assert checked > 20


def test_shares_of_all_tokens_add_up_and_masked_ones_are_exactly_0(boards):
    masked = 0
    for board in boards.boards.values():
        shares = [
            (quantity["numbers"], table["items"])
            for table in board["tables"]
            for quantity in table["quantities"]
            if quantity["name"] == "weights"
        ]
        for numbers, items in shares[-1:]:  # the table of all tokens, where the first has only the largest shares
            assert abs(sum(numbers) - 1) < 1e-9
            assert [number == 0 for number in numbers] == [item["isMasked"] for item in items]
            masked += sum(item["isMasked"] for item in items)
    assert masked


def named(board: dict[str, Any]) -> Iterator[str]:
    yield board["title"]["name"]
    for step in board["steps"]:
        yield f"steps.{step['name']}"
        yield from (f"terms.{part['name']}" for part in step["equation"] if isinstance(part, dict))
    for table in board["tables"]:
        yield f"about.{table['about']}"
        yield from (f"quantities.{quantity['name']}" for quantity in table["quantities"])


def test_the_words_have_a_name_for_everything_on_a_board(boards):
    for board in boards.boards.values():
        for path in named(board):
            found = words.NUMBERS
            for name in path.split("."):
                found = found[name]
            assert found or path == "about.heads"
