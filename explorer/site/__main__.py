"""`python -m explorer.site FOLDER --sentences sentences.txt`: the page as plain files."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.site.site import MAX_SENTENCES, sentences_of, with_lessons, write
from explorer.ui.language import FIRST, LANGUAGES, LanguageContext, use_language
from model import command
from model.checkpoints import checkpoint
from model.hardware import pick_device

NAME = "python -m explorer.site"
ALL = "both" if len(LANGUAGES) == 2 else "all"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(NAME, description="Writes the page as plain files that any web server can host.")
    parser.add_argument("folder", type=Path, help="an empty folder, a new one, or one that this wrote")
    parser.add_argument(
        "--sentences",
        type=Path,
        required=True,
        help=f"a text file with a sentence on each line, at most {MAX_SENTENCES}",
    )
    parser.add_argument("--language", choices=[*LANGUAGES, ALL], default=ALL, help="of the page")
    command.add_model(parser)
    command.add_device(parser)
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(arguments)
    languages = [*LANGUAGES] if options.language == ALL else [options.language]
    with command.exit_on_error(NAME):
        folder = checkpoint.locate(options.model)
        translator = checkpoint.load(folder, pick_device(options.device))
        app = AppContext(Recordings(translator), folder)
        with use_language(LanguageContext(FIRST, translator.languages)):
            sentences = with_lessons(sentences_of(options.sentences, translator), app)
            write(options.folder, app, sentences, languages)
    sizes = [path.stat().st_size for path in options.folder.rglob("*") if path.is_file()]
    print(f"{options.folder}: {len(sentences)} sentences, {len(sizes)} files, {sum(sizes) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
