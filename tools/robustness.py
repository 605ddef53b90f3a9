"""Whether carelessly typed sentences get the same translations as their clean forms.

    python -m tools.robustness [--model NAME] [--beam 5] [--inputs FILE.tsv]

The shipped inputs were written for this test. A line has the kind of carelessness, the rough input and its clean form,
separated by tabs. An input of several sentences has a column for the clean form of each, and their translations are
joined with blanks.

*The same* means identical text. The mark at the end of a translation mostly follows that of its source, so a second
count ignores full stops, question and exclamation marks at the end. Neither says that a translation is right.
"""

import argparse
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from model import command
from model.decoding import Translator
from model.errors import UserError
from tools.sentence_lists import group_by_kind, read_rows

SHIPPED_INPUTS = Path(str(files("assets") / "rough-inputs.tsv"))


class RoughInput(NamedTuple):
    """A carelessly typed input, and its clean form."""

    kind: str  # of carelessness
    rough: str
    clean: tuple[str, ...]  # its sentences


class Comparison(NamedTuple):
    """The translations of a rough input and of its clean form."""

    input: RoughInput
    rough: str
    clean: str

    @property
    def same(self) -> bool:
        """Whether the translations are identical."""
        return self.rough == self.clean

    @property
    def same_but_for_the_end(self) -> bool:
        """Whether they are, without final marks."""
        return self.rough.rstrip(".?!") == self.clean.rstrip(".?!")


def read_inputs(path: Path) -> list[RoughInput]:
    """Reads a TSV file of inputs. Raises UserError, naming file and line, if a column is missing or blank."""
    inputs = []
    for place, (kind, *texts) in read_rows(path):
        if len(texts) < 2 or not all(text.strip() for text in (kind, *texts)):
            raise UserError(f"{place}: expected what is rough, the input and its clean form, by tabs")
        inputs.append(RoughInput(kind, texts[0], tuple(texts[1:])))
    if not inputs:
        raise UserError(f"{path} has no inputs")
    return inputs


def compare(translator: Translator, inputs: Sequence[RoughInput], beam: int = 1) -> list[Comparison]:
    """Translates every input and, sentence by sentence, its clean form."""
    texts = [text for item in inputs for text in (item.rough, *item.clean)]
    translations = iter(translator.translate(texts, beam))
    return [Comparison(item, next(translations), " ".join(next(translations) for _ in item.clean)) for item in inputs]


def table(comparisons: Sequence[Comparison]) -> str:
    """How many translations are the same, for every kind of input and in all."""
    lines = [f"{'what is rough':<20} {'inputs':>6} {'same':>10} {'same but for the end':>22}"]
    for kind, group in group_by_kind(comparisons, lambda comparison: comparison.input.kind).items():
        same, nearly = sum(item.same for item in group), sum(item.same_but_for_the_end for item in group)
        shares = f"{same:>4} {same / len(group):>5.0%} {nearly:>16} {nearly / len(group):>5.0%}"
        lines.append(f"{kind:<20} {len(group):>6} {shares}")
    return "\n".join(lines)


def differences(comparisons: Sequence[Comparison]) -> str:
    """The inputs whose translations differ, with both translations."""
    return "\n".join(
        f"\n{item.input.kind}: {item.input.rough}\n  rough: {item.rough}\n  clean: {item.clean}"
        for item in comparisons
        if not item.same
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        "python -m tools.robustness", description="Compares the translations of carelessly typed and clean sentences."
    )
    command.add_model(parser)
    parser.add_argument(
        "--inputs",
        type=Path,
        default=SHIPPED_INPUTS,
        help="TSV file: what is rough, the input, its clean form in a column for every sentence",
    )
    command.add_beam(parser)
    command.add_device(parser)
    options = parser.parse_args(arguments)
    with command.exit_on_error("python -m tools.robustness"):
        inputs = read_inputs(options.inputs)
        comparisons = compare(command.load(options), inputs, options.beam)
    print(table(comparisons))
    print(differences(comparisons))


if __name__ == "__main__":
    main()
