"""The decoding step that a new translation shows first: a content word with clear cross-attention."""

from explorer.recording.trace import Piece, Trace

MIN_LETTERS = 4  # of a content word; in any language most shorter words are articles, pronouns and the like


def is_content_word(piece: Piece, next_piece: Piece | None) -> bool:
    """Whether a piece is a whole word of at least MIN_LETTERS: not special, not punctuation, not part of a word."""
    word = piece.text.removeprefix("·")
    whole = piece.starts_word and (next_piece is None or next_piece.starts_word or not next_piece.text.isalpha())
    return whole and not piece.special and word.isalpha() and len(word) >= MIN_LETTERS


def default_step(trace: Trace) -> int:
    """The step whose content word has the largest cross-attention weight (last layer, mean of heads).

    If no step writes a content word, all steps compete.
    """
    pieces = [step.predicted for step in trace.steps]
    words = [is_content_word(*pair) for pair in zip(pieces, [*pieces[1:], None], strict=True)]
    strongest = trace.cross.matrix(trace.cross.weights.shape[0] - 1, "mean").max(axis=1)
    return max(range(len(pieces)), key=lambda step: (words[step], strongest[step]))
