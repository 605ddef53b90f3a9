"""How a sentence is written before it is cut into pieces: as the model's training had it."""

import re

# What visitors type or paste, and what the training's English has in its place.
TYPEWRITER = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'"),  # quotes, prime, accents used as apostrophes
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2013\u2212", "-"),  # hyphens, en dash, minus
        "\u2014": " - ",  # an em dash stands between words without blanks
        "\u00ad": None,  # a soft hyphen is invisible
    }
)
BLANK_BEFORE_MARK = re.compile(r"\s+(?=[.,?!;:\u2026]+(?:[\s'\"]|$))")
# A full stop only between sentences: "Ph.D." and "p.m." stay as they are.
MARK_BEFORE_WORD = re.compile(r"(?<=[a-z])[,?!](?=[A-Za-z])|(?<=[a-z]{2})\.(?=[A-Z])")


def tidy(source: str) -> str:
    """An English sentence with quotes, dashes and blanks as the training's English has them.

    Blanks are taken away before marks and set after them; runs of blanks and the character for three dots are left
    to SentencePiece's own normalisation (NFKC), which makes one blank and three dots of them.
    """
    source = BLANK_BEFORE_MARK.sub("", source.translate(TYPEWRITER))
    return MARK_BEFORE_WORD.sub(r"\g<0> ", source)
