"""What a visitor should be warned of before trusting a translation: measures of its trace, each with its threshold.

They read what was recorded anyway. The thresholds were set on captions and everyday sentences that were not trained
on; tests/verdicts.tsv holds what was wanted, written down before. Where a checkpoint's tokenizer splits even common
words, or its attention is never clear, the measures that rest on them stay silent. So do those that rest on lists of
words (explorer/recording/languages.py) where the model reads or writes another language than that of the list.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from explorer.recording import words as texts
from explorer.recording.languages import ENGLISH, ENGLISH_LIGHT, GERMAN_FUNCTION_WORDS, OTHER_LANGUAGES, SHARED
from explorer.recording.splitting import Word, sentences_of, words_of
from explorer.recording.trace import Trace
from explorer.shared.language import VOICE, name_in
from explorer.shared.scripts import isolated
from model.languages import Language

LONG_SENTENCE = 40  # pieces; few training sentences are longer
ODD_LETTERS = 1.8  # letters per piece: rare English words have more, what is typed at random has fewer
MANY_PIECES = 4  # of a word; three are frequent in ordinary words ("A-l-though")
NAME_PIECES = 3  # of a word with a capital inside a sentence
HARDLY = 1 / 3  # of a step's attention: a word that is translated gets more than half of it at some step
CLEAR = 0.3  # where the middle one of the content words gets less than this, attention tells of nothing missing
SHORT = 0.7  # German characters per English one: 1 in 100 ordinary sentences has fewer
STUTTER = re.compile(r"(\w{1,3}?)\1\1", re.I)  # "Hammmil", "popopol"
LONG_WORD = 5  # letters of a German word that is not said twice without need


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

    Where a text is not English, that explains its rare words and whatever the German does. A model that reads another
    language than English gets no warning of languages, nor any other that rests on the lists of English words.
    """
    words = words_of(trace.source)
    found = [unknown_characters(trace)]
    english = is_in(VOICE.get().languages.source, "en")
    language = other_language(words) if english else None
    if language is not None:
        found += [of_language(language)]
    else:
        found += [*of_writing(trace), several(trace.sentence)]
        found += of_english(trace, words) if english else []
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


def is_in(language: Language, code: str) -> bool:
    """Whether a language is that of a code, in whatever region."""
    return language.code.partition("-")[0] == code


def of_language(code: str) -> Warning:
    """The warning of a text in another language, which is named in that of the page."""
    if not code:
        return said("language.none")
    return said("language.named", language=name_in(VOICE.get().language, Language(code, code)))


def of_english(trace: Trace, words: Sequence[Word]) -> list[Warning | None]:
    """What an English text loses, or what its words do to the translation."""
    capitals = all_capitals(trace.sentence)
    return [missing(trace, words), repetition(trace, words), None if capitals else rare(words)]


def other_language(words: Sequence[Word]) -> str | None:
    """The code of the language that a text looks like; "" for text that is no known language; None for English.

    Common words decide. Where there are none of them, English is still assumed, unless most letters are not Latin or
    the pieces are as short as those of letters typed at random.
    """
    bare = [word.bare for word in words if word.bare and not word.is_number]
    english = sum(word in ENGLISH and word not in SHARED for word in bare)
    counts = {code: sum(word in common for word in bare) for code, common in OTHER_LANGUAGES.items()}
    best = max(counts, key=lambda code: counts[code])
    if counts[best] > english:
        return best
    letters = [letter for word in bare for letter in word if letter.isalpha()]
    if letters and 2 * sum(ord(letter) >= 0x250 for letter in letters) > len(letters):
        return ""
    pieces = sum(len(word.pieces) for word in words if not word.is_number)
    return "" if letters and not ENGLISH.intersection(bare) and len(letters) < ODD_LETTERS * pieces else None


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


def rare(words: Sequence[Word]) -> Warning | None:
    """Words that are no common ones and fall into many pieces: the model meets them seldom, and garbles them."""
    common = [word for word in words if word.bare in ENGLISH]
    if sum(len(word.pieces) for word in common) > 2 * len(common):
        return None  # this tokenizer splits everything
    found = [word for i, word in enumerate(words) if word.bare not in ENGLISH and falls_apart(word, first=i == 0)]
    return said("rare", found) if found else None


def falls_apart(word: Word, *, first: bool) -> bool:
    """A name inside a sentence falls apart sooner; of a number its longest part counts, so that 10:45 does not."""
    if word.is_number:
        return max(map(len, re.findall(r"\d+(?:[.,]\d+)*", word.text))) >= MANY_PIECES <= len(word.pieces)
    name = not first and word.text.lstrip("\"'(“‘")[:1].isupper()
    return len(word.pieces) >= (NAME_PIECES if name else MANY_PIECES)


def missing(trace: Trace, words: Sequence[Word]) -> Warning | None:
    """Words of meaning that no step attended to, or a translation much shorter than the sentence.

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
    return said("missing.short") if len(trace.translation) < SHORT * len(trace.sentence) else None


def repetition(trace: Trace, words: Sequence[Word]) -> Warning | None:
    """A word that stutters, or a German one that stands there more often than any word of meaning in the sentence."""
    german = words_of([step.predicted for step in trace.steps])
    stutters = [word for word in german if stutters_anew(word, trace.sentence)]
    source = Counter(word.bare for word in words if word.bare not in ENGLISH_LIGHT)
    allowed = max(source.values(), default=1)
    counts = Counter(word.bare for word in german)
    again = [word for word in german if counts[word.bare] > allowed and weighty(word)]
    found = stutters or (again if is_in(VOICE.get().languages.target, "de") else [])
    steps = tuple(step for word in found for step in word.pieces)
    return said("repetition", found)._replace(pieces=(), steps=steps) if found else None


def stutters_anew(word: Word, text: str) -> bool:
    """Whether a word repeats letters that the text does not repeat itself, as "2,000" and "www" do."""
    return any(part[0].lower() not in text.lower() for part in STUTTER.finditer(word.text))


def weighty(word: Word) -> bool:
    return len(word.bare) >= LONG_WORD and word.bare not in GERMAN_FUNCTION_WORDS and not word.is_number


def several(text: str) -> Warning | None:
    """Sentences beyond the first: most of what the model learned from had one."""
    sentences = sentences_of(text)
    return said("several", count=len(sentences))._replace(sentences=tuple(sentences)) if len(sentences) > 1 else None
