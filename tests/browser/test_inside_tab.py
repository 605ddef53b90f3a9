"""The tab Inside in a real browser: a cell of Explore and its arithmetic, and back."""

import re

import numpy as np
import pytest
from cases import each_case
from playwright.sync_api import Locator, Page, expect
from visiting import cell_place, choose, go_to_end, needs_browser, next_frames, open_tab, option, translate

from explorer.notebook.cell import Arithmetic, cell
from explorer.recording.forward_pass import record_pass
from explorer.recording.head import head_of
from explorer.recording.sentence import examples
from explorer.recording.trace import record
from model.decoding import Translator
from model.probe import KINDS

pytestmark = needs_browser
EXAMPLE = examples()[0]["sentence"]


def inside(page: Page) -> Locator:
    return page.locator("#inside .inside")


def explore(page: Page) -> Locator:
    return page.locator("#viewer")


@pytest.fixture
def page(shared_page) -> Page:
    """Explore with the first sentence at its last step, in one picture of all pieces, without a cell.

    All stages of Inside are open.
    """
    open_tab(shared_page, "Inside")
    expect(inside(shared_page)).to_have_attribute("data-query", re.compile(r"\d"))
    if shared_page.get_by_role("button", name="Open all").is_visible():
        shared_page.get_by_role("button", name="Open all").click()
    open_tab(shared_page, "Explore")
    if explore(shared_page).locator(".viewer").get_attribute("data-sentence") != EXAMPLE:
        translate(shared_page, EXAMPLE)
    option(shared_page, "hide").uncheck()
    for box in explore(shared_page).locator("[data-choice=whole]:checked, [data-role=pair]:checked").all():
        box.uncheck()
    choose(explore(shared_page), "cross", 3, "mean")
    go_to_end(shared_page)
    shared_page.keyboard.press("Escape")
    return shared_page


def expect_place(page: Page, **place: int | str) -> None:
    for name, value in place.items():
        expect(inside(page)).to_have_attribute(f"data-{name}", str(value))


def expected_cell(
    translator: Translator, kind: str, place: tuple[int, int, int, int], sentence: str = EXAMPLE
) -> Arithmetic:
    layer, head, query, key = place
    return cell(head_of(record_pass(translator, record(translator, sentence)), kind, layer, head), query, key)


def written(number: float) -> str:
    return f"{number:.3f}".replace("-", "−")


def expect_numbers(page: Page, expected: Arithmetic, key: int) -> None:
    for name, number in (("dot", expected.dot), ("score", expected.score), ("weight", expected.weights[key])):
        expect(page.locator(f"#inside [data-value={name}]").first).to_have_text(written(number))


def point_at(page: Page, query: int, key: int, pane: str = "first") -> tuple[float, float]:
    """Moves the mouse over a cell, until its label is there, and tells where that is."""
    x, y = cell_place(page, query, key, pane)
    page.mouse.move(x, y)
    expect(page.locator(f"[data-pane={pane}] .hovertext").first).to_be_visible()
    return x, y


def framed(page: Page, name: str = "cell") -> list[int] | None:
    """The query and key where Explore's frame around a cell stands, or that around a pinned row ("pinned") begins."""
    return page.locator("#viewer [data-pane=first] .heatmap").evaluate(
        """({ layout: { shapes } }, name) => {
            const { visible, x0, y0 } = shapes.find((shape) => shape.name === name);
            return visible ? [y0 + 0.5, x0 + 0.5] : null;
        }""",
        name,
    )


def test_a_double_click_on_a_cell_opens_its_arithmetic(page, shipped):
    choose(explore(page), "decoder", 2, 5)
    page.mouse.dblclick(*point_at(page, 4, 2))
    expect(page.get_by_role("tab", name="Inside", exact=True)).to_have_attribute("aria-selected", "true")
    assert framed(page) == [4, 2]
    expect_place(page, kind="decoder", layer=2, head=5, query=4, key=2)
    expect_numbers(page, expected_cell(shipped, "decoder", (2, 5, 4, 2)), 2)
    open_tab(page, "Explore")
    page.locator("#viewer [data-role=pair]").check()
    page.locator("#viewer [data-role=layer2]").select_option(label="1")
    page.locator("#viewer [data-role=head2]").select_option(label="6")
    page.mouse.dblclick(*point_at(page, 3, 2, "second"))
    expect_place(page, kind="decoder", layer=0, head=5, query=3, key=2)


