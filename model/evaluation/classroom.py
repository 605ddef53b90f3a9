"""Which sentences of a list are translated so that the facts arrive? The rule stands in docs/classroom.md.

The lists that come with the project are 60 sentences such as classes type, and 20 with names.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from model.decoding import Translator
from model.training.data import read_pairs

LISTS = tuple(Path(str(files("assets") / name)) for name in ("classroom.tsv", "names.tsv"))
VERDICTS = Path(str(files("assets") / "classroom-read.tsv"))
ENGLISH_WORDS = frozenset(
    ["the", "of", "is", "are", "to", "and", "with", "for", "that", "this", "it", "you", "your", "my", "from", "does"]
)
MAX_REPEATED_RUN = 3  # words in a row that may not come twice
MIN_REPEATED_LETTERS = 4  # letters of a word that may not come twice running
WORD = re.compile(r"\w+")
SENTENCE_ENDS = re.compile(r"(?<=[.?!;:])\s+")


class Fact(NamedTuple):
    """What a translation must contain, in one of several ways, or must not."""

    text: str  # as the list has it
    ways: tuple[re.Pattern[str], ...]
    wanted: bool

    def holds(self, translation: str) -> bool:
        return any(fact_pattern.search(normalize("NFC", translation)) for fact_pattern in self.ways) == self.wanted


class Sentence(NamedTuple):
    """A line of a list."""

    kind: str
    text: str
    facts: tuple[Fact, ...]


class Verdict(NamedTuple):
    """What a reader says of one translation, and why."""

    right: bool
    why: str


class Judgement(NamedTuple):
    """A translation, what the rule finds wrong with it, and a reader's verdict where there is one."""

    sentence: Sentence
    translation: str
    faults: tuple[str, ...]
    verdict: Verdict | None

    @property
    def by_rule(self) -> bool:
        return not self.faults

    @property
    def passes(self) -> bool:
        return self.verdict.right if self.verdict else self.by_rule


def fact_pattern(text: str, exact: bool) -> re.Pattern[str]:
    """A pattern of whole words; `*` stands for letters, ` ... ` for anything between two parts."""
    parts = [re.escape(normalize("NFC", part)).replace(r"\*", r"\w*") for part in text.split(" ... ")]
    return re.compile(r"(?<!\w)" + r"\b.*?\b".join(parts) + r"(?!\w)", re.NOFLAG if exact else re.IGNORECASE)


def parse_fact(text: str) -> Fact:
    """A fact as a list has it. Raises ValueError where one of its ways says nothing."""
    exact, wanted = text.startswith("="), not text.startswith("-")
    ways = text.removeprefix("=").removeprefix("-").split("|")
    if not all(WORD.search(one) for one in ways):
        raise ValueError(f"{text!r} is no fact: a way of saying it has no words")
    return Fact(text, tuple(fact_pattern(one.strip(), exact) for one in ways), wanted)


def read_rows(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The lines of a TSV file as columns, each with a place to name in an error."""
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            yield f"{path} line {number}", line.rstrip("\n").split("\t")


def read_list(path: Path) -> list[Sentence]:
    """Reads a list. Raises ValueError, naming file and line, where a line has no facts or one that is none."""
    sentences = []
    for place, (kind, *texts) in read_rows(path):
        if len(texts) < 2 or not all(text.strip() for text in (kind, *texts)):
            raise ValueError(f"{place}: expected a kind, a sentence and its facts, by tabs")
        try:
            sentences.append(Sentence(kind, texts[0], tuple(map(parse_fact, texts[1:]))))
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from error
    if not sentences:
        raise ValueError(f"{path} has no sentences")
    return sentences


def read_verdicts(path: Path) -> dict[tuple[str, str], Verdict]:
    """Verdicts by sentence and translation. Raises ValueError, naming the line, where one is not right or wrong."""
    verdicts = {}
    for place, columns in read_rows(path):
        match columns:
            case [sentence, translation, "right" | "wrong" as said, why] if why.strip():
                verdicts[sentence, translation] = Verdict(said == "right", why)
            case _:
                raise ValueError(f'{place}: expected sentence, translation, "right" or "wrong", and why, by tabs')
    return verdicts


def words(text: str) -> list[str]:
    return WORD.findall(text.lower())


def find_faults(sentence: Sentence, translation: str) -> Iterator[str]:
    """What the rule finds wrong with a translation, a sentence each."""
    for one in sentence.facts:
        if not one.holds(translation):
            yield f"{'misses' if one.wanted else 'must not have'} {one.text.removeprefix('-')}"
    found, source = words(translation), words(sentence.text)
    if english := sorted(ENGLISH_WORDS & set(found)):
        yield f"has English words: {', '.join(english)}"
    runs = [tuple(found[start : start + MAX_REPEATED_RUN]) for start in range(len(found) - MAX_REPEATED_RUN + 1)]
    twice = [run for run in dict.fromkeys(runs) if runs.count(run) > 1]
    twice += [(a,) for a, b in pairwise(found) if a == b and len(a) >= MIN_REPEATED_LETTERS]
    if twice:
        yield f"repeats: {' '.join(twice[0])}"
    if not len(source) / 2 <= len(found) <= 2 * len(source) + 1:
        yield f"has {len(found)} words for {len(source)}"


def judge(
    translator: Translator, sentences: Sequence[Sentence], verdicts: Mapping[tuple[str, str], Verdict], beam: int
) -> list[Judgement]:
    """Translates every sentence and judges it."""
    translations = translator.translate([sentence.text for sentence in sentences], beam)
    return [
        Judgement(sentence, found, tuple(find_faults(sentence, found)), verdicts.get((sentence.text, found)))
        for sentence, found in zip(sentences, translations, strict=True)
    ]


def table(judged: Sequence[Judgement]) -> str:
    """How many translations pass, for every kind of sentence and in all."""
    kinds = dict.fromkeys(one.sentence.kind for one in judged)
    groups = {kind: [one for one in judged if one.sentence.kind == kind] for kind in kinds} | {"all": judged}
    lines = [f"{'kind':<20} {'sentences':>9} {'by the rule':>12} {'after reading':>14}"]
    for kind, group in groups.items():
        counts = sum(one.by_rule for one in group), sum(one.passes for one in group)
        lines.append(f"{kind:<20} {len(group):>9} {counts[0]:>12} {counts[1]:>14}")
    return "\n".join(lines)


def list_judgements(judged: Sequence[Judgement], all_of_them: bool) -> str:
    """The translations that fail, or all of them, with what is wrong."""
    lines = []
    for one in judged:
        if one.passes and not all_of_them:
            continue
        lines += [f"\n{'passes' if one.passes else 'FAILS '} {one.sentence.text}", f"       {one.translation}"]
        lines += [f"       rule: {said}" for said in one.faults]
        if one.verdict:
            lines.append(f"       reader: {'right' if one.verdict.right else 'wrong'}, {one.verdict.why}")
    return "\n".join(lines)


def normalized(text: str) -> str:
    """Text without capitals, punctuation and blanks that do not matter."""
    return " ".join(words(text.replace("'", "").replace("\N{RIGHT SINGLE QUOTATION MARK}", "")))


def sentences_in_file(sentences: Sequence[Sentence], path: Path) -> Iterator[str]:
    """The sentences that are a line of a file of pairs, or a whole sentence of one."""
    wanted = {normalized(sentence.text): sentence.text for sentence in sentences}
    for pair in read_pairs([path]):
        for text in {pair.src, *SENTENCE_ENDS.split(pair.src)}:
            if normalized(text) in wanted:
                yield wanted[normalized(text)]
