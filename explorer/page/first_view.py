"""What the view Picture says of a translation: which German word it is about, and where the model looks to write it.

The page derives this itself (explorer/derived/default_step.js, explorer/attention_view/sentences.js and plain.js). The
programs that fetch the picture of a link's preview run no scripts, so that it is here once more; a test compares both.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from explorer.attention_view.component import words as view_words
from explorer.recording.splitting import joined_text, joined_words
from explorer.recording.trace import Piece, Trace
from explorer.ui import words as shared_words
from explorer.ui.language import format_percent, shown_percent

MIN_LETTERS = 4  # of a content word
LONG, MIDDLE = 24, 0.25  # steps of a long sentence, and how far from its half its middle reaches
MOSTLY_PERCENT = 50  # the least weight for "looks mostly at"
HeadIndex = tuple[int, int]  # layer and head


@dataclass(frozen=True)
class Word:
    """A word of one of the two sentences."""

    text: str
    is_special: bool = False  # the start or the end of a sentence
    is_known: bool = True  # False: the model writes it at a later step


@dataclass(frozen=True)
class FirstView:
    """Both sentences in words, the word that is looked at, and the weights of the source's words for it."""

    source: tuple[Word, ...]
    target: tuple[Word, ...]  # without the start
    focus: int  # in the target
    weights: tuple[float, ...]  # of each word of the source
    sentence: str  # says what one sees, in the language in use


def first_view(
    trace: Trace, step: int | None = None, *, subject: str = "", off: Collection[HeadIndex] = ()
) -> FirstView:
    """The view at a decoding step, the last one if there are fewer; without a step, the finished translation.

    Then it is about the word `subject` of the source, or that with the clearest attention. `off` are the heads of
    cross-attention that are off, of which no mean is taken.
    """
    last_step = len(trace.steps) - 1
    looked_at = default_step(trace, subject) if step is None else min(step, last_step)
    last_known = last_step if step is None else looked_at
    rows = last_layer_on(trace, off)
    source_groups, written = joined_words(trace.source), [step.predicted for step in trace.steps]
    target_groups = joined_words(written)
    focus = next(number for number, group in enumerate(target_groups) if looked_at in group)
    seen = [index for index in target_groups[focus] if index <= last_known]
    merged = rows[seen].mean(axis=0)
    weights = tuple(float(sum(merged[key] for key in group)) for group in source_groups)
    return FirstView(
        source=tuple(word_of(trace.source, group) for group in source_groups),
        target=tuple(word_of(written, group, last_known) for group in target_groups),
        focus=focus,
        weights=weights,
        sentence=plain_sentence(
            name_of(written, seen), [name_of(trace.source, group) for group in source_groups], weights
        ),
    )


def last_layer_on(trace: Trace, off: Collection[HeadIndex]) -> Float[np.ndarray, "query key"]:
    """The mean over the heads that are on, in the last layer that has one; zeros if all are off."""
    weights = trace.cross.weights
    layers, heads, *size = weights.shape
    for layer in reversed(range(layers)):
        if on := [head for head in range(heads) if (layer, head) not in off]:
            return weights[layer, on].mean(axis=0, dtype=np.float64)
    return np.zeros(size)


def default_step(trace: Trace, subject: str = "") -> int:
    """The step that looks most at the word `subject`, else that of the content word with the largest weight.

    As in default_step.js.
    """
    rows = trace.cross.matrix(-1, "mean")
    columns = pieces_of_word(subject, trace.source) if subject else []
    attentions = rows[:, columns].sum(axis=1) if columns else rows.max(axis=1)
    written = [step.predicted for step in trace.steps]
    every = range(len(written))
    words = [i for i in every if is_content_word(written[i], written[i + 1 : i + 2])]
    middle = [i for i in words if len(written) > LONG and abs(i / len(written) - 0.5) < MIDDLE]
    competing = every if columns else middle or words or every
    return max(competing, key=lambda i: attentions[i])  # the first of equal ones


def is_content_word(piece: Piece, following: Sequence[Piece]) -> bool:
    """Whether a piece is a whole word of at least MIN_LETTERS: not special, not punctuation, not part of a word."""
    word = piece.text.removeprefix("·")
    is_whole = piece.starts_word and all(other.starts_word or not other.text.isalpha() for other in following)
    return is_whole and not piece.special and word.isalpha() and len(word) >= MIN_LETTERS


def pieces_of_word(word: str, pieces: Sequence[Piece]) -> list[int]:
    """The indices of the pieces of a word where it last occurs; empty if it does not."""
    for start in reversed(range(len(pieces))):
        if not pieces[start].starts_word or pieces[start].special:
            continue
        end = start + 1
        while end < len(pieces) and not pieces[end].starts_word and pieces[end].text.isalpha():
            end += 1
        if "".join(piece.text for piece in pieces[start:end]).removeprefix("·") == word:
            return [*range(start, end)]
    return []


def word_of(pieces: Sequence[Piece], group: Sequence[int], last_known: int | None = None) -> Word:
    """A word as it is shown; the only special one in either sentence is its end."""
    is_special = pieces[group[0]].special
    text = shared_words.TOKEN_NAMES["end"] if is_special else joined_text(pieces, group)
    return Word(text, is_special, is_known=last_known is None or group[0] <= last_known)


def name_of(pieces: Sequence[Piece], group: Sequence[int]) -> str | None:
    """The text of a word; None for the end of a sentence."""
    return None if pieces[group[0]].special else joined_text(pieces, group)


def plain_sentence(word: str | None, keys: Sequence[str | None], weights: Sequence[float]) -> str:
    """One sentence about where the model looks to write a word, None for the end of the sentence (plain.js)."""
    plain = view_words.PLAIN

    def quote(text: str | None) -> str:
        return plain["place"]["end"] if text is None else plain["word"].format(word=text)

    thousandths = [int(1000 * weight + 0.5) for weight in weights]  # as weights are printed
    strongest = sorted((i for i, number in enumerate(thousandths) if number), key=lambda i: -thousandths[i])[:2]
    if not strongest:
        return plain["unseen"].format(name=quote(word))
    is_mostly = len(strongest) == 1 or shown_percent(weights[strongest[0]]) >= MOSTLY_PERCENT
    found = [plain["found"].format(name=quote(keys[i]), percent=format_percent(weights[i])) for i in strongest]
    aim = plain["aim"]["end"] if word is None else plain["aim"]["word"].format(name=quote(word))
    both = found[0] if is_mostly else plain["both"].format(first=found[0], second=found[1])
    return plain["row"]["cross"]["mostly" if is_mostly else "spread"].format(aim=aim, found=both)
