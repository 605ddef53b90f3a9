"""Words in the picture: rows and columns joined, held against numpy's joins of the trace's own weights."""

import re
import unicodedata
from collections.abc import Sequence

import numpy as np
import pytest
from cases import each_case
from jaxtyping import Float
from playwright.sync_api import Page, expect
from visiting import (
    begin_again,
    cell_place,
    cells_seen,
    choose,
    drawn,
    go_to,
    labels_seen,
    named,
    needs_browser,
    open_tab,
    option,
)

from explorer.recording.trace import Piece, Trace, record
from model.probe import KINDS

pytestmark = needs_browser
SENTENCE = "A man repairs the bike near a lighthouse."
PRECISION = 0.0005  # half of the last digit that is printed


def punctuation(text: str) -> bool:
    return all(unicodedata.category(sign)[0] in "PS" for sign in text)


def words(pieces: Sequence[Piece]) -> list[list[int]]:
    """Indices of pieces word by word; a mark alone after a word stands alone (none of these sentences has others)."""
    groups: list[list[int]] = []
    for i, piece in enumerate(pieces):
        alone = piece.special or punctuation(piece.text) or (i > 0 and pieces[i - 1].special)
        if i == 0 or piece.starts_word or alone:
            groups.append([i])
        else:
            groups[-1].append(i)
    return groups


def axes(trace: Trace, kind: str) -> tuple[list[list[int]], list[list[int]]]:
    """The queries and the keys of every word."""
    english, fed = words(trace.source), words(trace.target)
    predicted = words([step.predicted for step in trace.steps])
    return (english if kind == "encoder" else predicted), (fed if kind == "decoder" else english)


def joined(weights: Float[np.ndarray, "query key"], queries: list[list[int]], keys: list[list[int]]) -> np.ndarray:
    """Averaged over queries, summed over keys."""
    rows = np.stack([weights[group].mean(axis=0) for group in queries])
    return np.stack([rows[:, group].sum(axis=1) for group in keys], axis=1)


def told(trace: Trace, kind: str) -> tuple[list[str], list[str]]:
    """The labels of rows and columns."""
    queries, keys = axes(trace, kind)
    if kind == "encoder":
        names = ["".join(trace.source[i].text for i in group) for group in queries]
    else:
        written = ["".join(trace.steps[i].predicted.text for i in group) for group in queries]
        names = [f"{before} → {word}" for before, word in zip(["<s>", *written], written, strict=False)]
    names = [named(name) for name in names]
    pieces = trace.target if kind == "decoder" else trace.source
    return names, [named("".join(pieces[i].text for i in group)) for group in keys]


def plain(labels: list[str]) -> list[str]:
    texts = [re.sub(r"</?(i|span)[^>]*>", "", label) for label in labels]
    return [text.replace("&lt;", "<").replace("&gt;", ">") for text in texts]


@pytest.fixture(scope="module")
def trace(shipped) -> Trace:
    """Its last word but one, and others, have several pieces."""
    trace = record(shipped, SENTENCE)
    assert max(map(len, words(trace.source))) > 1 and max(map(len, axes(trace, "cross")[0])) > 1
    return trace


@pytest.fixture
def page(shared_page: Page) -> Page:
    """In words."""
    return begin_again(shared_page, SENTENCE, words="1")


def expected(trace: Trace, kind: str, layer: int | str, head: int | str) -> np.ndarray:
    queries, keys = axes(trace, kind)
    cells = joined(trace.map(kind).matrix(layer, head).astype(float), queries, keys)
    if kind == "decoder":  # hatched where no piece of a row's word may attend to any of a column's
        cells[[[group[0] > queries_of[-1] for group in keys] for queries_of in queries]] = np.nan
    return cells


@each_case(("kind", "layer", "head"), zip(KINDS, (2, 3, 1), (3, 0, "max"), strict=True))
def test_rows_and_columns_are_words(page, trace, kind, layer, head):
    choose(page, kind, layer, head)
    shown = drawn(page)
    np.testing.assert_allclose(shown.weights, expected(trace, kind, layer, head), atol=PRECISION)
    assert (plain(shown.queries), plain(shown.keys)) == told(trace, kind)
    expect(page.locator("[data-role=explanation]")).to_contain_text("summed over a word's keys")


def test_hidden_special_pieces_are_hidden_before_pieces_are_joined(page, trace):
    choose(page, "decoder", 2, 3)
    option(page, "hide").check()
    queries, keys = axes(trace, "decoder")
    hidden, weights = [*trace.decoder.special[1]], trace.decoder.matrix(2, 3).astype(float)
    weights[:, hidden] = 0
    weights /= np.maximum(weights.sum(axis=1, keepdims=True), 1e-12)
    kept = [group for group in keys if group[0] not in hidden]
    np.testing.assert_allclose(np.nan_to_num(drawn(page).weights), joined(weights, queries, kept), atol=PRECISION)


