"""Why a sentence is refused, and what a visitor should know of its translation."""

from explorer.shared.words import LOW_CONFIDENCE

MAX_CHARACTERS = 400
MAX_PIECES = 128

REFUSALS = {
    "empty": "There is nothing to translate yet: type an English sentence.",
    "long": "The text has {length:,} characters; the limit is {limit}. Please shorten it: it is still in the box.",
    "pieces": (
        "The text has {pieces} pieces, including its end; the view shows at most {limit}. Please shorten it: it is "
        "still in the box."
    ),
    "control": "The text contains the control character {code}, which cannot be translated. Please remove it.",
    "unknown": "The model knows none of these characters. It was trained on English sentences written in Latin "
    "letters.",
}

NOTES = {
    "unknown": "Not in the vocabulary, so all of these look the same to the model: {pieces}",
    "lower": "All lower case: the model learned from sentences with capitals and may do worse here.",
    "several": "Several sentences are translated as one text; the model mostly learned from single sentences.",
    "long": "With {pieces} pieces, this is longer than almost anything the model was trained on.",
    "limit": "Stopped at the limit of {steps} steps: the model did not end the sentence.",
    "unsure": f"The model was unsure (below {LOW_CONFIDENCE:.0%}) about: {{pieces}}",
}
