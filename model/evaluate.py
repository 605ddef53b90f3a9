"""Translation quality on held-out pairs (see `model.evaluation.scores`).

    python -m model.evaluate --pairs test.tsv.gz [--model NAME] [--write]

Only `--write` puts the scores into the checkpoint's record and model card.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from model import command
from model.checkpoints import checkpoint

try:
    from model.evaluation.scores import format_comparison, print_score, read_translatable, score
except ModuleNotFoundError as error:
    if error.name != "sacrebleu":
        raise
    sys.exit('Evaluation needs sacrebleu: pip install -e ".[train]"')


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m model.evaluate", description="BLEU and chrF on held-out pairs.")
    parser.add_argument("--pairs", nargs="+", type=Path, required=True, help="TSV or TSV.gz files: source, tab, target")
    command.add_model(parser)
    parser.add_argument("--beams", nargs="+", type=command.beam_size, default=[1, 5], help="beam sizes; 1 is greedy")
    command.add_device(parser)
    parser.add_argument("--write", action="store_true", help="put the scores into the checkpoint's record and card")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(arguments)
    scores = []
    with command.exit_on_error("python -m model.evaluate"):
        if options.write:
            command.require_folder(options.model)
        translator = command.load(options)
        for path, pairs in [(path, read_translatable(path, translator)) for path in options.pairs]:
            for beam in options.beams:
                scores.append(score(translator, path.name, pairs, beam))
                print_score(scores[-1])
            if len(options.beams) > 1:
                print(f"  {format_comparison(scores[-len(options.beams) :])}", flush=True)
        if options.write:
            checkpoint.save_record({**translator.record, "scores": scores}, Path(options.model))


if __name__ == "__main__":
    main()
