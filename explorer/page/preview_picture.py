"""The picture of a link's preview: two sentences, and ribbons to the words that the model looks at for one of them.

    image = draw_preview(first_view(trace))
    png = encode(image)

It looks as the view Picture does on light ground, larger.
"""

import io
import math
from collections.abc import Iterable, Sequence

from PIL import Image, ImageDraw

from explorer.attention_view.component import words as view_words
from explorer.page import words
from explorer.page.first_view import FirstView
from explorer.page.link_preview import HEIGHT_PX, WIDTH_PX
from explorer.page.preview_layout import (
    LABEL_SIZE,
    MARGIN,
    MIN_WEIGHT,
    Box,
    Run,
    fit_sentences,
    fit_title,
    font_of,
    length_of,
    line_height,
    require_letters,
    text_of,
)
from explorer.ui.palette import LIGHT, MARKS, NEUTRAL, rgb

Colour = tuple[int, int, int]
Point = tuple[float, float]

HEADER_TOP, HEADER_SIZE, NOTE_SIZE = 38, 27, 23
BODY_GAP, BOTTOM = 26, 46  # above and below the sentence about the others
LABEL_GAP = 4
RIBBON_WIDTH = 0.9  # of a weight of 1, as a share of the words' size
MIN_WIDTH = 1.5
CROSSING_OPACITY = 0.22  # of a ribbon on the words that it crosses
RIBBON_OPACITY, SHADE_OPACITY, GROUND_OPACITY = 0.5, 0.75, 0.09  # as in viewer.css and sentences.js
CURVE_POINTS = 32
SCALE = 2  # ribbons and boxes are drawn so much larger, for smooth edges
MIN_CONTRAST = 4.5  # of text (WCAG 2.2, 1.4.3)
ACCENT, INK, SOFT, GROUND, CHANGED = (rgb(LIGHT[name]) for name in ("cross", "ink", "text", "ground", "changed"))
FAINT = rgb(MARKS["faint"][0])
BLACK: Colour = (0, 0, 0)


def draw_preview(view: FirstView, *, is_changed: bool = False) -> Image.Image:
    """The picture in the language in use; with `is_changed` it says that the model was changed.

    Raises Undrawable.
    """
    note = words.PREVIEW["note"] if is_changed else ""
    labels = view_words.HTML["source"], view_words.HTML["target"]
    name: str = words.TITLE
    require_letters([name, note, *labels, view.sentence])
    title_size, title = fit_title(text_of(view.sentence))
    title_top = HEIGHT_PX - BOTTOM - len(title) * line_height(title_size)
    size, source, target = fit_sentences(view, title_top - BODY_GAP)
    image = draw_boxes(view, size, source, target)
    draw = ImageDraw.Draw(image)
    draw.text((MARGIN, HEADER_TOP), name, INK, font_of(HEADER_SIZE, is_bold=True))
    if note:
        draw_note(draw, note)
    label_font = font_of(LABEL_SIZE)
    draw.text((WIDTH_PX / 2, source[0].top - LABEL_GAP), labels[0], SOFT, label_font, anchor="md")
    draw.text((WIDTH_PX / 2, target[-1].bottom + LABEL_GAP), labels[1], SOFT, label_font, anchor="ma")
    for box in (*source, *target):
        is_bold = box.word is view.target[view.focus]
        centre = (box.middle, box.top + box.height / 2)
        draw.text(centre, text_of(box.word.text), text_colour(box), font_of(size, is_bold=is_bold), anchor="mm")
    for number, line in enumerate(title):
        draw_title(draw, line, title_top + number * line_height(title_size), title_size)
    return image