def test_a_double_click_where_no_cell_is_opens_nothing(page):
    choose(explore(page), "decoder", 3, 1)
    page.locator("#viewer [data-choice=whole]").check()
    page.mouse.click(*point_at(page, 5, 2))
    expect(page.locator("[data-pane=first] .heatmap .cell")).to_be_visible()
    page.mouse.dblclick(*cell_place(page, 3, 9))
    next_frames(page)
    expect(page.get_by_role("tab", name="Explore", exact=True)).to_have_attribute("aria-selected", "true")


def test_of_several_heads_each_can_be_chosen(page, shipped):
    """Begun at the strongest key of the row, because Explore has no cell."""
    open_tab(page, "Inside")
    trace = record(shipped, EXAMPLE)
    last = len(trace.steps) - 1
    expect_place(page, query=last, key=int(trace.cross.weights[3, 0, last].argmax()))
    inside(page).locator("[data-choice=query]").select_option(index=4)
    inside(page).locator("[data-choice=key]").select_option(index=3)
    weights = trace.cross.weights[3, :, 4, 3]
    several = inside(page).locator("[data-role=several]")
    expect(several).to_contain_text("layer 4 · mean of heads: ")
    names, shown = zip(*(text.split(": ") for text in several.locator("button").all_inner_texts()), strict=True)
    assert names == tuple(f"L4 H{head + 1}" for head in range(8))
    assert shown == tuple(f"{weight:.3f}" for weight in weights)
    expect(several).to_contain_text(f"mean of heads: {weights.mean(dtype=float):.3f} in")
    several.locator("button").nth(6).click()
    expect_place(page, head=6, query=4, key=3)
    expect(several).to_be_empty()


def test_a_click_frames_a_cell_which_the_button_opens_and_another_click_releases(page):
    choose(explore(page), "cross", 3, 1)
    page.mouse.click(*point_at(page, 3, 6))
    frame = page.locator("[data-pane=first] .heatmap .cell")
    expect(frame).to_be_visible()
    assert framed(page) == [3, 6]
    page.locator("#viewer [data-role=arithmetic]").click()
    expect_place(page, kind="cross", layer=3, head=1, query=3, key=6)
    open_tab(page, "Explore")
    page.mouse.click(*cell_place(page, 3, 6))
    expect(frame).to_be_hidden()
    assert (framed(page), framed(page, "pinned")) == (None, None)


@each_case("kind", KINDS)
def test_a_choice_here_shows_its_numbers_and_moves_the_mark_there(page, shipped, kind):
    choose(explore(page), "cross", 3, 0)
    open_tab(page, "Inside")
    inside(page).locator(f".kinds button[value={kind}]").click()
    for name, value in (("layer", 1), ("head", 6), ("query", 5), ("key", 3)):
        inside(page).locator(f"[data-choice={name}]").select_option(index=value)
        expect_place(page, **{name: value})
    expect_numbers(page, expected_cell(shipped, kind, (1, 6, 5, 3)), 3)
    open_tab(page, "Explore")
    expect(page.locator("#viewer .viewer")).to_have_attribute("data-kind", kind)
    expect(page.locator("[data-pane=first] .heatmap .cell")).to_be_visible()
    assert (framed(page), framed(page, "pinned")) == ([5, 3], [5, 0])
    expect(page.locator("[data-pane=first] h3")).to_contain_text("layer 2 · head 7")


def test_a_masked_cell_is_told_to_be_masked_and_not_zero(page):
    choose(explore(page), "decoder", 0, 0)
    open_tab(page, "Inside")
    inside(page).locator("[data-choice=query]").select_option(index=2)
    inside(page).locator("[data-choice=key]").select_option(index=6)
    expect(inside(page).locator("[data-role=heading]")).to_contain_text("may not attend")
    expect(inside(page).locator("[data-value=weight]").first).to_have_text("0")
    keys = len(inside(page).locator("[data-choice=key] option").all())
    expect(inside(page).locator("[data-stage=mask] .words")).to_contain_text(f"{keys - 3} of {keys} keys are masked")
    expect(inside(page).locator("[data-stage=softmax] .words")).to_contain_text("sums to 1.000000")
    strip = inside(page).locator("[data-strip=weights] canvas")
    box = strip.bounding_box()
    assert box is not None
    strip.hover(position={"x": box["width"] * 6.5 / keys, "y": 5})
    expect(page.locator("#inside .tip")).to_contain_text("masked")


