"""Makes the atlas of a checkpoint: when every neuron fires, and where every head looks.

    python -m explorer.atlas --model runs/mine/checkpoint --pairs pairs.tsv.gz --credit "Tatoeba, CC BY 2.0 FR"

The English sentences come from the pairs, chosen at random; the German is what the model itself writes. Ctrl-C ends the
work, and the same command takes it up again.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from tqdm import tqdm

from explorer.atlas.making import Settings, make_atlas
from model import command
from model.checkpoints import checkpoint
from model.errors import UserError
from model.training.data import read_pairs

NAME = "python -m explorer.atlas"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(NAME, description="Writes the atlas of a checkpoint's neurons and heads.")
    command.add_model(parser)
    parser.add_argument(
        "--pairs", nargs="+", type=Path, required=True, help="TSV or TSV.gz files; of each line, the source is taken"
    )
    usual = Settings()
    parser.add_argument(
        "--sentences",
        type=command.positive_int,
        default=usual.sentences,
        help=f"at most (default {usual.sentences})",
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where it goes (default: beside the checkpoint)")
    parser.add_argument("--seed", type=int, default=usual.seed, help="chooses the sentences and the contexts")
    parser.add_argument(
        "--credit", default="", help="whose sentences they are and under which licence; shown with them"
    )
    command.add_device(parser)
    return parser.parse_args(arguments)


def output_folder(options: argparse.Namespace) -> Path:
    """Where the atlas goes. Raises UserError for a Hub repository without `--out`: its files lie in a shared cache."""
    if options.out is None and not Path(options.model).is_dir():
        raise UserError(f"{options.model} is no local folder: say with --out where the atlas should go")
    return options.out or Path(options.model)


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(arguments)
    command.interrupt_on_sigterm()
    with command.exit_on_error(NAME), ExitStack() as bars:
        try:
            folder, pairs = checkpoint.locate(options.model), read_pairs(options.pairs)
            out, translator = output_folder(options), command.load(options, folder)
            settings = Settings(options.sentences, options.seed, command.decode_argument(options.credit, "--credit"))

            def progress(title: str, total: int) -> Callable[[int], object]:
                return bars.enter_context(tqdm(total=total, desc=title)).update

            written = make_atlas(translator, (pair.src for pair in pairs), out, settings, progress)
        except KeyboardInterrupt:
            bars.close()
            print("Interrupted; the same command goes on from here.", file=sys.stderr)
            sys.exit(130)
    size = sum(path.stat().st_size for path in written)
    print(f"The atlas is in {out}: {len(written)} files, {size / 1e6:.2f} MB.")


if __name__ == "__main__":
    main()
