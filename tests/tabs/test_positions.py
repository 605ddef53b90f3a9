"""Positional encodings: the table taken apart, what enters the first layer, and the same pieces in another order."""

import base64
import json
import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from by_node import derive, derive_all, in_node, needs_node
from cases import each_case
from tiny_models import tiny_translator

from explorer.engine.calls import ModelCalls
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.recording.trace import Trace
from explorer.tabs import tab_labels
from explorer.tabs.positions.tab import beyond_text, section_settings
from explorer.ui.prose import mathml, prose_template
from model.decoding import Translator
from model.layers import sinusoidal_halves, sinusoidal_positions

pytestmark = needs_node
TABLE, HALVES = sinusoidal_positions(160, 32).numpy(), sinusoidal_halves(160, 32).numpy()
ORDERS = {"sinusoidal": TABLE, "sinusoidal halves": HALVES}
LEARNED = np.random.default_rng(0).normal(size=(160, 32)).astype(np.float32)
RUNS = {
    "table": """
    import { PositionTable } from "./explorer/derived/position_table.js";
    const [settings, distances] = JSON.parse(readFileSync(0));
    const table = new PositionTable(settings);
    console.log(JSON.stringify({
      vectors: [...table.vectors.data],
      notable: table.notableDimensions,
      errors: distances.map((distance) => table.shiftError(distance)),
    }));
    """,
    "wavelengths": """
    globalThis.getComputedStyle = () => ({ getPropertyValue: () => "" });
    globalThis.document = { documentElement: { lang: "en" } };
    const { PositionFigures } = await import("./explorer/tabs/positions/figures.js");
    const { PositionTable } = await import("./explorer/derived/position_table.js");
    const [settings, words] = JSON.parse(readFileSync(0));
    const figures = new PositionFigures({ figures: words, names: {}, colours: { light: {} }, monospace: "" });
    console.log(JSON.stringify(figures.wavelengths(new PositionTable(settings)).data));
    """,
}


def table_of(kind: str, vectors: np.ndarray, distances=(), trained: int | None = None) -> dict:
    """The table as the page has it, its initial selection of dimensions, and the errors of shifts."""
    settings = {"kind": kind, "shape": vectors.shape, "trained": trained}
    if kind == "learned":
        settings["data"] = base64.b64encode(vectors.tobytes()).decode("ascii")
    return in_node(RUNS["table"], [settings, list(distances)])


@each_case("order", ORDERS)
def test_the_page_computes_the_models_own_table_to_the_bit(order, shipped):
    theirs = ORDERS[order]
    np.testing.assert_array_equal(np.array(table_of(order, theirs)["vectors"]), theirs.ravel())
    if order == shipped.model.config.positions:
        held = shipped.model.encoder.embedding.positions.numpy()
        np.testing.assert_array_equal(np.array(table_of(order, held)["vectors"]), held.ravel())


def test_a_learned_table_is_the_models_own():
    np.testing.assert_array_equal(np.array(table_of("learned", LEARNED)["vectors"]), LEARNED.ravel())


def test_after_one_wavelength_a_pair_comes_round():
    lengths = derive_all("position_table", "wavelengthOf", [[pair, 32] for pair in range(16)])
    assert lengths[0] == pytest.approx(2 * math.pi)
    assert lengths[-1] == pytest.approx(2 * math.pi * 10000 ** (30 / 32))
    for pair, length in enumerate(lengths):
        assert derive("position_table", "angleOf", length, pair, 32) == pytest.approx(2 * math.pi)


def similar(table: np.ndarray, measure: str) -> dict:
    return derive("position_table", "similarities", table.astype(float).tolist(), measure)


