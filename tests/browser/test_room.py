"""Numbers and names have room: no digit of a board is cut, and no row or column of a picture is without its name."""

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from cases import sweep
from playwright.sync_api import Browser, Page
from visiting import DESK, at_rest, begin_again, follow, go_to_end, needs_browser, visited

from explorer.recording.sentence import examples
from explorer.ui.language import LANGUAGES

pytestmark = needs_browser
SIZES = [(360, 740), (390, 844), (1280, 720), (1366, 768), (1920, 1080)]
ORDINARY = ("en", [DESK])
VISITS = [ORDINARY, *[(language, SIZES) for language in LANGUAGES]]
# Every kind of board, and every kind of number.
BOARDS = [
    "encoder.1.self.2", "decoder.4.self.3", "decoder.4.cross.8", "encoder.1.feed", "decoder.4.feed", "output",
    "encoder.embedding.sum.3.5", "decoder.4.cross.8.6.7", "decoder.4.self.3.6.9",
    *[f"decoder.4.cross.8.{part}.6.7" for part in ("q", "k", "v", "mix")],
    *[f"decoder.4.cross.{part}.6.7" for part in ("out", "sum", "norm")],
    *[f"decoder.4.feed.{part}.6.7" for part in ("hidden", "out", "sum", "norm")],
    "output.6.1234",
]  # fmt: skip
OPEN_ALL = "for (const details of document.querySelectorAll('#whole .number-board details')) details.open = true"
# The texts with a digit on the boards that are seen, and of these the ones that reach over a side of their own cell, or
# of something around it that hides what lies over its sides: all that can be scrolled to is not cut.
NUMBERS = r"""() => {
    const AXES = [["overflowX", "left", "right"], ["overflowY", "top", "bottom"]];
    const isInline = (node) => getComputedStyle(node).display === "inline";
    const digitsBox = (text) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        const { left, right, top, bottom } = range.getBoundingClientRect();
        const lines = range.getClientRects(), half = 0.36 * parseFloat(getComputedStyle(text.parentElement).fontSize);
        const middle = ({ top, bottom }) => (top + bottom) / 2; // above and below digits a line has room for others
        return { left, right, top: middle(lines[0]) - half, bottom: middle([...lines].at(-1)) + half };
    };
    const isCut = (text) => {
        const box = digitsBox(text);
        return AXES.some(([overflow, start, end]) => {
            let isCell = true;
            for (let outer = text.parentElement; !outer.matches("#whole"); outer = outer.parentElement) {
                if (isInline(outer)) continue;
                const { [overflow]: way } = getComputedStyle(outer);
                if (["auto", "scroll"].includes(way)) return false;
                const isBound = way !== "visible" || (isCell && start === "left");
                isCell = false;
                const bounds = outer.getBoundingClientRect();
                if (isBound && (box[start] < bounds[start] - 0.5 || box[end] > bounds[end] + 0.5)) return true;
            }
            return false;
        });
    };
    const texts = [];
    for (const board of document.querySelectorAll("#whole .board")) {
        if (!board.checkVisibility()) continue;
        const walker = document.createTreeWalker(board, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) texts.push(walker.currentNode);
    }
    const numbers = texts.filter((text) => /\d/.test(text.data)
        && text.parentElement.checkVisibility({ visibilityProperty: true }));
    return { count: numbers.length, cut: numbers.filter(isCut).map(({ data }) => data) };
}"""
# Boards that name only some rows or columns of their matrices, and boards that are wider than the window.
UNNAMED = """() => [...document.querySelectorAll("#whole .board")].filter((board) => board.checkVisibility())
    .flatMap((board) => [...board.querySelectorAll(".scarce:not(:empty)")].map((names) =>
        `${names.className} of ${names.closest(".matrix").dataset.matrix}`)
        .concat(board.scrollWidth > board.clientWidth ? ["too wide"] : []))"""
