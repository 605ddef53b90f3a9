"""Which heads align words, and how much attention falls on no word (see `model.evaluation.alignment`).

python -m model.alignment --pairs train.tsv.gz --dev dev.tsv.gz [--model NAME]
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from model import command
from model.evaluation.alignment import agreement_table, learn_aligner, measure, shares_table
from model.training.data import encode_pairs, read_pairs


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m model.alignment", description="How well heads align words, and what attention falls on no word."
    )
    parser.add_argument("--pairs", nargs="+", type=Path, required=True, help="training pairs, to learn a lexicon from")
    parser.add_argument("--dev", nargs="+", type=Path, required=True, help="pairs to look at: TSV or TSV.gz files")
    command.add_model(parser)
    command.add_device(parser)
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(arguments)
    with command.exit_on_error("python -m model.alignment"):
        translator = command.load(options)
        tokenizer, longest = translator.tokenizer, translator.model.config.max_len
        training, dev = (
            encode_pairs(read_pairs(paths), tokenizer, longest, tidy=translator.tidy)
            for paths in (options.pairs, options.dev)
        )
        if not training or not dev:
            raise ValueError("no pair has words on both sides and fits into the model")
        total, by_kind = measure(translator, learn_aligner(training, tokenizer), dev)
        if not total.links:
            raise ValueError("the training pairs link no word of the dev pairs")
    print(f"{len(dev):,} dev pairs, a lexicon of {len(training):,} training pairs\n")
    print(f"{agreement_table(total)}\n\n{shares_table(by_kind)}")


if __name__ == "__main__":
    main()
