"""The picture of a link's preview: ribbons lead to the right words, everything has room, and no letter is missing."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from cases import each_case
from PIL import Image

from explorer.attention_view.component import words as view_words
from explorer.page import preview_picture, words
from explorer.page.first_view import FirstView, Word
from explorer.page.link_preview import HEIGHT_PX, WIDTH_PX
from explorer.page.preview_layout import (
    MARGIN,
    Undrawable,
    fit_sentences,
    fit_title,
    has_letter,
    letter_picture,
    split_title,
)
from explorer.page.preview_picture import (
    ACCENT,
    CHANGED,
    GROUND,
    RIBBON_OPACITY,
    blend,
    contrast,
    draw_preview,
    encode,
    shade,
    text_colour,
)
from explorer.ui import words as shared_words
from explorer.ui.language import LANGUAGES, LanguageContext, use_language

RIBBON = blend(ACCENT, GROUND, RIBBON_OPACITY)
BOTTOM = 500.0  # of the sentences


def view_of(source: str, target: str, focus: int, weights: list[float], sentence: str = "It looks.") -> FirstView:
    sides = [(*map(Word, text.split()), Word("(end)", is_special=True)) for text in (source, target)]
    return FirstView(*sides, focus=focus, weights=(*weights, 0.0), sentence=sentence)


def columns_of(image: Image.Image, colour: tuple[int, int, int], top: float, bottom: float) -> list[int]:
    """The columns of pixels of a colour between two heights."""
    pixels = np.asarray(image)[round(top) : round(bottom)]
    return np.flatnonzero((pixels == colour).all(axis=2).any(axis=0)).tolist()


@each_case(("weights", "ends"), [([0.0, 0.9, 0.0], [1]), ([0.5, 0.0, 0.4], [0, 2]), ([0.019, 0.0, 0.3], [2])])
def test_ribbons_lead_from_the_word_to_those_that_it_looks_at(weights, ends):
    view = view_of("The dog sleeps", "Der Hund schläft", 1, weights)
    _, source, target = fit_sentences(view, HEIGHT_PX - preview_picture.BOTTOM - 50 - preview_picture.BODY_GAP)
    image = draw_preview(view)
    gap = source[0].bottom, target[0].top
    above, below = columns_of(image, RIBBON, gap[0] + 1, gap[0] + 4), columns_of(image, RIBBON, gap[1] - 4, gap[1] - 1)
    for number, box in enumerate(source):
        assert (round(box.middle) in above) == (number in ends)
    assert round(target[1].middle) in below and {*below} <= {*range(int(target[1].left), int(target[1].left + 300))}
    assert columns_of(image, RIBBON, sum(gap) / 2 - 2, sum(gap) / 2 + 2)  # on the way


def test_a_ribbon_is_as_wide_as_its_weight():
    images = [draw_preview(view_of("Go", "Geh", 0, [weight])) for weight in (0.2, 0.8)]
    thin, thick = (len(columns_of(image, RIBBON, 300, 302)) for image in images)
    assert thick == pytest.approx(4 * thin, abs=4)


@each_case(
    ("count", "size"),
    [(1, 52), (16, 30), (25, 26), (60, 16), (100, 14)],
)
def test_sentences_fit_in_the_largest_letters_that_they_have_room_for(count, size):
    view = view_of("house " * count, "Häuser " * count, count - 1, [1 / count] * count)
    found, source, target = fit_sentences(view, BOTTOM)
    assert size <= found
    for boxes in (source, target):
        assert all(box.left >= MARGIN and box.left + box.width <= WIDTH_PX - MARGIN + 1 for box in boxes)
        assert all(a.left + a.width < b.left or a.bottom < b.top for a, b in pairwise(boxes))
    assert source[-1].bottom + 40 < target[0].top and target[-1].bottom < BOTTOM
    pixels = np.asarray(draw_preview(view))
    assert (pixels[:, : MARGIN - 4] == GROUND).all() and (pixels[:, 4 + WIDTH_PX - MARGIN :] == GROUND).all()


@each_case("source", ["beautiful " * 300, "a" * 399, "Привет", "看书", "كتاب", "𝔄", "b\u0308"])
def test_what_does_not_fit_or_has_letters_that_the_font_lacks_is_not_drawn(source):
    view = view_of(source, "Hallo", 0, [0.0] * len(source.split()))
    with pytest.raises(Undrawable):
        draw_preview(view)


def test_the_font_has_the_letters_of_german_and_its_neighbours_and_none_is_a_box():
    letters = "abcxyzÄÖÜäöüßẞéèêçñåøæœłščžőűİ0123456789“”„‚‘’–—…·%&@€§()[]/+−=?!"
    assert all(map(has_letter, letters))
    assert len({letter_picture(letter) for letter in letters}) == len(letters)
    assert not any(map(has_letter, "Жא猫\uffff"))
    assert has_letter(" ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_font_has_the_letters_of_all_words_of_the_picture(language):
    """If it fails: the font has to be made again (explorer/ui/vendor/LICENSE-preview.txt), else English is drawn."""
    with use_language(LanguageContext(language)):
        plain = view_words.PLAIN
        texts = [plain["word"], plain["found"], plain["both"], plain["unseen"], *plain["place"].values()]
        texts += [*plain["aim"].values(), *plain["row"]["cross"].values(), *shared_words.TOKEN_NAMES.values()]
        texts += [words.TITLE, words.PREVIEW["note"], view_words.HTML["source"], view_words.HTML["target"]]
    assert not {letter for text in texts for letter in text if not has_letter(letter)}


def test_a_letter_with_a_mark_of_its_own_is_drawn_as_the_one_letter_that_it_is():
    joined, apart = (view_of(text, text, 0, [0.5]) for text in ("schön", "scho\u0308n"))
    assert encode(draw_preview(joined)) == encode(draw_preview(apart))


def test_a_changed_model_is_named_in_the_colour_of_changes():
    view = view_of("Go", "Geh", 0, [1.0])
    same, changed = draw_preview(view), draw_preview(view, is_changed=True)
    assert columns_of(changed, CHANGED, 30, 90) and not columns_of(same, CHANGED, 0, HEIGHT_PX)


def test_words_that_come_later_are_pale_and_texts_have_enough_contrast():
    view = view_of("The dog sleeps", "Der Hund schläft", 0, [0.9, 0.0, 0.0])
    later = replace(view, target=(view.target[0], *(replace(word, is_known=False) for word in view.target[1:])))
    _, source, target = fit_sentences(later, BOTTOM)
    assert text_colour(target[1]) != text_colour(target[0])
    for weight in np.linspace(0, 1, 21):
        box = replace(source[0], weight=float(weight))
        assert contrast(text_colour(box), shade(box.weight)) >= 4.5
    assert contrast(text_colour(target[1]), GROUND) >= 4.5


@each_case("language", [*LANGUAGES])
def test_the_sentence_below_breaks_between_words_and_names_are_bold(language):
    with use_language(LanguageContext(language)):
        name = view_words.PLAIN["word"].format(word="gut gemacht")
        sentence = view_words.PLAIN["aim"]["word"].format(name=name) + " " + "x " * 30
        runs = [*split_title(sentence)]
        size, lines = fit_title(sentence)
    assert "".join(text for text, _ in runs) == sentence and (name, True) in runs
    assert [run for line in lines for run in line] == runs and len(lines) <= 2 and size <= 38
    with pytest.raises(Undrawable):
        fit_title("long " * 100)


def test_the_picture_is_a_png_of_the_size_that_the_tags_say():
    data = encode(draw_preview(view_of("Go", "Geh", 0, [1.0])))
    assert data.startswith(b"\x89PNG") and len(data) < 100_000
    assert draw_preview(view_of("Go", "Geh", 0, [1.0])).size == (WIDTH_PX, HEIGHT_PX)