def test_while_stepping_a_word_is_shown_as_far_as_it_is_known(page, trace):
    choose(page, "decoder", 3, 0)
    weights = trace.decoder.matrix(3, 0).astype(float)
    queries, keys = axes(trace, "decoder")
    within = queries[longest(queries)]
    for step in (within[0], within[-1], len(trace.steps) - 1):
        go_to(page, step)
        rows, columns = ([[i for i in group if i <= step] for group in groups] for groups in (queries, keys))
        rows, columns = list(filter(None, rows)), list(filter(None, columns))
        wanted = joined(weights, rows, columns)
        seen = np.nan_to_num(drawn(page).weights)[: len(rows), : len(columns)]
        np.testing.assert_allclose(seen, wanted, atol=PRECISION)
        covered = cells_seen(page)
        assert covered[: len(rows), : len(columns)].all() and covered.sum() == len(rows) * len(columns)
        part = named("".join(trace.steps[i].predicted.text for i in rows[-1]))
        assert labels_seen(page, "y")[-1].endswith(f"→ {part}") and len(labels_seen(page, "x")) == len(columns)
        expect(page.locator("[data-pane=first] .readout")).to_contain_text(f"→ {part} sums to 1.000")
        found = re.search(r": .*? ([\d.]+)", page.locator("[data-pane=first] .readout").inner_text())
        assert found is not None and float(found[1].rstrip(".")) == pytest.approx(wanted[-1].max(), abs=1.5 * PRECISION)


def longest(groups: list[list[int]]) -> int:
    return max(range(len(groups)), key=lambda i: len(groups[i]))


@pytest.mark.thorough
def test_a_cell_of_words_stands_for_the_strongest_of_its_pieces(page, trace):
    choose(page, "encoder", 1, 2)
    queries, keys = axes(trace, "encoder")
    row, column = longest(queries), longest(keys)
    weights = trace.encoder.matrix(1, 2)[np.ix_(queries[row], keys[column])]
    query, key = (int(i) for i in np.unravel_index(weights.argmax(), weights.shape))
    page.mouse.click(*cell_place(page, row, column))
    expect(page.locator("[data-role=source] .piece.pinned")).to_have_text(
        re.compile(re.escape(told(trace, "encoder")[0][row]))
    )
    page.locator("#viewer button[data-role=whole]").click()
    number = f"{queries[row][query] + 1}.{keys[column][key] + 1}"
    expect(page).to_have_url(re.compile(rf"whole\.at=encoder\.2\.self\.3\.{re.escape(number)}"))
    open_tab(page, "Heads")


@each_case("axis", ["y", "x"])
def test_a_label_pins_its_word_and_lets_go_of_any_of_its_pieces(page, trace, axis):
    choose(page, "encoder", 1, 2)
    number = longest(axes(trace, "encoder")[0])
    box = page.locator(f"[data-pane=first] .{axis}tick").nth(number).bounding_box()
    assert box is not None
    click = box["x"] + 3, box["y"] + box["height"] - 3
    page.mouse.click(*click)
    pinned, strip = page.locator("[data-pane=first] .heatmap .pinned"), page.locator("[data-role=source] .piece")
    expect(strip.nth(number)).to_contain_class("pinned")
    expect(pinned).to_be_visible()
    option(page, "words").uncheck()
    expect(page.locator("[data-role=source] .piece.pinned")).to_have_count(1)
    option(page, "words").check()
    page.keyboard.press("Escape")
    page.mouse.click(*click)
    expect(pinned).to_be_hidden()


def test_a_saved_picture_ends_at_the_part_of_the_word(page, trace):
    choose(page, "cross", 3, 1)
    queries, _ = axes(trace, "cross")
    row = longest(queries)
    go_to(page, queries[row][0])
    saved = """() => new Promise((done) => {
        const read = ({ layout, data }) => [layout.yaxis.range[0], data[0].z.map(([first]) => isNaN(first))];
        Plotly.downloadImage = (figure) => done(read(figure));
        document.querySelector("[data-title='Save as picture']").click();
    })"""
    with page.expect_download():  # brings Plotly
        page.evaluate("document.querySelector(\"[data-title='Save as picture']\").click()")
    assert page.evaluate(saved) == [row + 0.5, [False] * (row + 1) + [True] * (len(queries) - row - 1)]