def encode(image: Image.Image) -> bytes:
    """The picture as PNG."""
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def draw_boxes(view: FirstView, size: int, source: Sequence[Box], target: Sequence[Box]) -> Image.Image:
    """The ground with the ribbons, and over them the boxes of words, on which ribbons that cross them are faint."""
    image = Image.new("RGB", (WIDTH_PX * SCALE, HEIGHT_PX * SCALE), GROUND)
    draw = ImageDraw.Draw(image)
    focus = next(box for box in target if box.word is view.target[view.focus])
    ends = sorted((box for box in source if box.weight >= MIN_WEIGHT), key=lambda box: box.weight)
    upper, lower = (
        source[-1].bottom,
        target[0].top,
    )  # between the sentences ribbons bend, beside words they are straight
    for end in ends:
        width = width_of(end, size)
        outline = ribbon((focus.middle, lower), (end.middle, upper), width)
        for points in (
            outline,
            upright(focus.middle, lower, focus.top, width),
            upright(end.middle, end.bottom, upper, width),
        ):
            draw.polygon(scaled(points), blend(ACCENT, GROUND, RIBBON_OPACITY))
    for box in (*source, *target):
        corners = scaled([(box.left, box.top), (box.left + box.width, box.bottom)])
        border = (ACCENT, SCALE * max(2, round(size / 14))) if box is focus else (None, 0)
        fill = shade(box.weight) if box.word.is_known and box is not focus else GROUND
        draw.rounded_rectangle(corners, SCALE * size / 7, fill, *border)
        crossing = [(end.middle, width_of(end, size)) for end in ends if end.bottom < box.top and box in source]
        crossing += [
            (focus.middle, width_of(end, size)) for end in ends[-1:] if box in target and box.bottom < focus.top
        ]
        for middle, width in crossing:
            left, right = max(box.left, middle - width / 2), min(box.left + box.width, middle + width / 2)
            if left < right:
                draw.polygon(
                    scaled(upright((left + right) / 2, box.top, box.bottom, right - left)),
                    blend(ACCENT, fill, CROSSING_OPACITY),
                )
    return image.reduce(SCALE)


def width_of(end: Box, size: int) -> float:
    """The width of the ribbon that ends at a word."""
    return max(MIN_WIDTH, end.weight * RIBBON_WIDTH * size)


def upright(middle: float, top: float, bottom: float, width: float) -> list[Point]:
    """The outline of a straight part of a ribbon."""
    left, right = middle - width / 2, middle + width / 2
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def ribbon(start: Point, end: Point, width: float) -> list[Point]:
    """The outline of a curve of the same width everywhere, which leaves its ends upright (curveOf in ribbons.js)."""
    (x0, y0), (x1, y1) = start, end
    bend = (y0 + y1) / 2
    left, right = [], []
    for number in range(CURVE_POINTS + 1):
        t = number / CURVE_POINTS
        s = 1 - t
        x = x0 * (s**3 + 3 * s**2 * t) + x1 * (t**3 + 3 * s * t**2)
        y = y0 * s**3 + 3 * bend * s * t + y1 * t**3
        dx = 6 * s * t * (x1 - x0)
        dy = 3 * (s**2 * (bend - y0) + t**2 * (y1 - bend))
        length = math.hypot(dx, dy) or 1.0
        across = (width / 2 * dy / length, -width / 2 * dx / length)
        left.append((x + across[0], y + across[1]))
        right.append((x - across[0], y - across[1]))
    return [*left, *reversed(right)]


def scaled(points: Iterable[Point]) -> list[Point]:
    return [(SCALE * x, SCALE * y) for x, y in points]


def blend(colour: Colour, ground: Colour, opacity: float) -> Colour:
    red, green, blue = (round(a * opacity + b * (1 - opacity)) for a, b in zip(colour, ground, strict=True))
    return red, green, blue


def shade(weight: float) -> Colour:
    """The ground of a word with this weight."""
    return blend(ACCENT, blend(rgb(NEUTRAL), GROUND, GROUND_OPACITY), SHADE_OPACITY * min(1.0, weight))


def text_colour(box: Box) -> Colour:
    if not box.word.is_known:
        return FAINT
    ground = shade(box.weight)
    return INK if contrast(INK, ground) >= MIN_CONTRAST else BLACK


def contrast(one: Colour, other: Colour) -> float:
    """The contrast of two colours (WCAG 2.2)."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: Colour) -> float:
    red, green, blue = (part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def draw_note(draw: ImageDraw.ImageDraw, note: str) -> None:
    """What is changed, at the right of the header, on the colour of changes."""
    font = font_of(NOTE_SIZE, is_bold=True)
    width = font.getlength(note)
    right, middle = WIDTH_PX - MARGIN, HEADER_TOP + 0.7 * HEADER_SIZE
    draw.rounded_rectangle((right - width - 32, middle - 20, right, middle + 20), 20, CHANGED)
    draw.text((right - 16, middle), note, INK, font, anchor="rm")


def draw_title(draw: ImageDraw.ImageDraw, line: Sequence[Run], top: float, size: int) -> None:
    left = (WIDTH_PX - sum(length_of(text, size, is_bold=is_quoted) for text, is_quoted in line)) / 2
    for text, is_quoted in line:
        font = font_of(size, is_bold=is_quoted)
        draw.text((left, top), text, ACCENT if is_quoted else INK, font)
        left += font.getlength(text)