def test_a_dimension_is_followed_back_to_the_weights(page, shipped):
    choose(explore(page), "cross", 3, 0)
    open_tab(page, "Inside")
    for name, value in (("query", 4), ("key", 3)):
        inside(page).locator(f"[data-choice={name}]").select_option(index=value)
    head = head_of(record_pass(shipped, record(shipped, EXAMPLE)), "cross", 3, 0)

    def told(name: str, dimension: int) -> str:
        stream, linear = {
            "q": (head.queries_from[4], head.w_q),
            "k": (head.keys_from[3], head.w_k),
            "v": (head.keys_from[3], head.w_v),
        }[name]
        dot, bias = float(stream @ linear.weight[dimension]), float(linear.bias[dimension])
        added = f"({written(bias)})" if bias < 0 else written(bias)
        return f"{name}[{dimension + 1}] = x · its weights + b = {written(dot)} + {added} = {written(dot + bias)}."

    most = int(np.abs(head.q[4] * head.k[3]).argmax())
    for dimension, place in ((most, 0), (6, 7)):
        inside(page).locator("[data-role=dimension]").select_option(index=place)
        for name, stage in (("q", "project"), ("k", "project"), ("v", "values")):
            expect(inside(page).locator(f"[data-stage={stage}] .words")).to_contain_text(told(name, dimension))


def test_common_mistakes_are_shown_on_the_row(page, shipped):
    open_tab(page, "Inside")
    mistake, strip = inside(page).locator("[data-role=mistake]"), inside(page).locator("[data-strip=mistaken] canvas")
    mistake.select_option("undivided")
    expect(inside(page).locator("[data-role=mistake-words]")).to_contain_text("sharper")
    expect(strip).to_be_visible()
    page.wait_for_function("(strip) => strip.getBoundingClientRect().width > 300", arg=strip.element_handle())
    mistake.select_option("dropped")
    expect(inside(page).locator("[data-role=mistake-words]")).to_contain_text("sums to")
    mistake.select_option("mislabelled")
    inside(page).locator("[data-choice=query]").select_option(index=2)
    trace = record(shipped, EXAMPLE)
    wrong, fed = trace.source[2].text, trace.cross.queries[2].label
    expect(inside(page).locator("[data-role=mistake-words]")).to_contain_text(f"“{wrong}”, but its query is “{fed}”")
    inside(page).locator(".kinds button[value=encoder]").click()
    expect(inside(page).locator("[data-role=mistake-words]")).to_contain_text("Here that is right")
    mistake.select_option("none")
    expect(strip).to_be_hidden()


def test_another_sentence_is_followed(page, shipped):
    open_tab(page, "Inside")
    expect_place(page, kind="cross")
    open_tab(page, "Explore")
    sentence = "Two dogs run."
    translate(page, sentence)
    choose(explore(page), "encoder", 0, 3)
    page.locator("#viewer [data-role=arithmetic]").click()
    expect_place(page, kind="encoder", layer=0, head=3, query=0)
    inside(page).locator("[data-choice=key]").select_option(index=2)
    expect_place(page, key=2)
    expect_numbers(page, expected_cell(shipped, "encoder", (0, 3, 0, 2), sentence), 2)


def test_a_formula_brings_its_font_and_only_then(browser, shipped_page):
    """In a browser that was never here and has kept no file."""
    context = browser.new_context()
    page, asked = context.new_page(), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(shipped_page)
    expect(page.locator("#viewer .status")).to_contain_text("Step")
    assert not any("formula.woff2" in url for url in asked)
    open_tab(page, "Inside")
    page.get_by_role("button", name="Open all").click()
    page.wait_for_function(
        "[...document.fonts].some(({ family, status }) => family === 'Formula' && status === 'loaded')"
    )
    assert sum("formula.woff2" in url for url in asked) == 1
    # At one moment: what is drawn later moves the formula.
    letter, below, above = page.locator("[data-stage=project] msubsup").first.evaluate(
        "({ children }) => [...children].map((node) => node.getBoundingClientRect().toJSON())"
    )
    # Without a MATH table the upper one stands above the letter and the two far apart.
    assert above["y"] + above["height"] > letter["y"] + 2
    assert above["y"] < below["y"] < letter["y"] + letter["height"]
    context.close()
