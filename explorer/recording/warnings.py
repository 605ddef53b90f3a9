"""What a visitor should be warned of before trusting a translation: measures of its trace, each with its threshold.

They read what was recorded anyway. The thresholds were set on captions and everyday sentences that were not trained
on; tests/verdicts.tsv holds what is wanted, by the German as a reader sees it. Where a tokenizer splits even common
words, or its attention is never clear, the measures that rest on them stay silent. So do those that rest on lists of
words (explorer/recording/languages.py) where the model reads or writes a language that has none; what is left there
counts pieces, repetitions and sentences, by thresholds that are set higher than those for English and German.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from explorer.recording import words as texts
from explorer.recording.examples import primary
from explorer.recording.languages import COMMON, ENGLISH, ENGLISH_LIGHT, FUNCTION_WORDS, OTHER_LANGUAGES, SHARED
from explorer.recording.splitting import Word, sentences_of, words_of
from explorer.recording.trace import Trace
from explorer.ui.language import LANGUAGE_CONTEXT
from explorer.ui.scripts import isolated
from explorer.ui.translations import language_name
from model.languages import Language

LONG_SENTENCE = 60  # pieces; 1 in 50 training sentences is longer
ODD_LETTERS = 1.8  # letters per piece: rare English words have more, what is typed at random has fewer
MANY_PIECES = 4  # of a word; three are frequent in ordinary words ("fire-work-s"), in 1 of 5 captions
NAME_PIECES = 3  # of a word with a capital inside a sentence
HARDLY = 1 / 3  # of a step's attention: a word that is translated gets more than half of it at some step
CLEAR = 0.3  # where the middle one of the content words gets less than this, attention tells of nothing missing
SHORT = 0.7  # German characters per English one: 1 in 100 ordinary sentences has fewer
STUTTER = re.compile(r"(\w{1,3}?)\1\1", re.I)  # "Hammmil", "popopol"
LONG_WORD = 5  # letters of a word that is not said twice without need
SURE = 2  # words of another language than English that show it: our other lists are short


class Warning(NamedTuple):
    """One plain sentence, and the source pieces and decoding steps that it is about."""

    kind: str
    text: str
    pieces: tuple[int, ...] = ()
    steps: tuple[int, ...] = ()  # those whose predicted piece is meant
    sentences: tuple[str, ...] = ()  # that could be translated one after the other

    def json(self) -> dict[str, Any]:
        return {**self._asdict(), "reason": texts.PIECE_REASONS.get(self.kind)}


def warnings(trace: Trace) -> list[Warning]:
    """What is worth a warning, the gravest first; nothing for an ordinary sentence.

    Where a text is in another language, that explains its rare words and whatever the translation does. Which one it
    is in is only said of a model that reads a language whose commonest words we know.
    """
    words, read = words_of(trace.source), primary(LANGUAGE_CONTEXT.get().languages.source)
    language = other_language(words, read) if read in COMMON else None
    found = [unknown_characters(trace)]
    if language is not None:
        found += [of_language(language)]
    else:
        found += [*of_writing(trace), several(trace.sentence, read), *of_words(trace, words, read)]
    order = list(texts.WARNINGS)
    there = [warning for warning in found if warning is not None]
    return sorted(there, key=lambda warning: order.index(warning.kind))


def said(name: str, words: Sequence[Word] = (), **values: object) -> Warning:
    """The warning of a kind; a point divides the kind from which of its sentences is meant."""
    kind, _, which = name.partition(".")
    text = texts.WARNINGS[kind][which] if which else texts.WARNINGS[kind]["text"]
    pieces = tuple(piece for word in words for piece in word.pieces)
    listed = ", ".join(dict.fromkeys(isolated(word.clean) for word in words))
    return Warning(kind, text.format(words=listed, **values), pieces)


def of_language(code: str) -> Warning:
    """The warning of a text in another language, which is named in that of the page."""
    if not code:
        return said("language.none")
    return said("language.named", language=language_name(LANGUAGE_CONTEXT.get().language, Language(code, code)))


def of_words(trace: Trace, words: Sequence[Word], read: str) -> list[Warning | None]:
    """What a text loses, or what its words do to the translation."""
    written, capitals = primary(LANGUAGE_CONTEXT.get().languages.target), all_capitals(trace.sentence)
    lost = missing(trace, words, written) if read == "en" else None
    return [lost, repetition(trace, words, read, written), None if capitals else rare(words, read)]


def other_language(words: Sequence[Word], read: str = "en") -> str | None:
    """The code of the language that a text looks like; "" for no known one; None for the one that is read.

    Common words decide. Where there are none of them, the text is still taken for what is read, unless most letters are
    not Latin or, in English, the pieces are as short as those of letters typed at random.
    """
    bare = [word.bare for word in words if word.bare and not word.is_number]
    own = sum(word in COMMON[read] and (read != "en" or word not in SHARED) for word in bare)
    counts = {code: sum(word in common for word in bare) for code, common in OTHER_LANGUAGES[read].items()}
    best = max(counts, key=lambda code: counts[code])
    if counts[best] > own and (read == "en" or counts[best] >= SURE):
        return best
    letters = [letter for word in bare for letter in word if letter.isalpha()]
    if letters and 2 * sum(ord(letter) >= 0x250 for letter in letters) > len(letters):
        return ""
    if read != "en" or not letters or ENGLISH.intersection(bare):
        return None
    return "" if len(letters) < ODD_LETTERS * sum(len(word.pieces) for word in words if not word.is_number) else None


def all_capitals(text: str) -> bool:
    """Whether a text is shouted: several words, none of which has a small letter."""
    return text == text.upper() != text.lower() and len(re.findall(r"[^\W\d_]{2,}", text)) > 1


def unknown_characters(trace: Trace) -> Warning | None:
    pieces = [i for i, piece in enumerate(trace.source) if piece.unknown]
    listed = ", ".join(trace.source[i].isolated.text for i in pieces)
    return said("unknown", characters=listed)._replace(pieces=tuple(pieces)) if pieces else None


def of_writing(trace: Trace) -> list[Warning | None]:
    """Text that is written unlike the training's, or longer than it."""
    text = trace.sentence
    return [
        said("capitals") if all_capitals(text) else None,
        said("lower") if text == text.lower() != text.upper() else None,
        said("long", pieces=len(trace.source)) if len(trace.source) > LONG_SENTENCE else None,
        said("limit", steps=len(trace.steps)) if trace.stopped_at_limit else None,
    ]


