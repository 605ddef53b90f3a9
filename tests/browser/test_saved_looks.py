"""What Save draws of the whole model looks as on the page: signs of the legend, enlarged pixels, spaces, places."""

import base64
import io
from collections.abc import Iterator
from urllib.parse import urlencode

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect
from visiting import PHONE, follow, needs_browser, visited

pytestmark = needs_browser

SIZE = (1440, 810)  # of a window that shows more neurons than become squares
MASKED, CROSS, HEAD, FEED = "decoder.4.self", "decoder.4.cross", "decoder.4.cross.8", "decoder.4.feed"
MODULES = """
    const bundle = performance.getEntriesByType("resource").find(({ name }) => name.includes("modules.js")).name;
    const { default: modules } = await import(bundle);
"""
# A part of the page, four pixels for each of its own.
DRAW = f"""async (node) => {{
    {MODULES}
    const {{ canvas }} = await modules["page/save/picture/picture.js"].drawNode(node, 4);
    return canvas.toDataURL().split(",")[1];
}}"""
# How far from its place on the page each text of a node begins, in pixels of the window.
MOVED = f"""async (node) => {{
    {MODULES}
    const [{{ renderText }}, {{ Frame }}] = ["text", "shapes"].map((name) => modules[`page/save/picture/${{name}}.js`]);
    const frame = new Frame({{ left: 0, top: 0 }}), range = document.createRange(), moved = [];
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {{
        const text = walker.currentNode, start = text.data.search(/\\S/);
        if (start < 0) continue;
        range.setStart(text, start);
        range.setEnd(text, start + 1);
        const [drawn] = renderText(text, getComputedStyle(text.parentElement), frame, []);
        moved.push(drawn.getAttribute("x") * frame.zoomFactor - range.getBoundingClientRect().left);
    }}
    return moved;
}}"""

# How far below the picture the sentence about it begins while both are saved.
BELOW = """() => {
    const root = document.documentElement;
    root.classList.add("saving");
    const [stage, told] = [".stage", ".told"].map((name) => document.querySelector(`#whole ${name}`));
    const below = told.getBoundingClientRect().top - stage.getBoundingClientRect().bottom;
    root.classList.remove("saving");
    return below;
}"""


@pytest.fixture(scope="module")
def opened(browser, shipped_page) -> Iterator[Page]:
    yield from visited(browser, shipped_page, *SIZE)


def at(page: Page, place: str) -> Page:
    follow(page, "?" + urlencode({"tab": "whole", "step": "12", "whole.at": place}))
    expect(page.locator("#whole .whole")).to_have_attribute("data-at", place)
    return page


def drawn(part: Locator) -> np.ndarray:
    """What Save draws of a part, without its borders: [row, column, channel]."""
    expect(part).to_be_visible()
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(part.evaluate(DRAW)))).convert("RGB"), dtype=int)
    return pixels[8:-8, 8:-8]


def sign(page: Page, name: str) -> np.ndarray:
    return drawn(at(page, MASKED).locator(f"#whole .legend [data-sign={name}] i:visible"))


def test_the_stripes_of_a_strip_stand_upright(opened):
    strip = sign(opened, "strip")
    assert (strip == strip[:1]).all() and np.ptp(strip[0], axis=0).max() > 100


def test_a_scale_of_colours_runs_from_left_to_right_and_is_pale_between(opened):
    negative, *_, positive = scale = sign(opened, "colour")[5]
    assert negative[2] > negative[0] > negative[1] and positive[0] > positive[1] > positive[2]
    assert scale[len(scale) // 2].min() > 230
    quarters = scale[[len(scale) // 4, 3 * len(scale) // 4]]
    assert (quarters > scale[[0, -1]]).all()  # it fades to the ground, not to black


def test_hatching_is_hatched_and_slanted(opened):
    hatching = sign(opened, "mask").mean(2)
    assert 0.05 < (hatching < 230).mean() < 0.6
    along, across = hatching[1:, :-1] - hatching[:-1, 1:], hatching[1:, 1:] - hatching[:-1, :-1]
    assert abs(along).mean() < 0.2 * abs(across).mean()


def test_the_legend_says_nothing_of_hatching_where_nothing_is_masked(opened):
    expect(at(opened, MASKED).locator("#whole .legend [data-sign=mask]")).to_be_visible()
    expect(at(opened, CROSS).locator("#whole .legend [data-sign=mask]")).to_be_hidden()


def test_a_row_of_neurons_ends_where_the_next_one_begins(opened):
    rows = np.array_split(drawn(at(opened, FEED).locator("[data-matrix=hidden] canvas:visible")), 16)
    assert all((row[len(row) // 4] == row[3 * len(row) // 4]).all() for row in rows)


def test_a_strip_of_numbers_has_no_colours_between_its_own(opened):
    strip = drawn(at(opened, "output").locator(".output-board canvas:visible"))
    assert 30 < len(np.unique(strip[20], axis=0)) <= 256


def test_words_of_other_weight_keep_their_spaces_on_a_projector(opened):
    page = at(opened, HEAD)
    page.keyboard.press("p")
    expect(page.locator("#ask")).to_be_hidden()
    moved = page.locator(".board:visible .says").evaluate(MOVED)
    page.keyboard.press("Escape")
    assert len(moved) > 4 and max(map(abs, moved)) < 0.5, moved


def test_on_a_phone_the_sentence_stands_below_the_picture(opened):
    page = at(opened, CROSS)
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    expect(page.locator("#whole .told")).to_have_css("position", "fixed")
    below = page.evaluate(BELOW)
    page.set_viewport_size({"width": SIZE[0], "height": SIZE[1]})
    assert below >= 0
