"""What stands on what is handed out: reports, worksheets, and pages without a server."""

REPORT = {
    "title": "What the model looked at",
    "dark": "Light or dark",
    "source": "{source_language}",
    "notes": "Notes",
    "notes_hint": "What you want to remember, or to tell others.",
    "save": "Save with notes",
    "save_hint": "Saves this file once more, with the notes as they are now",
}
REPORT_TITLE = "Attention: {sentence}"
PRINTING = "Printed, this page is a worksheet: two sides to work on and an answer key."
LONG = "There is no worksheet of this sentence: it has more words than a side has room for."
TARGET = "{target_language}"
TEXT = {"unchanged": "{target_language}, unchanged", "changed": "{target_language}, changed"}
WORTH = "log-probability {total:.2f} nats"
CHANGES = "What was changed"
NAMES = {"unchanged": "unchanged", "changed": "changed"}  # of two runs side by side
MADE = (
    "Made with the Attention Explorer: a Transformer of {encoder} + {decoder} layers with {heads} heads each and "
    "{parameters:.1f} million parameters. Everything on this page stands in its file; it asks nothing of any server."
)
EXPERIMENT = {
    "source": "Read instead: {text}",
    "word_order": "The words in another order: {text}",
    "hidden": "Nothing may look at: {pieces}",
    "beginning": "The translation had to begin with: {pieces}",
    "off": "Heads switched off ({how}): {heads}",
    "off_by": {
        "zero": "their output is zero",
        "uniform": "they look at everything alike",
        "mean": "their output is its mean over other sentences",
        "special": "they look at a special piece alone",
    },
    "encoder": "Positions of the encoder: {how}",
    "decoder": "Positions of the decoder: {how}",
    "positions": {"off": "off", "shuffled": "shuffled (seed {seed})", "shifted": "shifted by {shift}"},
    "patch": "Copied from the run of “{sentence}”: {what}",
    "cell": "the stream of the {stack} after layer {layer} at position {position}",
    "stacks": {"encoder": "encoder", "decoder": "decoder"},
}

NO_VIEW = "What is to be shown first is not understood."
NOTES = "Notes are a text of at most {limit} characters."

# The worksheet, for a class. Sections are a title and what is to be done.
SHEET_TITLE = "What does the model look at?"
BLANKS = ("Name", "Date")
SIDES = ("Sentence ({source_language})", "Translation ({target_language})")
INTRO = (
    "A Transformer translates one word after another. For every new word it spreads weights over the words of the "
    "sentence: 0 means “not looked at”, 1 means “nothing else looked at”. This is called attention."
)
SHEET = {
    "guess": (
        "A  Guess",
        "Which word of the sentence will the model look at most while it writes each of these? Write its number from B "
        "into the second column. The third stays empty for now.",
    ),
    "lines": ("B  Draw", "Draw a line from each word on the right to your guess."),
    "picture": (
        "C  The picture",
        "A row for each word of the translation, a column for each word of the sentence; </s> is its end. The darker a "
        "cell, the larger the weight. Find the darkest cell of each row and write its number into the third column of "
        "A. (Last layer, mean of {heads} heads.)",
    ),
    "weights": (
        "D  Read weights",
        "Read these rows off the picture with the help of the scale, to one decimal. What is the sum of a row?",
    ),
    "order": ("E  Order", "In another colour, draw the lines of B as the third column of A has them."),
    "think": (
        "F  Think",
        "Where was your guess wrong? Is there a word that looks at several others, or at one that does not mean the "
        "same? What could be the reason?",
    ),
}
GUESS_HEADER = ("The model writes", "My guess", "Darkest cell")
ORDER_BLANKS = ("Pairs of lines that cross:", "Words that have another place in the translation:")
PICTURE = "Attention weights: {rows} words of the translation, {columns} words of the sentence"
DRAWING = "The words of the sentence at the left, words of the translation at the right"
KEY_TITLE = "Answers"
KEY_INTRO = (
    "From the same numbers as the picture: cross-attention of the last layer, mean of {heads} heads; pieces of a word "
    "are taken together. Greys are hard to tell apart: a reading that is 0.1 off is a good one."
)
KEY_HEADER = ("The model writes", "and looks most at", "Weight")
CROSSINGS = "Pairs of lines that cross: {count}."
THOUGHT = (
    "There is no single answer. The weights of a row sum to 1, so what one word gets the others lack; rounded they may "
    "add up to 0.9 or 1.1. A large weight says where the model looks, not yet why: that takes an experiment."
)
TOO_LONG = (
    "A worksheet has room for {limit} words; this sentence, or its translation, has {words}, punctuation included."
)
