"""How a visitor's text is read: with the capitals of a sentence, and without the hyphens of broken lines.

The model learned from well written sentences. What people type or paste is often all in small letters or in capitals,
or has hyphens where a printed line ended. Such a text is mended, and the model chooses: the mended form is read where
its translation is another one with a higher log-probability. Both have the same words, so that the two compare. English
in capitals is always mended, because the model copies it, and is sure of copies.

Only what a visitor types is read in this way. Links, examples, lessons and programs name the text that they mean.
docs/classroom.md has what was measured; a full stop that is missing changed nothing there, and is not added.
"""

import re

from explorer.recording.examples import primary_subtag
from explorer.recording.splitting import sentence_parts
from explorer.recording.trace import Trace
from explorer.recording.warnings import is_all_capitals
from model.languages import Language
from model.tidying import rules_for

# Patterns that JavaScript shares (explorer/answers/reading.js).
BROKEN_WORD = re.compile(
    r"(?P<before>[^\W\d_]+(?:-[^\W\d_]+)*)[-\u00ad\u2010]\s+"
    r"(?!(?:and|or|to|nor|und|oder|bis|sowie|et|ou|y|o|e|en|of)(?!\w))"  # "pre- and post-war"
    r"(?P<after>[^\W\d_]+(?:-[^\W\d_]+)*)"
)
FIRST_LETTER = re.compile(r"""^["'(\u2018\u201c\u201e]*[^\W\d_]""")
SMALL_ENGLISH_I = re.compile(r"(?<!\w)(?<!['.-])(?<!\u2019)i(?=$|[\s,!?;:]|\.(?!\w)|['\u2019](?:m|ve|ll|d)(?!\w))")


def is_mended(source: Language) -> bool:
    """Whether texts in a language are mended: only if it is written in Latin letters, unlike that of toys."""
    return rules_for(source) != "plain"


def mend(text: str, source: Language) -> str:
    """The text in small letters if all of it is in capitals, a capital at the start of each sentence, words joined."""
    if not is_mended(source):
        return text
    joined = BROKEN_WORD.sub(join_word, text)
    small = joined.lower() if joined == joined.upper() else joined
    code = primary_subtag(source)
    mended = "".join(FIRST_LETTER.sub(capitalize_last, part) for part in sentence_parts(small, code))
    return SMALL_ENGLISH_I.sub("I", mended) if code == "en" else mended


def join_word(found: re.Match[str]) -> str:
    """A word of two lines; "mother-" and "in-law" keep the hyphen between them."""
    before, after = found["before"], found["after"]
    return f"{before}{'-' if '-' in before + after else ''}{after}"


def capitalize_last(found: re.Match[str]) -> str:
    return found[0][:-1] + found[0][-1].upper()


def is_always_mended(text: str, source: Language) -> bool:
    """Whether a text is English in capitals."""
    return is_all_capitals(text) and primary_subtag(source) == "en"


def choose(typed: Trace, mended: Trace) -> Trace:
    """The one to show."""
    is_better = mended.translation != typed.translation and mended.log_probability > typed.log_probability
    return mended if is_better else typed
