"""The attention view in a real browser: choices, options, and the view as Python sets and reads it."""

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect
from visiting import (
    DESK,
    begin_again,
    cells_seen,
    choose,
    drawn,
    go_to,
    labels_seen,
    needs_browser,
    open_tab,
    option,
    translate,
    visited,
)

from explorer.recording.sentence import examples
from explorer.recording.trace import record

pytestmark = needs_browser
PRECISION = 0.0005  # of what is drawn: half of the last digit that is printed
EXAMPLE = examples()[0]["sentence"]


@pytest.fixture
def page(shared_page: Page) -> Page:
    return begin_again(shared_page)


def title(page: Page) -> str:
    return page.locator("[data-pane=first] h3").inner_text()


def test_stepping_and_choosing_ask_the_server_nothing(page):
    asked: list[str] = []
    page.on("request", lambda request: request.url.startswith("http") and asked.append(request.url))
    choose(page, "decoder", 2, 3)
    page.locator("[data-look=ribbon]").click()
    page.locator("[data-look=heatmap]").click()
    page.locator("[data-role=pair]").check()
    option(page, "transposed").check()
    for _ in range(5):
        page.get_by_label("Previous step").click()
    assert asked == []


def test_stepping_leaves_the_picture_alone(page):
    page.evaluate(
        "new MutationObserver(() => { window.redrawn = true; })"
        ".observe(document.querySelector('.heatmap .cartesianlayer'), { childList: true, subtree: true })"
    )
    for step in (2, 5, 1):
        go_to(page, step)
    assert page.evaluate("window.redrawn") is None
    choose(page, "cross", 1, 1)
    assert page.evaluate("window.redrawn") is True


def test_choices_survive_a_new_sentence_a_step_and_a_kind(page):
    choose(page, "decoder", 2, 3)
    option(page, "scale").select_option("row")
    translate(page, "Two children are playing in the garden.")
    expect(page.locator("[data-role=source]")).to_contain_text("children")
    assert title(page) == "Decoder self-attention (masked) · layer 3 · head 4"
    go_to(page, 2)
    page.locator(".kinds button[value=cross]").click()
    assert title(page) == "Cross-attention · layer 3 · head 4"
    assert option(page, "scale").input_value() == "row"


def test_a_click_on_the_overview_enlarges_that_head(page):
    canvas = page.locator("[data-role=overview]")
    box = canvas.bounding_box()
    assert box is not None
    canvas.click(position={"x": box["width"] - 8, "y": box["height"] - 8})
    assert title(page) == "Cross-attention · layer 4 · head 8"


def overview(page: Page) -> np.ndarray:
    """Opacity of the overview's pixels."""
    script = """(canvas) => {
        const { width, height } = canvas;
        const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
        return [height, width, Array.from(data.filter((_, i) => i % 4 === 3))];
    }"""
    height, width, values = page.locator("[data-role=overview]").evaluate(script)
    return np.array(values).reshape(height, width)


def test_the_overview_grows_with_the_steps_and_changes_with_the_kind(page):
    whole = overview(page)
    go_to(page, 3)
    part = overview(page)
    assert 0 < (part > 0).sum() < (whole > 0).sum()
    page.locator(".kinds button[value=encoder]").click()
    assert (overview(page) > 0).sum() > (part > 0).sum()


def test_all_steps_at_once_on_request(page, shipped):
    trace = record(shipped, EXAMPLE)
    go_to(page, 2)
    page.locator("[data-choice=whole]").check()
    assert cells_seen(page).all()
    assert labels_seen(page, "y") == [query.label for query in trace.cross.queries]


def middle(locator: Locator) -> float:
    """The height at which a node's middle lies."""
    box = locator.bounding_box()
    assert box is not None
    return box["y"] + box["height"] / 2


def test_a_page_resized_while_another_tab_is_open_comes_back_in_its_new_width(page):
    open_tab(page, "Positions")
    page.set_viewport_size({"width": 1300, "height": 768})
    open_tab(page, "Explore")
    room = page.locator("[data-pane=first] .plot").bounding_box()
    assert room is not None
    page.wait_for_function(
        """(right) => {
            const { left } = document.querySelector("[data-pane=first] .colorbar .cbfill").getBoundingClientRect();
            return left < right - 40 && left > right - 70;
        }""",
        arg=room["x"] + room["width"],
    )
    go_to(page, 3)
    mark, tick = page.locator("[data-pane=first] .mark"), page.locator("[data-pane=first] .ytick").nth(3)
    assert middle(mark) == pytest.approx(middle(tick), abs=2)
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})


def test_two_heads_side_by_side_follow_the_same_step(page, shipped):
    trace = record(shipped, EXAMPLE)
    choose(page, "cross", 1, 2)
    page.locator("[data-role=pair]").check()
    page.locator("[data-role=layer2]").select_option(label="4")
    page.locator("[data-role=head2]").select_option(label="6")
    np.testing.assert_allclose(drawn(page).weights, trace.cross.weights[1, 2], atol=PRECISION)
    np.testing.assert_allclose(drawn(page, "second").weights, trace.cross.weights[3, 5], atol=PRECISION)
    go_to(page, 3)
    for pane in ("first", "second"):
        expect(page.locator(f"[data-pane={pane}] .readout")).to_contain_text(trace.cross.queries[3].label)


