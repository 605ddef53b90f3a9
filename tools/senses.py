"""Lists English words that German translates by words of several stems, for a reader who makes assets/senses.tsv.

    python -m tools.senses --pairs train.tsv.gz ... > candidates.txt

Each line has an English word, how often a German one was aligned with it (tools/lexicon.py), and groups of
those words with their shares: "bark 61: Rinde 56% Bellen 42%". Which groups are synonyms, and which are meanings, only
a reader can tell.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from explorer.recording.word_lists import ENGLISH_LIGHT_WORDS
from model import command
from model.training.data import read_pairs
from tools.lexicon import Aligner
from tools.vocabulary import WORD

NAME = "python -m tools.senses"
MAX_WORDS = 22  # of a sentence; in longer ones alignments are less certain
MIN_COUNT = 12  # of alignments of a word
MIN_SHARE = 0.1  # of a group of translations
STEM_LETTERS = 4
PLAIN_VOWELS = str.maketrans("äöü", "aou")


def have_one_stem(first: str, second: str) -> bool:
    """Whether two German words begin alike, or the longer one is a compound with the shorter one."""
    short, long = sorted((word.translate(PLAIN_VOWELS) for word in (first, second)), key=len)
    return short[:STEM_LETTERS] == long[:STEM_LETTERS] or (len(short) >= STEM_LETTERS and short in long)


def group_by_stem(counts: Counter[str]) -> list[Counter[str]]:
    """The words with their counts in groups, each of which has the stem of its most frequent word."""
    groups: list[Counter[str]] = []
    for word, count in counts.most_common():
        group = next((group for group in groups if have_one_stem(next(iter(group)), word)), None)
        if group is None:
            groups.append(group := Counter())
        group[word] = count
    return groups


def candidates(sources: Sequence[Sequence[str]], targets: Sequence[Sequence[str]]) -> Iterator[str]:
    """The lines of all words with two groups or more whose share is large enough."""
    aligner = Aligner.learn(sources, targets)
    translations: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for source, target in zip(sources, targets, strict=True):
        for j, i in aligner.links(source, target):
            translations[source[i]][target[j]] += 1
    for word, counts in sorted(translations.items()):
        total = counts.total()
        groups = [group for group in group_by_stem(counts) if group.total() >= MIN_SHARE * total]
        if total >= MIN_COUNT and len(groups) > 1 and word not in ENGLISH_LIGHT_WORDS:
            yield f"{word} {total}: " + " ".join(f"{next(iter(group))} {group.total() / total:.0%}" for group in groups)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(NAME, description="Lists English words with German ones of several stems.")
    parser.add_argument("--pairs", nargs="+", type=Path, required=True, help="English-German pairs written by people")
    options = parser.parse_args(arguments)
    with command.exit_on_error(NAME):
        texts = [[WORD.findall(text.lower()) for text in (pair.src, pair.tgt)] for pair in read_pairs(options.pairs)]
        pairs = [(source, target) for source, target in texts if max(len(source), len(target)) <= MAX_WORDS]
        for line in candidates([source for source, _ in pairs], [target for _, target in pairs]):
            print(line)


if __name__ == "__main__":
    main()
