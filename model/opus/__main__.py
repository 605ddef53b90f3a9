"""Converts a public OPUS-MT model into a checkpoint of this project, and a checkpoint into a model like those.

    python -m model.opus Helsinki-NLP/opus-mt-en-fr opus-en-fr
    python -m model.opus Helsinki-NLP/opus-mt-en-ROMANCE opus-en-ro --target ron
    python app.py --model opus-en-fr
    python -m model.opus --export FOLDER [--model NAME]

The first argument is a repository on the Hugging Face Hub (owner/name or owner/name@revision) or a folder with its
files; `model.opus.marian` says which of them are read. The weights keep all their digits, and files have the same size.

`--export` writes a checkpoint for the transformers package (`model.opus.export`), and says what is lost.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from model import command
from model.checkpoints import checkpoint
from model.errors import UserError
from model.files import write_together
from model.languages import parse_languages
from model.opus import export, marian
from model.opus.origin import LANGUAGES_EXAMPLE


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m model.opus", description="Converts an OPUS-MT model into a checkpoint, or a checkpoint into one."
    )
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="Hub repository, owner/name[@revision], or a folder of its files"
    )
    parser.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, help="where the checkpoint is written")
    parser.add_argument(
        "--target", default="", metavar="CODE", help='of a model with several: what to translate into, as in ">>fra<<"'
    )
    parser.add_argument(
        "--languages", nargs=2, metavar="CODE:NAME", help=f"what they are called, as {LANGUAGES_EXAMPLE}"
    )
    parser.add_argument("--export", metavar="FOLDER", type=Path, help="write --model for the transformers package")
    command.add_model(parser)
    options = parser.parse_args(arguments)
    imports = (options.name, options.folder, options.target, options.languages)
    if options.export and any(imports):
        parser.error("--export takes --model, and nothing else")
    if not options.export and (options.folder is None or options.model != checkpoint.SHIPPED):
        parser.error("either NAME and FOLDER, or --export FOLDER [--model NAME]")
    return options


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(arguments)
    with command.exit_on_error("python -m model.opus"):
        if options.export:
            export_model(options.model, options.export)
        else:
            import_model(options)


def export_model(name: str, folder: Path) -> None:
    """Writes a checkpoint for transformers and says what is lost. Raises UserError if Marian has no such model."""
    translator = checkpoint.load(name)
    if (folder / marian.CONFIG).exists() and marian.published_type(folder) != "marian":
        raise UserError(f"{folder} holds another model: choose a folder of its own")
    files = [*export.contents(translator)]
    write_together(folder, files)
    print(f"{sum(len(data) for _, data in files) / 1e6:,.0f} MB in {folder}. What is not in it:")
    print("\n".join(f"- {sentence}" for sentence in export.losses(translator)))
    print("To open it, with transformers:")
    print(f'MarianMTModel.from_pretrained("{folder}"), MarianTokenizer.from_pretrained("{folder}")')


def import_model(options: argparse.Namespace) -> None:
    """Writes an OPUS-MT model as a checkpoint. Raises UserError or CheckpointError if it cannot be converted."""
    folder, origin = marian.fetch(options.name)
    languages = parse_languages(options.languages) if options.languages else None
    conversion = marian.convert(folder, origin, target=options.target, languages=languages)
    checkpoint.save(conversion.translator, options.folder, conversion.precision)
    size = sum(path.stat().st_size for path in checkpoint.checkpoint_files(options.folder))
    source, target = conversion.translator.languages
    print(f"{source.name} to {target.name}: {size / 1e6:,.0f} MB in {options.folder}. To open it:")
    print(f"python app.py --model {options.folder}")


if __name__ == "__main__":
    main()