# Of each picture that is seen: rows and columns, how many of each have no name, and whether names lie over one another
# or reach over the picture's edge.
NAMES = """() => [...document.querySelectorAll(".heatmap")].filter((node) => node.checkVisibility()).map((node) => {
    const { data: [{ z }] } = node, { width, height } = node.querySelector(".nsewdrag").getBoundingClientRect();
    const named = (letter) => [...node.querySelectorAll(`.${letter}tick text`)].filter((text) =>
        text.checkVisibility({ visibilityProperty: true }) && text.textContent.trim());
    const size = (letter) => Math.max(...named(letter).map((text) => parseFloat(getComputedStyle(text).fontSize)));
    const [rows, columns] = [z.length, z[0].length], box = node.getBoundingClientRect();
    return {
        rows, columns, unnamed: [rows - named("y").length, columns - named("x").length],
        pitch: [height / rows, width / columns].map((pixels) => Math.round(10 * pixels) / 10),
        crowded: [height / rows < size("y"), width / columns < size("x")],
        over: [...named("y"), ...named("x")].filter((text) => {
            const { left, right, top } = text.getBoundingClientRect();
            return left < box.left - 1 || top < box.top - 1 || right > box.right + 1;
        }).map((text) => text.textContent),
    };
})"""
BAR = "document.documentElement.style.setProperty('--class-height', '64px')"  # of a class
# As long as most captions, and so long that nothing has room for all of it at once.
LONG = "The old man who lives next to the big church in the village told the children a long story about the war."
LONGEST = (
    LONG[:-1] + ", and then he gave each of them a small red apple and a book that he had found at home many years ago."
)
SENTENCES = [examples()[0]["sentence"], LONG, LONGEST]
VIEWS = [
    {"level": "picture", "kind": "encoder"},
    {"level": "picture", "kind": "cross"},
    {"level": "heads", "kind": "cross", "transposed": "1"},
    {"level": "heads", "kind": "decoder", "second": "2.3"},
]


@pytest.fixture(scope="module", params=sweep(VISITS, ORDINARY), ids=lambda visit: f"{visit[0]}-{len(visit[1])}")
def visit(request: pytest.FixtureRequest, browser: Browser, shipped_page: str) -> Iterator[tuple[Page, list]]:
    """The page in a language, and the windows in which it is looked at."""
    language, sizes = request.param
    for page in visited(browser, f"{shipped_page}?lang={language}"):
        yield page, sizes


def resized(page: Page, sizes: list[tuple[int, int]]) -> Iterator[int]:
    """The widths, each after the page has come to rest in a window of that size."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        at_rest(page)
        yield width


def test_no_digit_of_any_board_is_cut_and_every_row_and_column_has_its_name(visit):
    page, sizes = visit
    begin_again(page)
    faults = {}
    for at in BOARDS:
        follow(page, "?" + urlencode({"tab": "whole", "step": "6", "whole.at": at}))
        page.evaluate(OPEN_ALL)
        assert page.locator("#whole .whole").get_attribute("data-at") == at
        for width in resized(page, sizes):
            numbers = page.evaluate(NUMBERS)
            assert numbers["count"]
            faults[at, width] = numbers["cut"][:3] + page.evaluate(UNNAMED)
    assert {where: texts for where, texts in faults.items() if texts} == {}


def test_every_row_and_column_of_a_picture_has_its_name_also_below_the_bar_of_a_class(visit):
    page, sizes = visit
    page.evaluate(BAR)
    faults = []
    for sentence in SENTENCES:
        for parts in VIEWS:
            begin_again(page, sentence, **parts)
            go_to_end(page)
            for width in resized(page, sizes):
                pictures = page.evaluate(NAMES)
                assert pictures and all(picture["rows"] > 10 for picture in pictures)
                faults += [
                    parts | seen | {"width": width}
                    for seen in pictures
                    if any(seen["unnamed"] + seen["crowded"] + seen["over"])
                ]
    assert faults == []