def test_special_pieces_are_hidden_with_renormalisation_that_says_so(page, shipped):
    trace = record(shipped, EXAMPLE)
    choose(page, "cross", 0, 1)
    option(page, "hide").check()
    kept = trace.cross.weights[0, 1, :, :-1]
    shown = drawn(page)
    np.testing.assert_allclose(shown.weights, kept / kept.sum(axis=1, keepdims=True), atol=0.003)
    assert shown.keys == [piece.text for piece in trace.source[:-1]]
    expect(page.locator("[data-pane=first] .readout")).to_contain_text("special pieces hidden")


def test_a_maximum_does_not_pass_for_a_distribution(page, shipped):
    trace = record(shipped, EXAMPLE)
    choose(page, "cross", "max", "max")
    page.keyboard.press("End")
    readout = page.locator("[data-pane=first] .readout")
    expect(readout).to_contain_text("not a distribution")
    total = float((readout.text_content() or "").split(" sums to ")[1].split(":")[0])
    assert total == round(float(trace.cross.matrix("max", "max")[-1].sum(dtype=float)), 3)


def test_a_row_of_special_pieces_alone_says_that_nothing_is_left(page):
    page.locator(".kinds button[value=decoder]").click()
    go_to(page, 0)
    option(page, "hide").check()
    expect(page.locator("[data-pane=first] .readout")).to_contain_text("nothing is left")


def test_special_pieces_are_marked(page):
    shown = drawn(page)
    assert shown.keys[-1] == "<i>&lt;/s&gt;</i>"
    assert [label.startswith("<i>") for label in shown.queries] == [True, *[False] * (len(shown.queries) - 2), True]
    expect(page.locator("[data-role=source] .piece").last).to_contain_class("special")


def test_a_transposed_picture_is_the_same_turned_and_says_so(page, shipped):
    trace = record(shipped, EXAMPLE)
    choose(page, "decoder", 1, 1)
    before = drawn(page).weights
    option(page, "transposed").check()
    shown = drawn(page)
    np.testing.assert_array_equal(shown.weights, before.T)
    expect(page.locator(".heatmap .ytitle").first).to_contain_text("key: German")
    go_to(page, 4)
    assert cells_seen(page).sum() == 25
    assert len(labels_seen(page, "x")) == 5
    assert labels_seen(page, "y") == [piece.text for piece in trace.target[:5]]


@pytest.mark.parametrize("scale", ["row", "auto"])
def test_other_scales_change_the_colours_and_not_the_numbers(page, shipped, scale):
    trace = record(shipped, EXAMPLE)
    choose(page, "encoder", 0, 0)
    option(page, "scale").select_option(scale)
    weights = trace.encoder.weights[0, 0]
    read = "({ data: [{ z, zmax, text }] }) => [z.map((row) => [...row]), zmax, text[3][2]]"
    z, zmax, text = page.locator(".heatmap").first.evaluate(read)
    expected = weights / weights.max(axis=1, keepdims=True) if scale == "row" else weights
    np.testing.assert_allclose(np.array(z), expected, atol=0.003)
    assert zmax == pytest.approx(1 if scale == "row" else weights.max(), abs=PRECISION)
    assert text.split()[-1] == f"{weights[3, 2]:.3f}"


def test_the_mark_follows_a_zoom(page):
    """Behind the other tests of this page: Plotly changes the order of its labels."""
    mark, ticks = page.locator("[data-pane=first] .mark"), page.locator("[data-pane=first] .ytick")
    go_to(page, 4)
    before = middle(mark)
    assert before == pytest.approx(middle(ticks.nth(4)), abs=2)
    place, rows = page.locator("[data-pane=first] .nsewdrag").bounding_box(), drawn(page).weights.shape[0]
    assert place is not None
    page.mouse.move(place["x"] + 5, place["y"] + 3 * place["height"] / rows)
    page.mouse.down()
    page.mouse.move(place["x"] + 8, place["y"] + 7 * place["height"] / rows, steps=4)
    page.mouse.up()
    expect(ticks).to_have_count(4)
    assert middle(mark) == pytest.approx(middle(ticks.nth(1)), abs=2)
    go_to(page, 5)
    assert middle(mark) == pytest.approx(middle(ticks.nth(2)), abs=2)
    go_to(page, 4)
    page.keyboard.press("0")
    expect(ticks).to_have_count(rows)
    assert middle(mark) == pytest.approx(before, abs=2)


def test_a_model_of_other_sizes_is_drawn_too(browser, toy_page):
    for page in visited(browser, toy_page):
        assert page.locator("[data-role=layer] option").all_inner_texts() == ["mean", "max", "rollout", "1", "2"]
        assert page.locator("[data-role=head] option").all_inner_texts() == ["mean", "max", "1", "2", "3", "4"]
        shown = drawn(page)
        assert len(shown.queries) <= 30
        assert len(shown.weights) > 30
        page.locator("[data-look=ribbon]").click()  # which scroll inside their room
        canvas, room = (page.locator(f"[data-pane=first] .{name}").bounding_box() for name in ("ribbons", "scroll"))
        assert canvas is not None and room is not None
        assert canvas["height"] > room["height"] and canvas["width"] <= room["width"]
