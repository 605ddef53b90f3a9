"""Judges translations by the facts that they must contain; docs/classroom.md has the rule.

    python -m tools.sentence_lists [--model NAME] [--beam 5] [--list FILE.tsv ...] [--write]
    python -m tools.sentence_lists --apart train.tsv.gz dev.tsv.gz ...

The lists that come with the project are 60 sentences such as classes type, and 20 with names. Only `--write` puts the
results into the checkpoint's record and model card. The second command translates nothing: it lists the sentences that
occur in files of pairs.
"""

import argparse
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from unicodedata import normalize

from model import command
from model.checkpoints import checkpoint
from model.decoding import Translator, decoding_name
from model.errors import UserError
from model.files import read_lines
from model.training.data import read_pairs

LISTS = tuple(Path(str(files("assets") / name)) for name in ("classroom.tsv", "names.tsv"))
VERDICTS = Path(str(files("assets") / "classroom-read.tsv"))
ENGLISH_WORDS = frozenset(
    ["the", "of", "is", "are", "to", "and", "with", "for", "that", "this", "it", "you", "your", "my", "from", "does"]
)
REPEATED_WORDS = 3  # words in a row that must not occur twice
MIN_REPEATED_LETTERS = 4  # letters of a word that must not be doubled
WORD = re.compile(r"\w+")
SENTENCE_ENDS = re.compile(r"(?<=[.?!;:])\s+")

Item = TypeVar("Item")


class Fact(NamedTuple):
    """What a translation must contain, in one of several forms, or must not contain."""

    text: str  # as in the list
    patterns: tuple[re.Pattern[str], ...]
    is_required: bool  # else it is forbidden

    def holds(self, translation: str) -> bool:
        """Whether the translation satisfies the fact."""
        text = normalize("NFC", translation)
        return any(pattern.search(text) for pattern in self.patterns) == self.is_required


class Sentence(NamedTuple):
    """A line of a list."""

    kind: str
    text: str
    facts: tuple[Fact, ...]


class Verdict(NamedTuple):
    """A reader's judgement of one translation, with the reason."""

    is_right: bool
    reason: str


class Judgement(NamedTuple):
    """A translation, its faults by the rule, and a reader's verdict if there is one."""

    sentence: Sentence
    translation: str
    faults: tuple[str, ...]
    verdict: Verdict | None

    @property
    def passes_rule(self) -> bool:
        """Whether the rule finds no fault."""
        return not self.faults

    @property
    def passes(self) -> bool:
        """Whether it passes; a reader's verdict overrides the rule."""
        return self.verdict.is_right if self.verdict else self.passes_rule


def fact_pattern(text: str, exact: bool) -> re.Pattern[str]:
    """A pattern of whole words; `*` stands for letters, ` ... ` for anything between two parts."""
    parts = [re.escape(normalize("NFC", part)).replace(r"\*", r"\w*") for part in text.split(" ... ")]
    return re.compile(r"(?<!\w)" + r"\b.*?\b".join(parts) + r"(?!\w)", re.NOFLAG if exact else re.IGNORECASE)


def parse_fact(text: str) -> Fact:
    """A fact in the notation of a list. Raises UserError if one of its forms has no words."""
    exact, is_required = text.startswith("="), not text.startswith("-")
    forms = text.removeprefix("=").removeprefix("-").split("|")
    if not all(WORD.search(form) for form in forms):
        raise UserError(f"{text!r} is no fact: a way of saying it has no words")
    return Fact(text, tuple(fact_pattern(form.strip(), exact) for form in forms), is_required)


