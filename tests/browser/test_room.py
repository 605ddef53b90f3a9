"""Numbers and names have room: no digit of a board is cut, and no row or column of a picture is without its name."""

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from cases import sweep
from playwright.sync_api import Browser, Page
from visiting import at_rest, begin_again, follow, go_to_end, needs_browser, visited

from explorer.recording.sentence import examples
from explorer.ui.language import LANGUAGES

pytestmark = needs_browser
SIZES = [(360, 740), (390, 844), (1280, 720), (1366, 768), (1920, 1080)]
ORDINARY = ("en", [(1280, 720)], 3, 2)
VISITS = [ORDINARY, *[(language, SIZES, None, None) for language in LANGUAGES]]
# Every kind of board, and every kind of number; on some all the numbers of a long table.
BOARDS = [
    "decoder.4.cross.8.q.6.7", "decoder.4.cross.8", "encoder.1.feed", "decoder.4.cross.out.6.7", "encoder.1.self.2",
    "output", "encoder.embedding.sum.3.5", "decoder.4.cross.8.6.7", "decoder.4.self.3.6.9", "decoder.4.cross.8.mix.6.7",
    "decoder.4.cross.sum.6.7", "decoder.4.cross.norm.6.7", "decoder.4.feed.hidden.6.7", "decoder.4.feed.out.6.7",
    "output.6.1234",
]  # fmt: skip
LONG_BOARDS = ["decoder.4.cross.8.q.6.7", "decoder.4.cross.out.6.7"]
OPEN_ALL = "for (const details of document.querySelectorAll('#whole .number-board details')) details.open = true"
# The texts with a digit on the boards that are seen (source code and the shapes of matrices apart, which are there if
# they have room), and of these the ones that reach over a side of their own cell, or of something around it that hides
# what lies over its sides: all that can be scrolled to is not cut.
NUMBERS = r"""() => {
    const SIDES = { overflowX: ["left", "right"], overflowY: ["top", "bottom"] };
    const EVERYWHERE = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };
    const known = new Map(); // where what is in an element is seen
    const seenIn = (node) => {
        if (node.matches("#whole")) return EVERYWHERE;
        if (!known.has(node)) known.set(node, within(node, seenIn(node.parentElement)));
        return known.get(node);
    };
    const within = (node, around) => {
        const style = getComputedStyle(node), box = node.getBoundingClientRect(), seen = { ...around };
        if (style.display === "inline") return seen;
        for (const [name, [start, end]] of Object.entries(SIDES)) {
            if (["auto", "scroll"].includes(style[name])) [seen[start], seen[end]] = [-Infinity, Infinity];
            else if (style[name] !== "visible") {
                seen[start] = Math.max(seen[start], box[start]);
                seen[end] = Math.min(seen[end], box[end]);
            }
        }
        return seen;
    };
    const cellOf = (node) => getComputedStyle(node).display === "inline" ? cellOf(node.parentElement) : node;
    const digitsBox = (text) => { // above and below digits a line has room for other letters
        const range = document.createRange();
        range.selectNodeContents(text);
        const { left, right } = range.getBoundingClientRect(), lines = range.getClientRects();
        const half = 0.36 * parseFloat(getComputedStyle(text.parentElement).fontSize);
        const middle = ({ top, bottom }) => (top + bottom) / 2;
        return { left, right, top: middle(lines[0]) - half, bottom: middle([...lines].at(-1)) + half };
    };
    const isCut = (text) => {
        const box = digitsBox(text), seen = seenIn(text.parentElement);
        const cell = cellOf(text.parentElement).getBoundingClientRect();
        return box.left < Math.max(seen.left, cell.left) - 0.5 || box.right > Math.min(seen.right, cell.right) + 0.5
            || box.top < seen.top - 0.5 || box.bottom > seen.bottom + 0.5;
    };
    const texts = [];
    for (const board of document.querySelectorAll("#whole .board")) {
        if (!board.checkVisibility()) continue;
        const walker = document.createTreeWalker(board, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) texts.push(walker.currentNode);
    }
    const numbers = texts.filter(({ data, parentElement: node }) => /\d/.test(data) && !node.closest("code, .shape")
        && node.checkVisibility({ visibilityProperty: true }));
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
    const plot = node.closest(".plot");
    plot.scrollLeft = 0; // names of columns that are scrolled away are hidden
    plot.dispatchEvent(new Event("scroll"));
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
VIEWS = [
    (LONGEST, {"level": "picture", "kind": "cross"}),
    (examples()[0]["sentence"], {"level": "heads", "kind": "decoder", "second": "2.3"}),
    (LONG, {"level": "picture", "kind": "encoder"}),
    (LONG, {"level": "heads", "kind": "cross", "transposed": "1"}),
]


@pytest.fixture(scope="module", params=sweep(VISITS, ORDINARY), ids=lambda visit: f"{visit[0]}-{len(visit[1])}")
def visit(
    request: pytest.FixtureRequest, browser: Browser, shipped_page: str
) -> Iterator[tuple[Page, list, list, list]]:
    """The page in a language, and what is looked at in which windows: boards and views."""
    language, sizes, boards, views = request.param
    for page in visited(browser, f"{shipped_page}?lang={language}"):
        yield page, sizes, BOARDS[:boards], VIEWS[:views]


def resized(page: Page, sizes: list[tuple[int, int]]) -> Iterator[int]:
    """The widths, each after the page has come to rest in a window of that size."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        at_rest(page)
        yield width


def test_no_digit_of_any_board_is_cut_and_every_row_and_column_has_its_name(visit):
    page, sizes, boards, _ = visit
    begin_again(page)
    faults = {}
    for at in boards:
        follow(page, "?" + urlencode({"tab": "whole", "step": "6", "whole.at": at}))
        assert page.locator("#whole .whole").get_attribute("data-at") == at
        if at in LONG_BOARDS:
            page.evaluate(OPEN_ALL)
        for width in resized(page, sizes):
            numbers = page.evaluate(NUMBERS)
            assert numbers["count"]
            faults[at, width] = numbers["cut"][:3] + page.evaluate(UNNAMED)
    assert {where: texts for where, texts in faults.items() if texts} == {}


def test_every_row_and_column_of_a_picture_has_its_name_also_below_the_bar_of_a_class(visit):
    page, sizes, _, views = visit
    page.evaluate(BAR)
    faults = []
    for sentence, parts in views:
        begin_again(page, sentence, **parts)
        go_to_end(page)
        for width in resized(page, sizes):
            pictures = page.evaluate(NAMES)
            assert pictures and all(picture["rows"] > 10 for picture in pictures)
            faults += [
                {"width": width} | parts | seen
                for seen in pictures
                if any(seen["unnamed"] + seen["crowded"] + seen["over"])
            ]
    assert faults == []
