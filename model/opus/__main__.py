"""Converts a public OPUS-MT model into a checkpoint of this project.

    python -m model.opus Helsinki-NLP/opus-mt-en-fr opus-en-fr
    python -m model.opus Helsinki-NLP/opus-mt-en-ROMANCE opus-en-ro --target ron
    python app.py --model opus-en-fr

The first argument is a repository on the Hugging Face Hub (owner/name or owner/name@revision) or a folder with its
files; `model.opus.marian` says which of them are read. The weights keep all their digits, and files have the same size.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from model import command
from model.checkpoints import checkpoint
from model.languages import parse_languages
from model.opus import marian
from model.opus.origin import LANGUAGES_EXAMPLE


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m model.opus", description="Converts an OPUS-MT model into a checkpoint.")
    parser.add_argument("model", metavar="NAME", help="Hub repository, owner/name[@revision], or a folder of its files")
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="where the checkpoint is written")
    parser.add_argument(
        "--target", default="", metavar="CODE", help='of a model with several: what to translate into, as in ">>fra<<"'
    )
    parser.add_argument(
        "--languages", nargs=2, metavar="CODE:NAME", help=f"what they are called, as {LANGUAGES_EXAMPLE}"
    )
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(arguments)
    with command.exit_on_error("python -m model.opus"):
        folder, origin = marian.fetch(options.model)
        languages = parse_languages(options.languages) if options.languages else None
        conversion = marian.convert(folder, origin, target=options.target, languages=languages)
        checkpoint.save(conversion.translator, options.folder, conversion.precision)
        size = sum(path.stat().st_size for path in checkpoint.checkpoint_files(options.folder))
    source, target = conversion.translator.languages
    print(f"{source.name} to {target.name}: {size / 1e6:,.0f} MB in {options.folder}. To open it:")
    print(f"python app.py --model {options.folder}")


if __name__ == "__main__":
    main()