def rare(words: Sequence[Word], read: str = "en") -> Warning | None:
    """Words that are no common ones and fall into many pieces: the model meets them seldom, and garbles them."""
    known = COMMON.get(read, frozenset())
    counted = [len(word.pieces) for word in words if read != "en" or word.bare in known]
    typical = np.mean if read == "en" else np.median
    if counted and typical(counted) > 2:
        return None  # this tokenizer splits everything
    apart = falls_apart if read == "en" else falls_far_apart
    found = [word for i, word in enumerate(words) if word.bare not in known and apart(word, first=i == 0)]
    return said("rare", found) if found else None


def falls_far_apart(word: Word, *, first: bool) -> bool:
    """Words of other languages may be longer and have more endings, and capitals may mean no name."""
    return len(word.pieces) > MANY_PIECES and falls_apart(word, first=True)


def falls_apart(word: Word, *, first: bool) -> bool:
    """A name inside a sentence falls apart sooner; of a number its longest part counts, so that 10:45 does not."""
    if word.is_number:
        return max(map(len, re.findall(r"\d+(?:[.,]\d+)*", word.text))) >= MANY_PIECES <= len(word.pieces)
    name = not first and word.text.lstrip("\"'(“‘")[:1].isupper()
    return len(word.pieces) >= (NAME_PIECES if name else MANY_PIECES)


def missing(trace: Trace, words: Sequence[Word], written: str = "de") -> Warning | None:
    """English words of meaning that no step attended to, or German much shorter than its English.

    Attention is the mean over heads of the layer in which a word got most, at the step at which it got most; the last
    step only ends the sentence. A word that the sentence has twice is left out: either may be attended to for both.
    """
    counts = Counter(word.bare for word in words)
    content = [word for word in words if word.bare not in ENGLISH_LIGHT and len(word.bare) > 2 and not word.is_number]
    rows = trace.cross.weights[:, :, :-1].mean(axis=1)  # [layer, query, key]
    if rows.size and content:
        most = [float(rows[..., list(word.pieces)].sum(axis=-1).max()) for word in content]
        left = [word for word, weight in zip(content, most, strict=True) if weight < HARDLY and counts[word.bare] == 1]
        if left and np.median(most) >= CLEAR:
            return said("missing.words", left)
    short = written == "de" and len(trace.translation) < SHORT * len(trace.sentence)
    return said("missing.short") if short else None


def repetition(trace: Trace, words: Sequence[Word], read: str = "en", written: str = "de") -> Warning | None:
    """A word that stutters, or one that stands there more often than any word of meaning in the sentence.

    What that is, is known of English; once more is allowed where it is not German whose words are counted.
    """
    target = words_of([step.predicted for step in trace.steps])
    stutters = [word for word in target if stutters_anew(word, trace.sentence)]
    light = ENGLISH_LIGHT if read == "en" else frozenset()
    allowed = max(Counter(word.bare for word in words if word.bare not in light).values(), default=1)
    counts, more = Counter(word.bare for word in target), 0 if written == "de" else 1
    again = [word for word in target if counts[word.bare] > allowed + more and weighty(word, written)]
    found = stutters or again
    steps = tuple(step for word in found for step in word.pieces)
    return said("repetition", found)._replace(pieces=(), steps=steps) if found else None


def stutters_anew(word: Word, text: str) -> bool:
    """Whether a word repeats letters that the text does not repeat itself, as "2,000" and "www" do."""
    return any(part[0].lower() not in text.lower() for part in STUTTER.finditer(word.text))


def weighty(word: Word, written: str) -> bool:
    light = FUNCTION_WORDS.get(written, frozenset())
    return len(word.bare) >= LONG_WORD and word.bare not in light and not word.is_number


def several(text: str, read: str) -> Warning | None:
    """Sentences beyond the first: most of what the model learned from had one."""
    sentences = sentences_of(text, read)
    return said("several", count=len(sentences))._replace(sentences=tuple(sentences)) if len(sentences) > 1 else None