def test_similarity_is_the_dot_product_or_the_cosine():
    dot, cosine = (np.array(similar(LEARNED, measure)["similar"]) for measure in ("dot product", "cosine"))
    lengths = np.linalg.norm(LEARNED, axis=1)
    np.testing.assert_allclose(dot, LEARNED @ LEARNED.T, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(cosine, dot / np.outer(lengths, lengths), rtol=1e-4, atol=1e-5)


def test_of_sinusoids_only_the_distance_counts():
    curve, halves = similar(TABLE, "dot product"), similar(HALVES, "dot product")
    np.testing.assert_allclose(halves["similar"], curve["similar"], atol=1e-4)
    np.testing.assert_allclose(curve["least"], curve["greatest"], atol=1e-4)
    angles = np.arange(160)[:, None] / 10000 ** (np.arange(16) / 16)
    np.testing.assert_allclose(curve["means"], np.cos(angles).sum(axis=1), atol=1e-4)


def test_a_distance_has_the_least_and_greatest_of_its_pairs():
    curve = similar(LEARNED, "dot product")
    diagonal = np.diagonal(LEARNED @ LEARNED.T, 7)
    found = [curve[name][7] for name in ("least", "greatest", "means")]
    np.testing.assert_allclose(found, [diagonal.min(), diagonal.max(), diagonal.mean()], rtol=1e-4, atol=1e-4)


def test_a_shift_is_a_turn_of_every_pair_and_no_random_tables():
    for order, table in ORDERS.items():
        assert max(table_of(order, table, [1, 100])["errors"]) < 5e-7
        tensor = "{ shape: [160, 32], row: (i) => rows[i] }"
        turned = f"""
        import {{ turnError }} from "./explorer/derived/position_table.js";
        const rows = JSON.parse(readFileSync(0));
        console.log(turnError({tensor}, 100, "{order}"));
        """
        assert in_node(turned, LEARNED.tolist()) > 1


def test_a_linear_map_fits_sinusoids_and_no_random_table():
    (sines,) = table_of("learned", TABLE, [10])["errors"]
    (random,) = table_of("learned", LEARNED, [10])["errors"]
    assert sines < 1e-3 and random == pytest.approx(relative_fit_error(LEARNED, 10), rel=1e-6) and random > 0.9
    assert table_of("learned", LEARNED, [10, 97], trained=160)["errors"][1] is None  # fewer to fit than dimensions
    assert table_of("learned", LEARNED, [10], trained=100)["errors"] == [
        pytest.approx(relative_fit_error(LEARNED[:100], 10))
    ]


def relative_fit_error(table: np.ndarray, distance: int) -> float:
    here, there = table[:-distance].astype(float), table[distance:].astype(float)
    best, *_ = np.linalg.lstsq(here[::2], there[::2], rcond=None)
    return float(np.linalg.norm(here[1::2] @ best - there[1::2]) / np.linalg.norm(there[1::2]))


def test_at_first_two_pairs_and_a_sine_are_drawn():
    assert table_of("sinusoidal", np.zeros((3, 256)))["notable"] == [0, 1, 32, 33, 128]
    assert table_of("sinusoidal halves", np.zeros((3, 256)))["notable"] == [0, 16, 64, 128, 144]


def test_what_lies_beyond_the_training_is_told_of_every_table(shipped, tokenizer):
    learned = replace(tiny_translator(tokenizer, positions="learned"), record={"recipe": {"max_pieces": 30}})
    beyond = beyond_text(shipped)
    assert "**128** positions" in beyond and "show 256 positions" in beyond
    beyond = beyond_text(learned)
    assert "**30** positions" in beyond and "row 31" in beyond
    assert "not recorded" in beyond_text(replace(shipped, record={}))
    assert "none lies beyond" in beyond_text(replace(shipped, record={"recipe": {"max_pieces": 512}}))


CHAIR = "The cat sleeps on the old chair."
CAT, MAT = "the cat sat on the mat", "the mat sat on the cat"


@pytest.fixture(params=["shipped", "toy"])
def translator(request) -> Translator:
    return request.getfixturevalue(request.param)


def calls_of(translator: Translator) -> ModelCalls:
    return ModelCalls(AppContext(Recordings(translator), None, tab_labels()))


@pytest.fixture(scope="module")
def inputs(toy: Translator) -> tuple[Trace, Any]:
    """A trace, and the tensors before the first layers."""
    calls = calls_of(toy)
    sites = [(stack, None, None, name) for stack in ("encoder", "decoder") for name in ("embedding", "positions")]
    tensors = json.loads(calls.tensors(CHAIR, sites))["tensors"]  # pyright: ignore[reportArgumentType]
    return calls.recordings.trace(CHAIR), tensors


@each_case("side", ["encoder", "decoder"])
@each_case("is_bare", [False, True])
def test_the_three_vectors_are_the_models_own(toy: Translator, inputs, side, is_bare):
    trace, tensors = inputs
    found = derive("positions", "layerInput", tensors, side, {"scale": 4, "isBare": is_bare})
    vectors, module = found["vectors"], getattr(toy.model, side).embedding
    ids = [piece.id for piece in (trace.source if side == "encoder" else trace.target)]
    table, positions = module.tokens.weight.detach().numpy(), module.positions.numpy()
    np.testing.assert_allclose(vectors["embedding"], table[ids] * (1 if is_bare else 4), rtol=1e-6)
    np.testing.assert_array_equal(vectors["positions"], positions[: len(ids)])
    np.testing.assert_allclose(vectors["stream"], vectors["embedding"] + vectors["positions"], atol=1e-6)
    for name, rows in vectors.items():
        np.testing.assert_allclose(found["norms"][name], np.linalg.norm(rows, axis=1), rtol=1e-6)


def input_texts(translator: Translator, embedding: float, tied: bool) -> dict[str, str]:
    found = {"norms": {"embedding": [embedding], "positions": [8.0], "stream": [9.0]}, "factor": 4}
    return derive("positions", "inputTexts", found, {"tied": tied, "texts": section_settings(translator)["texts"]})


def test_a_bare_embedding_drowns_where_it_is_half_as_long_as_a_position(toy):
    assert "bare" in input_texts(toy, 16, False)["mistake"] and "drowned" not in input_texts(toy, 16, False)["mistake"]
    texts = input_texts(toy, 15, True)
    assert "<strong>3.75</strong> long" in texts["mistake"] and "drowned" in texts["mistake"]
    assert "second use" in texts["mistake"] and "second use" not in input_texts(toy, 15, False)["mistake"]
    assert "<strong>15.00</strong> long, a position <strong>8.00</strong>" in texts["norms"]


def compare(translator: Translator, first: str, second: str) -> dict:
    calls = calls_of(translator)
    encoded = [json.loads(calls.encode(text)) for text in (first, second)]
    return derive("positions", "compareOrders", *encoded, section_settings(translator)["texts"])


def test_without_positions_the_outputs_are_the_same_in_another_order(translator):
    found, calls = compare(translator, CAT, MAT), calls_of(translator)
    first, second = (
        np.frombuffer(base64.b64decode(json.loads(calls.encode(text))["without_positions"]["data"]), "<f4").reshape(
            len(found["partners"]), -1
        )
        for text in (CAT, MAT)
    )
    np.testing.assert_allclose(first, second[found["partners"]], atol=1e-5)
    between = np.linalg.norm(first[:, None] - second[None], axis=-1)
    np.testing.assert_allclose(found["matrices"][1], between, rtol=1e-4, atol=1e-5)
    assert np.array(found["matrices"][1])[range(len(first)), found["partners"]].max() < 1e-4


@each_case(("other", "told"), [(CAT, "<strong>0</strong> with"), (MAT, "with")])
def test_what_is_rounding_is_told_by_its_bound_also_where_it_is_nothing(toy, other, told):
    result = compare(toy, CAT, other)["result"]
    assert told in result and re.search(r"less than <strong>1e−0[4567]</strong> without, which is rounding", result)
    bounds = derive_all("position_table", "roundingBound", [[error] for error in (0, 1e-7, 9e-7, 2e-5)])
    assert [f"{bound:.0e}" for bound in bounds] == ["1e-07", "1e-06", "1e-06", "1e-04"]


def test_with_positions_they_are_not(translator):
    found, calls = compare(translator, CAT, MAT), calls_of(translator)
    sides = [[piece["id"] for piece in json.loads(calls.encode(text))["source"]] for text in (CAT, MAT)]
    first, second = (translator.encode(ids).memory[0].numpy() for ids in sides)
    assert [sides[1][partner] for partner in found["partners"]] == sides[0]
    distances = np.linalg.norm(first - second[found["partners"]], axis=1)
    assert found["ordered"] == pytest.approx(float(distances.max()), rel=1e-5) and found["ordered"] > 0.5


def test_where_the_halves_lie_apart_a_wavelength_names_both_dimensions(toy):
    settings = {"kind": "sinusoidal halves", "shape": [10, 8], "trained": 8}
    line, trained = in_node(RUNS["wavelengths"], [settings, section_settings(toy)["figures"]])
    assert (line["x"], line["customdata"]) == ([0, 1, 2, 3], [4, 5, 6, 7])
    assert trained["y"] == [8, 8]  # the longest sentence of the training


def test_a_formula_is_mathml():
    assert mathml("k / 10^{2i/d_{model}}") == (
        "<math><mi>k</mi><mo>/</mo><msup><mn>10</mn><mrow><mn>2</mn><mi>i</mi><mo>/</mo>"
        "<msub><mi>d</mi><mrow><mi>model</mi></mrow></msub></mrow></msup></math>"
    )
    assert mathml(r"\sqrt{x} = -0.5") == (
        "<math><msqrt><mrow><mi>x</mi></mrow></msqrt></math><wbr><math><mo>=</mo><mn>−0.5</mn></math>"
    )


def test_numbers_that_the_page_fills_in_stay_names_with_their_formats():
    html = prose_template(r"At *{place}* $\{name}({angle:.4f}) = 10^{{{even}/2}}$", name="sin")
    assert html.startswith("<p>At <em>{place}</em> <math><mi>sin</mi>") and "<mn>{angle:.4f}</mn>" in html
    assert "<msup><mn>10</mn><mrow><mn>{even}</mn><mo>/</mo><mn>2</mn></mrow></msup>" in html
