"""Warnings about translations that may be wrong: measures of a trace, each with its threshold.

The thresholds were set on captions and everyday sentences outside the training data; tests/verdicts.tsv holds the
expected warnings, judged by the German. If a tokenizer splits even common words, or attention is never clear, the
measures that need them give no warning. Without a list of words for a language (explorer/recording/word_lists.py) only
pieces, repetitions and sentences are counted, with higher thresholds than for English and German.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from explorer.recording import words as texts
from explorer.recording.examples import primary_subtag
from explorer.recording.numbers import missing_numbers
from explorer.recording.splitting import Word, kept_words, split_sentences, split_words, word_key
from explorer.recording.trace import Trace
from explorer.recording.vocabulary import vocabulary
from explorer.recording.word_lists import (
    AMBIGUOUS_WORDS,
    COMMON_WORDS,
    DISTINCTIVE_WORDS,
    ENGLISH_LIGHT_WORDS,
    ENGLISH_OPEN_WORDS,
    ENGLISH_WORDS,
    FUNCTION_WORDS,
)
from explorer.ui.language import LANGUAGE_CONTEXT
from explorer.ui.scripts import isolate
from explorer.ui.translations import language_name
from model.languages import Language

MAX_USUAL_PIECES = 60  # of a sentence; 1 in 50 training sentences is longer
MIN_LETTERS_PER_PIECE = 1.8  # of English; letters typed at random have fewer
MIN_RANDOM_LETTERS = 4  # of a text before it is taken for letters typed at random; "LOL" has three
RARE_WORD_PIECES = 4  # of a rare word; ordinary words often have three ("fire-work-s"), in 1 of 5 captions
RARE_NAME_PIECES = 3  # of a capitalized word inside a sentence
MIN_ATTENTION = 1 / 3  # to a translated word at its best step, where it usually gets more than half
MIN_MEDIAN_ATTENTION = 0.3  # of the content words' best steps; below it attention cannot tell which words are missing
MIN_LENGTH_RATIO = 0.7  # German characters per English one: 1 in 100 ordinary sentences has fewer
LETTERS = re.compile(r"[^\W\d_]{2,}")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
OPENING_MARKS = "\"'(“‘"  # before a word
FIRST_FOREIGN_LETTER = "\u0250"  # the letters before it are Latin
STUTTER_PATTERN = re.compile(r"(\w{1,3}?)\1\1", re.I)  # "Hammmil", "popopol"
MAX_ABBREVIATION = 3  # letters of "TV" or "USA"; longer words in capitals may be shouted
GENITIVE = re.compile(r"['’]?s?$")  # of names: "Oliver's", "Olivers"
MIN_CONTENT_LETTERS = 5  # of a word that good translations seldom repeat
MIN_FOREIGN_WORDS = 2  # to identify another language for models that do not read English: the other lists are short


REPLACED = ("missing", "rare")  # by the likelihood, whose measures see them, and which names them as reasons


class TranslationWarning(NamedTuple):
    """A warning as a sentence, with the source pieces and decoding steps that it is about."""

    kind: str
    text: str
    pieces: tuple[int, ...] = ()
    steps: tuple[int, ...] = ()  # whose predicted piece is meant
    sentences: tuple[str, ...] = ()  # to translate one by one instead

    def json(self) -> dict[str, Any]:
        return {**self._asdict(), "reason": texts.PIECE_REASONS.get(self.kind)}


def warnings(trace: Trace) -> list[TranslationWarning]:
    """The warnings about a translation, the most serious first; none for an ordinary sentence.

    A text in another language gets that warning only, because it explains rare words and a strange translation. The
    check needs a list of common words for the language that the model reads. Where a likelihood is known, it stands
    for the warnings in REPLACED; beside any other it is never "right" (explorer/recording/likelihood.py).
    """
    words, source_code = split_words(trace.source), primary_subtag(LANGUAGE_CONTEXT.get().languages.source)
    language = foreign_language(words)
    candidates = [unknown_characters_warning(trace)]
    if language is not None:
        candidates += [language_warning(language)]
    else:
        candidates += [
            *writing_warnings(trace),
            several_sentences_warning(trace.sentence, source_code),
            *word_warnings(trace, words, source_code),
        ]
    order = list(texts.WARNINGS)
    replaced = REPLACED if trace.fit else ()
    present = [warning for warning in candidates if warning is not None and warning.kind not in replaced]
    return sorted(present, key=lambda warning: order.index(warning.kind))


def foreign_language(words: Sequence[Word]) -> str | None:
    """What `other_language` says; None without a list of words for the language that the model reads."""
    source_code = primary_subtag(LANGUAGE_CONTEXT.get().languages.source)
    return other_language(words, source_code) if source_code in COMMON_WORDS else None


def is_foreign(words: Sequence[Word]) -> bool:
    """Whether a text seems to be in another language."""
    return foreign_language(words) is not None


def make_warning(name: str, words: Sequence[Word] = (), **values: object) -> TranslationWarning:
    """The warning with a name: its kind or, if the kind has several texts, kind.variant."""
    kind, _, variant = name.partition(".")
    text = texts.WARNINGS[kind][variant] if variant else texts.WARNINGS[kind]["text"]
    pieces = tuple(piece for word in words for piece in word.pieces)
    listed = ", ".join(dict.fromkeys(isolate(word.clean) for word in words))
    return TranslationWarning(kind, text.format(words=listed, **values), pieces)


def language_warning(code: str) -> TranslationWarning:
    """The warning that a text is in another language, named in the language of the page."""
    if not code:
        return make_warning("language.none")
    return make_warning("language.named", language=language_name(LANGUAGE_CONTEXT.get().language, Language(code, code)))


def word_warnings(trace: Trace, words: Sequence[Word], source_code: str) -> list[TranslationWarning | None]:
    """Warnings about missing, repeated and rare words."""
    target_code, capitals = primary_subtag(LANGUAGE_CONTEXT.get().languages.target), is_all_capitals(trace.sentence)
    kept = kept_words(words, split_words([step.predicted for step in trace.steps]))
    lost = missing_words_warning(trace, words, target_code, kept) if source_code == "en" else None
    return [
        lost,
        *(german_warnings(trace, words) if (source_code, target_code) == ("en", "de") else []),
        repetition_warning(trace, words, source_code, target_code),
        None if capitals else rare_words_warning(words, source_code, kept),
    ]


def other_language(words: Sequence[Word], source_code: str = "en") -> str | None:
    """The code of the language that a text seems to be in; "" if unknown, None if it is the language the model reads.

    Common words decide. A text without any is taken for the expected language, unless most letters are not Latin or, in
    English, the pieces are as short as those of letters typed at random.
    """
    bare = [word.bare for word in words if word.bare and not word.is_number]
    own = sum(
        word in COMMON_WORDS[source_code] and (source_code != "en" or word not in AMBIGUOUS_WORDS) for word in bare
    )
    counts = {code: sum(word in common for word in bare) for code, common in DISTINCTIVE_WORDS[source_code].items()}
    best = max(counts, key=lambda code: counts[code])
    if counts[best] > own and (source_code == "en" or counts[best] >= MIN_FOREIGN_WORDS):
        return best
    letters = [letter for word in bare for letter in word if letter.isalpha()]
    if letters and 2 * sum(letter >= FIRST_FOREIGN_LETTER for letter in letters) > len(letters):
        return ""
    if source_code != "en" or not letters or ENGLISH_WORDS.intersection(bare):
        return None
    return (
        ""
        if MIN_RANDOM_LETTERS
        <= len(letters)
        < MIN_LETTERS_PER_PIECE * sum(len(word.pieces) for word in words if not word.is_number)
        else None
    )


def is_all_capitals(text: str) -> bool:
    """Whether a text has several words and no lower-case letter."""
    return text == text.upper() != text.lower() and len(LETTERS.findall(text)) > 1


def german_warnings(trace: Trace, words: Sequence[Word]) -> list[TranslationWarning | None]:
    """Warnings about German with English words, words that do not exist, or without the numbers of its English."""
    target = split_words([step.predicted for step in trace.steps])
    names, known = source_names(words, trace.sentence), {word_key(word) for word in words}
    stems = {GENITIVE.sub("", key) for key in known}
    new = [word for word in target if not word.is_number and GENITIVE.sub("", word.bare) not in stems]
    copied = [word for word in target if word.bare in known - names and is_copied(word)]
    coined = [word for word in new if not vocabulary().is_german(word.bare)]
    lost = missing_numbers(words, trace.translation)
    return [
        make_target_warning("copied", copied) if copied else None,
        make_target_warning("coined", coined) if coined else None,
        make_warning("numbers", lost) if lost else None,
        make_warning("cut", words[-1:]) if is_cut(trace.sentence, words) else None,
    ]


def source_names(words: Sequence[Word], text: str) -> set[str]:
    """The words, as `bare`, that may be names: with a capital inside a sentence; and abbreviations."""
    if is_all_capitals(text):
        return set()
    inner = [word for word in words[1:] if word.clean[:1].isupper()]
    return {word.bare for word in inner if len(word.clean) <= MAX_ABBREVIATION or not word.clean.isupper()}


def is_copied(word: Word) -> bool:
    """Whether a word of both sides is English alone; the A of "from A to B" is a name."""
    return len(word.bare) > 1 and not word.is_number and vocabulary().is_english(word.bare)


def is_cut(text: str, words: Sequence[Word]) -> bool:
    """Whether an English text stops in the middle of a sentence: with a word that wants another one behind it."""
    return len(words) > 1 and words[-1].bare in ENGLISH_OPEN_WORDS and text[-1:].isalpha()


def make_target_warning(name: str, words: Sequence[Word]) -> TranslationWarning:
    """The warning with a name about words of the translation."""
    warning = make_warning(name, words)
    return warning._replace(pieces=(), steps=warning.pieces)


def unknown_characters_warning(trace: Trace) -> TranslationWarning | None:
    pieces = [i for i, piece in enumerate(trace.source) if piece.unknown]
    listed = ", ".join(trace.source[i].isolated.text for i in pieces)
    return make_warning("unknown", characters=listed)._replace(pieces=tuple(pieces)) if pieces else None


def writing_warnings(trace: Trace) -> list[TranslationWarning | None]:
    """Warnings about a text that is written differently from the training data, or longer."""
    text = trace.sentence
    return [
        make_warning("capitals") if is_all_capitals(text) else None,
        make_warning("lower") if text == text.lower() != text.upper() else None,
        make_warning("long", pieces=len(trace.source)) if len(trace.source) > MAX_USUAL_PIECES else None,
        make_warning("limit", steps=len(trace.steps)) if trace.stopped_at_limit else None,
    ]


def rare_words_warning(
    words: Sequence[Word], source_code: str = "en", kept: Collection[str] = ()
) -> TranslationWarning | None:
    """Uncommon words of many pieces: the model saw them seldom in training and garbles them, unless it `kept` them."""
    known = COMMON_WORDS.get(source_code, frozenset())
    counted = [len(word.pieces) for word in words if source_code != "en" or word.bare in known]
    typical = np.mean if source_code == "en" else np.median
    if counted and typical(counted) > 2:
        return None  # this tokenizer splits everything
    has_enough_pieces = has_many_pieces if source_code == "en" else has_very_many_pieces
    unusual = [(i, word) for i, word in enumerate(words) if word.bare not in known and word.bare not in kept]
    rare = [word for i, word in unusual if has_enough_pieces(word, first=i == 0)]
    return make_warning("rare", rare) if rare else None


def has_very_many_pieces(word: Word, *, first: bool) -> bool:
    """The same for other languages, whose words may be longer, and whose capitals may not mean names."""
    return len(word.pieces) > RARE_WORD_PIECES and has_many_pieces(word, first=True)


def has_many_pieces(word: Word, *, first: bool) -> bool:
    """Whether a word has as many pieces as rare words have; names inside a sentence need fewer.

    A number also needs as many digits in its longest part, so that 10:45 does not count.
    """
    if word.is_number:
        return max(map(len, NUMBER.findall(word.text))) >= RARE_WORD_PIECES <= len(word.pieces)
    name = not first and word.text.lstrip(OPENING_MARKS)[:1].isupper()
    return len(word.pieces) >= (RARE_NAME_PIECES if name else RARE_WORD_PIECES)


def missing_words_warning(
    trace: Trace, words: Sequence[Word], target_code: str = "de", kept: Collection[str] = ()
) -> TranslationWarning | None:
    """English content words that no step attended to, or German much shorter than its English.

    A word's attention is the mean over heads, at the layer and step where it is largest; the last step, which only ends
    the sentence, does not count. Words that occur twice are ignored, because attention to one may serve both, and
    those that the German `kept`.
    """
    counts = Counter(word.bare for word in words)
    content = [
        word for word in words if word.bare not in ENGLISH_LIGHT_WORDS and len(word.bare) > 2 and not word.is_number
    ]
    rows = trace.cross.weights[:, :, :-1].mean(axis=1)  # [layer, query, key]
    if rows.size and content:
        peaks = [float(rows[..., list(word.pieces)].sum(axis=-1).max()) for word in content]
        ignored = [
            word
            for word, weight in zip(content, peaks, strict=True)
            if weight < MIN_ATTENTION and counts[word.bare] == 1 and word.bare not in kept
        ]
        if ignored and np.median(peaks) >= MIN_MEDIAN_ATTENTION:
            return make_warning("missing.words", ignored)
    short = target_code == "de" and len(trace.translation) < MIN_LENGTH_RATIO * len(trace.sentence)
    return make_warning("missing.short") if short else None


def repetition_warning(
    trace: Trace, words: Sequence[Word], source_code: str = "en", target_code: str = "de"
) -> TranslationWarning | None:
    """A word that stutters, or a content word that occurs more often than any content word of the source.

    Function words are excluded for English sources; translations into other languages than German may have one more.
    """
    target = split_words([step.predicted for step in trace.steps])
    stutters = [word for word in target if has_new_stutter(word, trace.sentence)]
    light = ENGLISH_LIGHT_WORDS if source_code == "en" else frozenset()
    max_count = max(Counter(word.bare for word in words if word.bare not in light).values(), default=1)
    counts, tolerance = Counter(word.bare for word in target), 0 if target_code == "de" else 1
    again = [
        word for word in target if counts[word.bare] > max_count + tolerance and is_long_content_word(word, target_code)
    ]
    repeated = stutters or again
    return make_target_warning("repetition", repeated) if repeated else None


def has_new_stutter(word: Word, text: str) -> bool:
    """Whether a word repeats letters that the source text does not repeat, unlike "2,000" and "www"."""
    return any(part[0].lower() not in text.lower() for part in STUTTER_PATTERN.finditer(word.text))


def is_long_content_word(word: Word, target_code: str) -> bool:
    light = FUNCTION_WORDS.get(target_code, frozenset())
    return len(word.bare) >= MIN_CONTENT_LETTERS and word.bare not in light and not word.is_number


def several_sentences_warning(text: str, source_code: str) -> TranslationWarning | None:
    """A text of several sentences: most of the training data have one."""
    sentences = split_sentences(text, source_code)
    return (
        make_warning("several", count=len(sentences))._replace(sentences=tuple(sentences))
        if len(sentences) > 1
        else None
    )
