"""`python -m explorer.site FOLDER`: the page as plain files."""

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.recording.sentence import require_translatable
from explorer.site.site import write
from explorer.ui.language import FIRST, LANGUAGES, LanguageContext, use_language
from model import command
from model.checkpoints import checkpoint

NAME = "python -m explorer.site"
ALL = "both" if len(LANGUAGES) == 2 else "all"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(NAME, description="Writes the page as plain files that any web server can host.")
    parser.add_argument("folder", type=Path, help="an empty folder, a new one, or one that this wrote")
    parser.add_argument(
        "--sentences",
        type=Path,
        metavar="FILE",
        help="a text file with a sentence on each line, instead of our own examples; these open without the model",
    )
    parser.add_argument("--language", choices=[*LANGUAGES, ALL], default=ALL, help="of the page")
    parser.add_argument("--address", metavar="URL", default="", help="where it will be, for previews of links")
    command.add_model(parser)
    command.add_device(parser)
    options = parser.parse_args(arguments)
    languages = [*LANGUAGES] if options.language == ALL else [options.language]
    with command.exit_on_error(NAME):
        folder = checkpoint.locate(options.model)
        translator = command.load(options, folder)
        app = AppContext(Recordings(translator), folder, examples=options.sentences)
        with use_language(LanguageContext(FIRST, translator.languages)):
            require_translatable(options.sentences, translator)
            write(options.folder, app, languages, partial(print, flush=True), options.address)
    sizes = [path.stat().st_size for path in options.folder.rglob("*") if path.is_file()]
    print(f"{options.folder}: {len(sizes)} files, {sum(sizes) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
