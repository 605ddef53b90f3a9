"""Right labels, proven on the screen: every cell, row label and column label is that of a forward pass."""

import re

import numpy as np
import pytest
from cases import each_case
from playwright.sync_api import Page, expect
from visiting import cells_seen, choose, drawn, go_to, go_to_end, labels_seen, named, needs_browser, option

from explorer.notebook.heatmap import thousandths
from explorer.recording.sentence import examples
from explorer.recording.trace import Trace, record
from model.probe import KINDS

pytestmark = needs_browser
PRECISION = 0.0005  # what is drawn; what is printed is exact
HOVER = re.compile(r"(.*) attends to (.*): ([\d.]+)")


@pytest.fixture(scope="module")
def trace(shipped) -> Trace:
    """What the page shows first."""
    return record(shipped, examples()[0]["sentence"])


def assert_right(page: Page, trace: Trace, kind: str, layer: int, head: int) -> None:
    """Every cell on the screen is the trace's weight, under the labels of its own query and key."""
    attention = trace.map(kind)
    choose(page, kind, layer, head)
    shown = drawn(page)
    expected = attention.weights[layer, head].astype(float)
    fed = [named(piece.text) for piece in trace.target]
    pairs = [f"{f} → {named(step.predicted.text)}" for f, step in zip(fed, trace.steps, strict=True)]
    source = [named(piece.text) for piece in trace.source]
    if kind == "decoder":
        assert np.isnan(shown.weights[np.triu_indices(len(fed), 1)]).all()
        expected[np.triu_indices(len(fed), 1)] = np.nan
    np.testing.assert_allclose(shown.weights, expected, atol=PRECISION)
    np.testing.assert_array_equal(thousandths(shown.weights), thousandths(expected))
    assert plain(shown.queries) == [cut(label, 28) for label in (source if kind == "encoder" else pairs)]
    assert plain(shown.keys) == [cut(label, 14) for label in (fed if kind == "decoder" else source)]


def plain(labels: list[str]) -> list[str]:
    """Labels without the markup that Plotly takes."""
    texts = [re.sub(r"</?(i|span)[^>]*>", "", label) for label in labels]
    return [text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") for text in texts]


def cut(label: str, letters: int) -> str:
    return label if len(label) <= letters else f"{label[: letters - 1]}…"


def test_the_shipped_model_is_drawn_as_it_computed(shared_page, trace):
    for kind, layer, head in zip(KINDS, (0, 3, 1), (2, 5, 7), strict=True):
        assert_right(shared_page, trace, kind, layer, head)
    for choice in (("mean", 1), (2, "max"), ("max", "mean")):
        choose(shared_page, "cross", *choice)
        expected = trace.cross.matrix(*choice).astype(float)
        np.testing.assert_array_equal(thousandths(drawn(shared_page).weights), thousandths(expected))


@pytest.mark.thorough
@each_case("kind", KINDS)
def test_the_label_left_and_above_a_pixel_is_what_hovering_says_there(shared_page, trace, kind):
    page = shared_page
    go_to_end(page)
    attention = trace.map(kind)
    choose(page, kind, 2, 3)
    rows, columns = page.locator(".ytick"), page.locator(".xtick")
    box = page.locator(".nsewdrag").first.bounding_box()
    assert box is not None
    height, width = box["height"] / len(attention.queries), box["width"] / len(attention.keys)
    for query, key in ((4, 1), (7, 7)):
        row, place = rows.nth(query), rows.nth(query).bounding_box()
        assert place is not None
        # The label's own height says which row it stands at.
        assert int((place["y"] + place["height"] / 2 - box["y"]) / height) == query
        page.mouse.move(box["x"] + (key + 0.5) * width, place["y"] + place["height"] / 2)
        found = hovered(page)
        assert found[:2] == (row.text_content(), columns.nth(key).text_content())
        assert found[2] == printed(attention.weights[2, 3, query, key])


def hovered(page: Page) -> tuple[str, str, str]:
    """The query, the key and the number that hovering tells; then the mouse goes away."""
    hover = page.locator("[data-pane=first] .hovertext")
    expect(hover).to_contain_text("attends to")
    found = HOVER.fullmatch(hover.text_content() or "")
    assert found is not None
    page.mouse.move(0, 0)
    expect(hover).to_be_hidden()
    return found[1], found[2], found[3]


def printed(weight: float) -> str:
    return f"{np.floor(1000 * np.float64(weight) + 0.5) / 1000:.3f}"


def test_with_the_special_pieces_hidden_hovering_and_the_readout_tell_the_exact_numbers(shared_page, trace):
    attention, page = trace.encoder, shared_page
    choose(page, "encoder", "mean", 1)
    option(page, "hide").check()
    (hidden,) = attention.special[1]
    left = np.delete(attention.matrix("mean", 1).astype(float), hidden, axis=1)
    keys = [named(piece.text) for piece in attention.keys if not piece.special]
    box = page.locator(".nsewdrag").first.bounding_box()
    assert box is not None
    width, height = box["width"] / left.shape[1], box["height"] / len(left)
    row = left[5] / left[5].sum()
    page.mouse.move(box["x"] + 4.5 * width, box["y"] + 5.5 * height)
    assert hovered(page)[1:] == (keys[4], printed(row[4]))
    page.mouse.click(box["x"] - 20, box["y"] + 5.5 * height)  # the row's label
    best = np.argsort(-np.floor(1000 * row + 0.5), kind="stable")[:3]
    largest = ", ".join(f"{keys[i]} {printed(row[i])}" for i in best if row[i] >= 0.0005)
    readout = page.locator("[data-pane=first] .readout")
    expect(readout).to_contain_text("special tokens hidden")
    expect(readout).to_contain_text(f"sums to 1.000: {largest}")
    page.keyboard.press("Escape")
    option(page, "hide").uncheck()


@each_case("kind", ["decoder", "cross"])
def test_what_is_seen_at_a_step_is_what_a_fresh_decoding_stopped_there_gives(shared_page, shipped, trace, kind):
    page = shared_page
    encoded = shipped.encode([piece.id for piece in trace.source])
    choose(page, kind, 1, 4)
    for step in (0, 9):
        go_to(page, step)
        fresh = shipped.decode([piece.id for piece in trace.target[: step + 1]], encoded)
        layers = fresh.self_attention if kind == "decoder" else fresh.cross_attention
        expected = layers[1][0, 4].numpy()
        seen = cells_seen(page)
        assert seen.sum() == expected.size
        weights = np.nan_to_num(drawn(page).weights[: step + 1, : expected.shape[1]])
        np.testing.assert_allclose(weights, expected, atol=PRECISION)
        assert seen[: step + 1, : expected.shape[1]].all()


def test_what_lies_in_the_future_is_not_labelled_and_the_encoder_has_none(shared_page, trace):
    for kind in KINDS:
        choose(shared_page, kind, 0, 0)
        go_to(shared_page, 2)
        queries = [named(query.label) for query in trace.map(kind).queries]
        keys = [named(piece.text) for piece in trace.map(kind).keys]
        assert labels_seen(shared_page, "y") == (queries if kind == "encoder" else queries[:3])
        assert labels_seen(shared_page, "x") == (keys[:3] if kind == "decoder" else keys)
        assert cells_seen(shared_page).all() == (kind == "encoder")