def read_rows(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The lines of a TSV file as columns, each with its place for error messages."""
    for number, line in read_lines(path):
        yield f"{path} line {number}", line.split("\t")


def read_list(path: Path) -> list[Sentence]:
    """Reads a list. Raises UserError, naming file and line, if a line has no facts or an invalid one."""
    sentences = []
    for place, (kind, *texts) in read_rows(path):
        if len(texts) < 2 or not all(text.strip() for text in (kind, *texts)):
            raise UserError(f"{place}: expected a kind, a sentence and its facts, by tabs")
        try:
            sentences.append(Sentence(kind, texts[0], tuple(map(parse_fact, texts[1:]))))
        except UserError as error:
            raise UserError(f"{place}: {error}") from error
    if not sentences:
        raise UserError(f"{path} has no sentences")
    return sentences


def read_verdicts(path: Path) -> dict[tuple[str, str], Verdict]:
    """Verdicts by sentence and translation. Raises UserError, naming the line, if one is invalid."""
    verdicts = {}
    for place, columns in read_rows(path):
        match columns:
            case [sentence, translation, "right" | "wrong" as verdict, reason] if reason.strip():
                verdicts[sentence, translation] = Verdict(verdict == "right", reason)
            case _:
                raise UserError(f'{place}: expected sentence, translation, "right" or "wrong", and why, by tabs')
    return verdicts


def words(text: str) -> list[str]:
    """The words of a text, lower-cased."""
    return WORD.findall(text.lower())


def find_faults(sentence: Sentence, translation: str) -> Iterator[str]:
    """The faults of a translation by the rule."""
    for fact in sentence.facts:
        if not fact.holds(translation):
            yield f"{'misses' if fact.is_required else 'must not have'} {fact.text.removeprefix('-')}"
    target, source = words(translation), words(sentence.text)
    if english := sorted(ENGLISH_WORDS & set(target)):
        yield f"has English words: {', '.join(english)}"
    runs = [tuple(target[start : start + REPEATED_WORDS]) for start in range(len(target) - REPEATED_WORDS + 1)]
    repeated = [run for run in dict.fromkeys(runs) if runs.count(run) > 1]
    repeated += [(a,) for a, b in pairwise(target) if a == b and len(a) >= MIN_REPEATED_LETTERS]
    if repeated:
        yield f"repeats: {' '.join(repeated[0])}"
    if not len(source) / 2 <= len(target) <= 2 * len(source) + 1:
        yield f"has {len(target)} words for {len(source)}"


def judge(
    translator: Translator, sentences: Sequence[Sentence], verdicts: Mapping[tuple[str, str], Verdict], beam: int
) -> list[Judgement]:
    """Translates every sentence and judges it."""
    translations = translator.translate([sentence.text for sentence in sentences], beam)
    return [
        Judgement(sentence, text, tuple(find_faults(sentence, text)), verdicts.get((sentence.text, text)))
        for sentence, text in zip(sentences, translations, strict=True)
    ]


def group_by_kind(items: Sequence[Item], kind_of: Callable[[Item], str]) -> dict[str, list[Item]]:
    """The items of each kind, in order of appearance, and finally "all"."""
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(kind_of(item), []).append(item)
    return {**groups, "all": [*items]}


def table(judgements: Sequence[Judgement]) -> str:
    """How many translations pass, for every kind of sentence and in all."""
    lines = [f"{'kind':<20} {'sentences':>9} {'by the rule':>12} {'after reading':>14}"]
    for kind, group in group_by_kind(judgements, lambda judgement: judgement.sentence.kind).items():
        counts = sum(item.passes_rule for item in group), sum(item.passes for item in group)
        lines.append(f"{kind:<20} {len(group):>9} {counts[0]:>12} {counts[1]:>14}")
    return "\n".join(lines)


def list_result(name: str, beam: int, judgements: Sequence[Judgement]) -> dict[str, Any]:
    """What a checkpoint's record holds of a list: how many of each kind are right, and what came out wrong."""
    groups = group_by_kind(judgements, lambda judgement: judgement.sentence.kind)
    return {
        "file": name,
        "decoding": decoding_name(beam),
        "kinds": [
            {"kind": kind, "right": sum(item.passes for item in group), "sentences": len(group)}
            for kind, group in groups.items()
        ],
        "wrong": [
            {"sentence": item.sentence.text, "translation": item.translation} for item in judgements if not item.passes
        ],
    }


def list_judgements(judgements: Sequence[Judgement], include_passing: bool) -> str:
    """The translations that fail, or all of them, with their faults."""
    lines = []
    for item in judgements:
        if item.passes and not include_passing:
            continue
        lines += [f"\n{'passes' if item.passes else 'FAILS '} {item.sentence.text}", f"       {item.translation}"]
        lines += [f"       rule: {fault}" for fault in item.faults]
        if item.verdict:
            lines.append(f"       reader: {'right' if item.verdict.is_right else 'wrong'}, {item.verdict.reason}")
    return "\n".join(lines)


def normalized(text: str) -> str:
    """The text without capitals, apostrophes, punctuation and extra blanks."""
    return " ".join(words(text.replace("'", "").replace("\N{RIGHT SINGLE QUOTATION MARK}", "")))


def sentences_in_file(sentences: Sequence[Sentence], path: Path) -> Iterator[str]:
    """The sentences that occur in a file of pairs, as a source or as a sentence of one."""
    texts = {normalized(sentence.text): sentence.text for sentence in sentences}
    for pair in read_pairs([path]):
        for text in {pair.src, *SENTENCE_ENDS.split(pair.src)}:
            if normalized(text) in texts:
                yield texts[normalized(text)]


def check_overlap(lists: Sequence[Path], pairs: Sequence[Path]) -> None:
    """Checks that no sentence of the lists occurs in files of pairs. Raises UserError, naming them, if any does."""
    sentences = [sentence for path in lists for sentence in read_list(path)]
    overlap = {f"{path.name}: {text}" for path in pairs for text in sentences_in_file(sentences, path)}
    if overlap:
        raise UserError("\n".join(["these are not kept apart:", *sorted(overlap)]))
    print(f"None of {len(sentences)} sentences stands in {len(pairs)} files.")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        "python -m tools.sentence_lists",
        description="Judges the translations of sentences that classes type, and of names.",
    )
    command.add_model(parser)
    parser.add_argument("--list", nargs="+", type=Path, default=LISTS, help="TSV files: kind, sentence, its facts")
    parser.add_argument("--read", type=Path, default=VERDICTS, help="TSV file of a reader's verdicts")
    command.add_beam(parser)
    parser.add_argument("--all", action="store_true", help="print the translations that pass as well")
    parser.add_argument("--write", action="store_true", help="put the results into the checkpoint's record and card")
    parser.add_argument("--apart", nargs="+", type=Path, help="files of pairs: says which sentences stand in them")
    command.add_device(parser)
    options = parser.parse_args(arguments)
    with command.exit_on_error("python -m tools.sentence_lists"):
        if options.apart:
            check_overlap(options.list, options.apart)
            return
        lists, verdicts = [(path, read_list(path)) for path in options.list], read_verdicts(options.read)
        if options.write:
            command.require_folder(options.model)
        translator, results = command.load(options), []
        for path, sentences in lists:
            judgements = judge(translator, sentences, verdicts, options.beam)
            results.append(list_result(path.name, options.beam, judgements))
            print(f"{path.name}, {results[-1]['decoding']}\n{table(judgements)}")
            print(list_judgements(judgements, options.all) + "\n", flush=True)
        if options.write:
            new = {(result["file"], result["decoding"]) for result in results}
            kept = [one for one in translator.record.get("lists", []) if (one["file"], one["decoding"]) not in new]
            checkpoint.save_record({**translator.record, "lists": [*kept, *results]}, Path(options.model))


if __name__ == "__main__":
    main()
