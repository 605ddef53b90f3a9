"""Where the words of a link's picture stand: how large, in which lines, and whether the font has their letters.

The font (explorer/ui/vendor/LICENSE-preview.txt) has Latin letters, and those Chinese ones that the words of the
picture need. A text with others is not drawn.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import groupby

from PIL import Image, ImageDraw, ImageFont

from explorer.attention_view.component import words as view_words
from explorer.page.first_view import FirstView, Word
from explorer.page.link_preview import WIDTH_PX
from explorer.ui.component import PREVIEW_FONTS

MARGIN = 60
ROOM = WIDTH_PX - 2 * MARGIN
BODY_TOP = 96  # of both sentences
# Sizes of the sentence about them, each with the lines that it may have there.
TITLE_SIZES = ((38, 1), (35, 1), (32, 1), (36, 2), (32, 2), (28, 2), (24, 2), (20, 2))
LABEL_SIZE, LABEL_HEIGHT = 20, 32  # the name of a language, on the outside of its sentence
SIZES = (52, 48, 44, 41, 38, 35, 32, 30, 28, 26, 24, 22, 20, 18, 16, 14)
MIN_RIBBON_HEIGHT, MAX_RIBBON_HEIGHT = 62, 190  # between the sentences
MIN_RIBBON_SHARE = 1.7  # the least height, as a share of a line's
LINE_HEIGHT, PADDING, SPACE, LINE_SPACE = 1.56, 0.3, 0.16, 0.2  # of a word, as shares of its size
BALANCE_STEP, MIN_LAST_LINE = 24, 0.45  # of a sentence; the second as a share of its longest line
MIN_WEIGHT = 0.02  # of a ribbon, as in ribbons.js
MAX_LETTERS = 5000  # remembered: links have any
BLANKS = str.maketrans("\u00a0\u202f", "  ")


class Undrawable(Exception):
    """The font lacks a letter, or there is no room for the words."""


@cache
def font_of(size: int, *, is_bold: bool = False, layout: ImageFont.Layout | None = None) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(PREVIEW_FONTS[is_bold]), size, layout_engine=layout)


@lru_cache(maxsize=MAX_LETTERS)
def has_letter(letter: str) -> bool:
    """Whether the font draws a letter other than as it draws a missing one."""
    return letter_picture(letter) != letter_picture("\uffff")


def letter_picture(letter: str) -> bytes:
    """A letter alone; the other layout would put a circle before a mark."""
    image = Image.new("L", (2 * LABEL_SIZE, 2 * LABEL_SIZE))
    font = font_of(LABEL_SIZE, layout=ImageFont.Layout.BASIC)
    ImageDraw.Draw(image).text((LABEL_SIZE, LABEL_SIZE), letter, 255, font, anchor="mm")
    return image.tobytes()


def text_of(text: str) -> str:
    """A text in letters that the font may have: marks are joined with their letters, and all blanks are alike."""
    return unicodedata.normalize("NFC", text).translate(BLANKS)


def require_letters(texts: Iterable[str]) -> None:
    """Raises Undrawable if the font lacks a letter of one of the texts."""
    for text in texts:
        if not all(map(has_letter, text_of(text))):
            raise Undrawable(text)


@dataclass(frozen=True)
class Box:
    """A word with its weight and its place."""

    word: Word
    weight: float
    left: float
    top: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        return self.left + self.width / 2

    @property
    def bottom(self) -> float:
        return self.top + self.height


def line_height(size: int) -> int:
    return round(1.32 * size)


Run = tuple[str, bool]  # a part of a line, and whether it is a quoted word


def fit_title(sentence: str) -> tuple[int, list[list[Run]]]:
    """The largest size at which a sentence fits, and its lines. Raises Undrawable."""
    for size, max_lines in TITLE_SIZES:
        lines = break_title(sentence, size)
        if len(lines) <= max_lines:
            return size, lines
    raise Undrawable(sentence)


def break_title(sentence: str, size: int) -> list[list[Run]]:
    """The lines of a sentence, in which quoted words are bold and never broken. Raises Undrawable for a longer one."""
    lines: list[list[Run]] = [[]]
    width = 0.0
    for text, is_quoted in split_title(sentence):
        length = length_of(text.rstrip(), size, is_bold=is_quoted)
        if length > ROOM:
            raise Undrawable(text)
        if lines[-1] and width + length > ROOM:
            lines.append([])
            width = 0.0
        lines[-1].append((text, is_quoted))
        width += length_of(text, size, is_bold=is_quoted)
    return lines


def split_title(sentence: str) -> Iterator[Run]:
    """The parts of a sentence between which a line may break: quoted words, words with their blank, Chinese letters."""
    before, after = view_words.PLAIN["word"].split("{word}")
    for number, part in enumerate(re.split(f"({re.escape(before)}.+?{re.escape(after)})", sentence)):
        if number % 2:
            yield part, True
        else:
            for found in re.findall(r"[⺀-鿿][，。：（）]*|[^ ⺀-鿿]* ?", part):
                if found:
                    yield found, False


def length_of(text: str, size: int, *, is_bold: bool = False) -> float:
    return font_of(size, is_bold=is_bold).getlength(text)


def fit_sentences(view: FirstView, bottom: float) -> tuple[int, list[Box], list[Box]]:
    """The largest size at which both sentences fit above `bottom`, and their words' places. Raises Undrawable.

    Ends of sentences are left out unless the model looks at them, or writes one.
    """
    shown = [(word, weight) for word, weight in zip(view.source, view.weights, strict=True)]
    source = [(word, weight) for word, weight in shown if not word.is_special or weight >= MIN_WEIGHT]
    target = [(word, 0.0) for i, word in enumerate(view.target) if not word.is_special or i == view.focus]
    require_letters(word.text for word, _ in (*source, *target))
    largest = SIZES[0]
    widths = [[length_of(text_of(word.text), largest, is_bold=True) for word, _ in side] for side in (source, target)]
    for size in SIZES:
        sides = [
            (side, [width * size / largest for width in lengths], size)
            for side, lengths in zip((source, target), widths, strict=True)
        ]
        above, below = (place(*side, ROOM) for side in sides)
        room = bottom - BODY_TOP - 2 * LABEL_HEIGHT - above[-1].bottom - below[-1].bottom
        if room >= max(MIN_RIBBON_HEIGHT, MIN_RIBBON_SHARE * LINE_HEIGHT * size) and is_inside(above + below):
            gap = min(room, MAX_RIBBON_HEIGHT)
            top = BODY_TOP + LABEL_HEIGHT + (room - gap) / 2
            above, below = (centred(balanced(*side)) for side in sides)
            return size, moved(above, top), moved(below, top + above[-1].bottom + gap)
    raise Undrawable(view.sentence)


def balanced(side: Sequence[tuple[Word, float]], widths: Sequence[float], size: int) -> list[Box]:
    """The words of a sentence in as few lines as they need, the last of which is no remnant; from the top at 0."""
    best = place(side, widths, size, ROOM)
    for room in range(ROOM - BALANCE_STEP, ROOM // 2, -BALANCE_STEP):
        found = place(side, widths, size, room)
        lengths = [length for _, length in lines_of(best)]
        if lengths[-1] >= MIN_LAST_LINE * max(lengths) or found[-1].top > best[-1].top or not is_inside(found, room):
            break
        best = found
    return best


def centred(boxes: Sequence[Box]) -> list[Box]:
    """The same with every line in the middle."""
    moved_boxes: list[Box] = []
    for line, length in lines_of(boxes):
        shift = (WIDTH_PX - length) / 2 - line[0].left
        moved_boxes += [replace(box, left=box.left + shift) for box in line]
    return moved_boxes


def lines_of(boxes: Sequence[Box]) -> list[tuple[list[Box], float]]:
    """The lines of boxes, each with its length."""
    lines = [list(line) for _, line in groupby(boxes, key=lambda box: box.top)]
    return [(line, line[-1].left + line[-1].width - line[0].left) for line in lines]


def place(side: Sequence[tuple[Word, float]], widths: Sequence[float], size: int, room: float) -> list[Box]:
    """The words in lines that are no longer than `room` unless a word is."""
    boxes: list[Box] = []
    left, top, height = float(MARGIN), 0.0, round(LINE_HEIGHT * size)
    for (word, weight), length in zip(side, widths, strict=True):
        width = length + 2 * PADDING * size
        if left > MARGIN and left + width > MARGIN + room:
            left, top = float(MARGIN), top + height + round(LINE_SPACE * size)
        boxes.append(Box(word, weight, left, top, width, height))
        left += width + SPACE * size
    return boxes


def is_inside(boxes: Iterable[Box], room: float = ROOM) -> bool:
    return all(box.left + box.width <= MARGIN + room for box in boxes)


def moved(boxes: Iterable[Box], down: float) -> list[Box]:
    return [replace(box, top=box.top + down) for box in boxes]
