"""The step at which a translation is best looked at first: a content word whose cross-attention is clear."""

from explorer.recording.trace import Piece, Trace

SHORTEST = 4  # letters; most words that are shorter are articles, pronouns and the like, in any language


def is_content_word(piece: Piece, next_piece: Piece | None) -> bool:
    """Whether a piece is a whole word of some length: no special piece, no punctuation, no part of a word."""
    word = piece.text.removeprefix("·")
    whole = piece.starts_word and (next_piece is None or next_piece.starts_word or not next_piece.text.isalpha())
    return whole and not piece.special and word.isalpha() and len(word) >= SHORTEST


def default_step(trace: Trace) -> int:
    """The content word whose row has the strongest weight in the cross-attention of the last layer, mean of heads.

    That is what a first visit shows. Where no step writes a content word, any step may be the one.
    """
    pieces = [step.predicted for step in trace.steps]
    words = [is_content_word(*pair) for pair in zip(pieces, [*pieces[1:], None], strict=True)]
    strongest = trace.cross.matrix(trace.cross.weights.shape[0] - 1, "mean").max(axis=1)
    return max(range(len(pieces)), key=lambda step: (words[step], strongest[step]))
