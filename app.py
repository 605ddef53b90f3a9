"""Starts the attention explorer: python app.py; --help lists what can be chosen."""

import argparse
import os
from pathlib import Path

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

from explorer.experiments.laboratory import Laboratory
from explorer.lessons.running import require_true
from explorer.page.launch import launch
from explorer.page.ui import create_ui
from explorer.recording.opened import Opened
from explorer.recording.recordings import Recordings
from explorer.recording.sentence import require_translatable
from explorer.serving.desk import Desk
from explorer.shared.language import FIRST, LANGUAGES, Voice, speaking
from model import checkpoint, command
from model.hardware import pick_device


def main() -> None:
    parser = argparse.ArgumentParser(description="Look inside a Transformer while it translates.")
    command.add_model(parser)
    command.add_device(parser)
    parser.add_argument("--host", help="address to listen on (default: GRADIO_SERVER_NAME or 127.0.0.1)")
    parser.add_argument(
        "--port", type=int, help="port to listen on (default: GRADIO_SERVER_PORT or the first free from 7860)"
    )
    parser.add_argument(
        "--language",
        choices=[*LANGUAGES],
        help="of the page, where a visitor asks for none (default: his browser's)",
    )
    parser.add_argument("--examples", type=Path, metavar="FILE", help="sentences to click, as in assets/examples.json")
    parser.add_argument("--lessons", type=Path, metavar="FOLDER", help="lessons NAME.yaml, checked at the start")
    options = parser.parse_args()
    with command.refusing("app.py"):
        folder = checkpoint.locate(options.model)
        translator = checkpoint.load(folder, pick_device(options.device))
        with speaking(Voice(FIRST, translator.languages)):
            require_translatable(options.examples, translator)
            if options.lessons:
                require_true(options.lessons, Laboratory(Recordings(translator)))
    opened = Opened(Recordings(translator), folder, examples=options.examples, lessons=options.lessons)
    launch(create_ui(opened), Desk(opened), host=options.host, port=options.port, language=options.language)


if __name__ == "__main__":
    main()
