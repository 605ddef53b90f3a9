"""Compares translations of carelessly typed sentences with those of clean ones (see `model.evaluation.robustness`).

python -m model.robustness [--model NAME] [--beam 5] [--inputs FILE.tsv]
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from model import command
from model.evaluation.robustness import SHIPPED_INPUTS, compare, differences, read_inputs, table


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m model.robustness", description="Compares the translations of carelessly typed and clean sentences."
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
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(arguments)
    with command.exit_on_error("python -m model.robustness"):
        inputs = read_inputs(options.inputs)
        comparisons = compare(command.load(options), inputs, options.beam)
    print(table(comparisons))
    print(differences(comparisons))


if __name__ == "__main__":
    main()
