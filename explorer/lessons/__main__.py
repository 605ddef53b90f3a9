"""The command `python -m explorer.lessons`: runs the checks of lessons against a checkpoint."""

import argparse
import sys
from pathlib import Path

from explorer.experiments.laboratory import Laboratory
from explorer.lessons.lesson import read_lessons
from explorer.lessons.running import CheckOutcome, run_checks, shipped_lessons
from explorer.recording.recordings import Recordings
from model import command
from model.checkpoints.card import markdown_table


def format_outcomes(outcomes: list[CheckOutcome]) -> str:
    """All outcomes as a Markdown table."""
    rows = [
        [outcome.lesson, str(outcome.step), "yes" if outcome.holds else "NO", outcome.claim, outcome.actual]
        for outcome in outcomes
    ]
    return markdown_table(["lesson", "step", "holds", "claim", "found"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m explorer.lessons", description="Check what lessons claim.")
    parser.add_argument("folder", nargs="?", type=Path, help="folder of lessons, NAME.yaml (default: the shipped ones)")
    command.add_model(parser)
    command.add_device(parser)
    options = parser.parse_args()
    with command.exit_on_error("explorer.lessons"):
        lessons = read_lessons(options.folder) if options.folder else shipped_lessons()
        translator = command.load(options)
    outcomes = list(run_checks(lessons, Laboratory(Recordings(translator))))
    print(format_outcomes(outcomes))
    wrong = sum(not outcome.holds for outcome in outcomes)
    print(f"\n{len(outcomes)} checks in {len(lessons)} lessons, {wrong} of them do not hold.")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
