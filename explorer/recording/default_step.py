"""The decoding step that a new translation shows first: one with clear cross-attention."""

from collections.abc import Sequence

from explorer.recording.trace import Piece, Trace

MIN_LETTERS = 4  # of a content word; in any language most shorter words are articles, pronouns and the like


def is_content_word(piece: Piece, next_piece: Piece | None) -> bool:
    """Whether a piece is a whole word of at least MIN_LETTERS: not special, not punctuation, not part of a word."""
    word = piece.text.removeprefix("·")
    whole = piece.starts_word and (next_piece is None or next_piece.starts_word or not next_piece.text.isalpha())
    return whole and not piece.special and word.isalpha() and len(word) >= MIN_LETTERS


def positions_of(word: str, pieces: Sequence[Piece]) -> list[int]:
    """The positions of the pieces of a word where it last occurs; empty if it does not."""
    texts = [piece.text for piece in pieces]
    starts = [position for position, piece in enumerate(pieces) if piece.starts_word and not piece.special]
    for start in reversed(starts):
        end = start + 1
        while end < len(pieces) and not pieces[end].starts_word and texts[end].isalpha():
            end += 1
        if "".join(texts[start:end]).removeprefix("·") == word:
            return [*range(start, end)]
    return []


def default_step(trace: Trace, subject: str = "") -> int:
    """The step that looks most at the word `subject` (last layer, mean of heads).

    Without that word: the step whose content word has the largest weight; if no step writes a content word, all steps
    compete.
    """
    rows = trace.cross.matrix(trace.cross.weights.shape[0] - 1, "mean")
    if subject and (
        positions := positions_of(subject, trace.source)
    ):  # a piece may be a raised dot alone: an empty word
        return int(rows[:, positions].sum(axis=1).argmax())
    pieces = [step.predicted for step in trace.steps]
    words = [is_content_word(*pair) for pair in zip(pieces, [*pieces[1:], None], strict=True)]
    strongest = rows.max(axis=1)
    return max(range(len(pieces)), key=lambda step: (words[step], strongest[step]))
