"""Does a sentence that is typed carelessly get the same translation as its clean form?

The shipped inputs were written for this test. A line says what is rough, then come the rough input and its clean
form, a tab between them; where the input is several sentences, every one has a column for its clean form, and their
translations are joined with blanks. Decoding is greedy unless a beam is asked for.

*The same* means identical text. The mark at the end of a translation mostly follows that of its source, so a second
count leaves aside full stops, question and exclamation marks at the end. Neither says that a translation is right.
"""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from model.decoding import Translator

SHIPPED_INPUTS = Path(str(files("assets") / "rough-inputs.tsv"))


class RoughInput(NamedTuple):
    """What a visitor may type, and how it would be written with care."""

    kind: str  # what is rough about it
    rough: str
    clean: tuple[str, ...]  # its sentences


class Comparison(NamedTuple):
    """The translations of a rough input and of its clean form."""

    input: RoughInput
    rough: str
    clean: str

    @property
    def same(self) -> bool:
        return self.rough == self.clean

    @property
    def same_but_for_the_end(self) -> bool:
        return self.rough.rstrip(".?!") == self.clean.rstrip(".?!")


def read_inputs(path: Path) -> list[RoughInput]:
    """Reads a TSV file of inputs. Raises ValueError, naming file and line, where a column is missing or blank."""
    inputs = []
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            kind, *texts = line.rstrip("\n").split("\t")
            if len(texts) < 2 or not all(text.strip() for text in (kind, *texts)):
                raise ValueError(f"{path} line {number}: expected what is rough, the input and its clean form, by tabs")
            inputs.append(RoughInput(kind, texts[0], tuple(texts[1:])))
    if not inputs:
        raise ValueError(f"{path} has no inputs")
    return inputs


def compare(translator: Translator, inputs: Sequence[RoughInput], beam: int = 1) -> list[Comparison]:
    """Translates every input and, sentence by sentence, its clean form."""
    texts = [text for given in inputs for text in (given.rough, *given.clean)]
    translations = iter(translator.translate(texts, beam))
    return [
        Comparison(given, next(translations), " ".join(next(translations) for _ in given.clean)) for given in inputs
    ]


def table(compared: Sequence[Comparison]) -> str:
    """How many translations are the same, for every kind of input and in all."""
    kinds = dict.fromkeys(one.input.kind for one in compared)
    groups = {kind: [one for one in compared if one.input.kind == kind] for kind in kinds} | {"all": compared}
    lines = [f"{'what is rough':<20} {'inputs':>6} {'same':>10} {'same but for the end':>22}"]
    for kind, group in groups.items():
        same, nearly = sum(one.same for one in group), sum(one.same_but_for_the_end for one in group)
        shares = f"{same:>4} {same / len(group):>5.0%} {nearly:>16} {nearly / len(group):>5.0%}"
        lines.append(f"{kind:<20} {len(group):>6} {shares}")
    return "\n".join(lines)


def differences(compared: Sequence[Comparison]) -> str:
    """The inputs whose translation is not the same, with both translations."""
    return "\n".join(
        f"\n{one.input.kind}: {one.input.rough}\n  rough: {one.rough}\n  clean: {one.clean}"
        for one in compared
        if not one.same
    )
