"""The command `python -m explorer.report "A sentence" -o report.html`: writes a report or a worksheet as HTML."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from explorer.experiments.experiment import Experiment, experiment_of
from explorer.handout.report import FILE_NAME, report
from explorer.handout.worksheet import worksheet
from explorer.ui.language import FIRST, LANGUAGES, LanguageContext, use_language
from model import command
from model.errors import UserError

NAME = "python -m explorer.report"


def parse_experiment(text: str) -> Experiment:
    try:
        return experiment_of(json.loads(text))
    except (json.JSONDecodeError, UserError) as reason:
        raise argparse.ArgumentTypeError(str(reason)) from reason


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        NAME, description="Writes one translation as an HTML file that needs nothing else."
    )
    parser.add_argument("sentence")
    parser.add_argument("-o", "--output", type=Path, default=Path(FILE_NAME), help=f"the file (default {FILE_NAME})")
    parser.add_argument("--language", choices=[*LANGUAGES], default=FIRST, help="of the file's words")
    parser.add_argument("--experiment", type=parse_experiment, help="JSON, as the endpoint /experiment takes it")
    parser.add_argument("--notes", default="", help="text that stands in the report, and can be changed there")
    parser.add_argument("--worksheet", action="store_true", help="three A4 sides to be printed, instead of a report")
    command.add_model(parser)
    command.add_device(parser)
    options = parser.parse_args(arguments)
    if options.worksheet and (options.experiment or options.notes):
        parser.error("a worksheet has neither an experiment nor notes")
    with command.exit_on_error(NAME):
        sentence = command.decode_argument(options.sentence)
        notes = command.decode_argument(options.notes, "what stands behind --notes")
        translator = command.load(options)
        with use_language(LanguageContext(options.language, translator.languages)):
            if options.worksheet:
                text = worksheet(translator, sentence)
            else:
                text = report(translator, sentence, experiment=options.experiment, notes=notes)
        options.output.write_text(text, encoding="utf-8")
    print(f"{options.output}: {options.output.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
