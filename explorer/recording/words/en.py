"""Why a sentence is refused, and what a visitor should know of its translation."""

from explorer.ui.limits import LOW_CONFIDENCE

REFUSALS = {
    "opening": "The page opens with a sentence that this model refuses; choose others with --examples",
    "empty": "There is nothing to translate yet: type a sentence in {source_language}.",
    "long": "The text has {length:,} characters; the limit is {limit}. Please shorten it.",
    "pieces": "The text has {pieces} pieces, including its end; the view shows at most {limit}. Please shorten it.",
    "control": "The text contains the control character {code}, which cannot be translated. Please remove it.",
    "unknown": "The model knows none of these characters. It has learned to read {source_language} only.",
    "kind": "kind must be {kinds} or {last}, not {value!r}.",
}

NOTES = {
    "unsure": f"The model was unsure (below {LOW_CONFIDENCE:.0%}) about: {{pieces}}",
    "source": "{source_language} has no blanks between words, so each of its pieces stands as a word.",
    "source_turned": "{source_language} goes from right to left, and so do its pieces here, those of a number, too. "
    "Pictures count them from the left, and the right arrow key still means: the next one.",
    "target_turned": "{target_language} goes from right to left, and so do its pieces here, those of a number, too. "
    "Pictures count them from the left, and the right arrow key still means: the next one.",
    "both_turned": "{source_language} and {target_language} go from right to left, and so do their pieces here, those "
    "of a number, too. Pictures count them from the left, and the right arrow key still means: the next one.",
    "target": "{target_language} has no blanks between words, so each of its pieces stands as a word.",
}

# One plain sentence each (explorer/recording/warnings.py), the gravest first.
WARNINGS = {
    "language": {
        "named": "This looks like {language}, not {source_language}. The model learned only {source_language}, so what "
        "it makes of this is no translation.",
        "none": "This does not look like {source_language}. The model learned only {source_language}, so what it makes "
        "of this is no translation.",
    },
    "limit": {"text": "Stopped at the limit of {steps} steps: the model did not end the sentence."},
    "unknown": {"text": "Not in the vocabulary, so all of these look the same to the model: {characters}"},
    "missing": {
        "words": "Something may be missing: while writing the {target_language}, the model hardly looked at: {words}",
        "short": "Something may be missing: the {target_language} is much shorter than the {source_language}.",
    },
    "repetition": {
        "text": "The {target_language} repeats itself, which often means that the model lost its place: {words}"
    },
    "rare": {"text": "Rare for this model, which reads it in small pieces and may garble it: {words}"},
    "capitals": {"text": "All capitals: the model learned from ordinary writing and spells this letter by letter."},
    "several": {"text": "{count} sentences were translated as one text; the model mostly learned from single ones."},
    "lower": {"text": "All lower case: the model learned from sentences with capitals and may do worse here."},
    "long": {"text": "With {pieces} pieces, this is longer than almost anything the model was trained on."},
}
# What a marked piece says when it is pointed at.
PIECE_REASONS = {
    "rare": "part of a word that is rare for this model",
    "missing": "hardly attended to: may be missing in the {target_language}",
    "repetition": "repeated in the {target_language}",
}
# Why the story of a checkpoint's training is not shown.
STORY_FAULTS = {
    "link": "{file} is a link, and only a file of the checkpoint itself may be read here.",
    "irregular": "{file} is no regular file.",
    "large": "{file} is larger than {largest} MB.",
    "unpacked": "{file} unpacks to more than {unpacked} MB.",
    "unreadable": "{file} cannot be read, is damaged or no story.",
}
