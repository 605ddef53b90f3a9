"""Numbers and names have room: no cell of a board is cut, and no row or column of a picture is without its name."""

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
VISITS = [(language, size) for language in LANGUAGES for size in SIZES]
ORDINARY = [("en", (1366, 768)), ("de", (390, 844))]
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
# Texts that reach over a side of their cell, or of what is around it and does not scroll.
CUT = """() => {
    const cells = [".cell", ".numbered .label", ".operand b", ".matrix .numbers span", ".output-board :is(th, td)",
        ".spike-label", ".chip-buttons button"];
    const textBox = (node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return range.getBoundingClientRect();
    };
    const isCut = (cell) => {
        const text = textBox(cell);
        for (let outer = cell; !outer.matches("#whole"); outer = outer.parentElement) {
            const { overflowX } = getComputedStyle(outer);
            if (["auto", "scroll"].includes(overflowX)) return false; // it can be scrolled to
            if (outer !== cell && overflowX === "visible") continue;
            const { left, right } = outer.getBoundingClientRect();
            if (text.left < left - 0.5 || text.right > right + 0.5) return true;
        }
        return false;
    };
    return [...document.querySelectorAll("#whole .board")].filter((board) => board.checkVisibility())
        .flatMap((board) => [...board.querySelectorAll(`:is(${cells})`)])
        .filter((cell) => cell.textContent && cell.checkVisibility() && isCut(cell)).map((cell) => cell.textContent);
}"""
# Of each picture that is seen: rows and columns, how many of each have no name, and whether names lie over one another.
NAMES = """() => [...document.querySelectorAll(".heatmap")].filter((node) => node.checkVisibility()).map((node) => {
    const { data: [{ z }] } = node, { width, height } = node.querySelector(".nsewdrag").getBoundingClientRect();
    const named = (letter) => [...node.querySelectorAll(`.${letter}tick text`)].filter((text) =>
        text.checkVisibility({ visibilityProperty: true }) && text.textContent.trim());
    const size = (letter) => Math.max(...named(letter).map((text) => parseFloat(getComputedStyle(text).fontSize)));
    const [rows, columns] = [z.length, z[0].length];
    return {
        rows, columns, unnamed: [rows - named("y").length, columns - named("x").length],
        pitch: [height / rows, width / columns].map((pixels) => Math.round(10 * pixels) / 10),
        isCrowded: [height / rows < size("y"), width / columns < size("x")],
    };
})"""
BAR = "document.documentElement.style.setProperty('--class-height', '64px')"  # of a class
# Boards that name only some rows of their matrices, and boards that are wider than the window.
UNNAMED = """() => [...document.querySelectorAll("#whole .board")].filter((board) => board.checkVisibility())
    .flatMap((board) => [...board.querySelectorAll(".scarce:not(:empty)")].map((names) =>
        `${names.className} of ${names.closest(".matrix").dataset.matrix}`)
        .concat(board.scrollWidth > board.clientWidth ? ["too wide"] : []))"""
# As long as most captions, and so long that nothing has room for all of it at once.
LONG = "The old man who lives next to the big church in the village told the children a long story about the war."
LONGEST = (
    LONG[:-1] + ", and then he gave each of them a small red apple and a book that he had found at home many years ago."
)
VIEWS = [
    {"level": "picture", "kind": "encoder"},
    {"level": "picture", "kind": "cross"},
    {"level": "heads", "kind": "cross", "transposed": "1"},
    {"level": "heads", "kind": "decoder", "second": "2.3"},
]


@pytest.fixture(params=sweep(VISITS, *ORDINARY), ids=lambda visit: f"{visit[0]}-{visit[1][0]}")
def visit(request: pytest.FixtureRequest, browser: Browser, shipped_page: str) -> Iterator[Page]:
    """The page in a language, in a window of some size."""
    language, size = request.param
    yield from visited(browser, f"{shipped_page}?lang={language}", *size)


def test_no_cell_of_any_board_is_cut_and_every_row_has_its_name(visit):
    cut, unnamed = {}, {}
    for at in BOARDS:
        follow(visit, "?" + urlencode({"tab": "whole", "step": "6", "whole.at": at}))
        visit.evaluate(OPEN_ALL)
        at_rest(visit)
        assert visit.locator("#whole .whole").get_attribute("data-at") == at
        cut[at], unnamed[at] = visit.evaluate(CUT), visit.evaluate(UNNAMED)
    assert {at: texts[:3] for at, texts in cut.items() if texts} == {}
    assert {at: names for at, names in unnamed.items() if names} == {}


def test_every_row_and_column_of_a_picture_has_its_name_also_below_the_bar_of_a_class(visit):
    nameless = []
    for sentence in (examples()[0]["sentence"], LONG, LONGEST):
        for parts in VIEWS:
            begin_again(visit, sentence, **parts)
            visit.evaluate(BAR)
            go_to_end(visit)
            pictures = visit.evaluate(NAMES)
            assert pictures and all(picture["rows"] > 10 for picture in pictures)
            nameless += [parts | seen for seen in pictures if any(seen["unnamed"] + seen["isCrowded"])]
    assert nameless == []
