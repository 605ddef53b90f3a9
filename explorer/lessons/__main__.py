"""The command `python -m explorer.lessons`: whether lessons are true of a checkpoint."""

import argparse
import sys
from pathlib import Path

from explorer.experiments.laboratory import Laboratory
from explorer.lessons.lesson import lessons_in
from explorer.lessons.running import Finding, findings, shipped
from explorer.recording.recordings import Recordings
from model import command
from model.checkpoints.card import markdown_table


def report(found: list[Finding]) -> str:
    """All findings as a table, those that do not hold marked."""
    rows = [
        [finding.lesson, str(finding.step), "yes" if finding.holds else "NO", finding.claim, finding.found]
        for finding in found
    ]
    return markdown_table(["lesson", "step", "holds", "claim", "found"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m explorer.lessons", description="Check what lessons claim.")
    parser.add_argument("folder", nargs="?", type=Path, help="of lessons, NAME.yaml (default: those of the repository)")
    command.add_model(parser)
    command.add_device(parser)
    options = parser.parse_args()
    with command.exit_on_error("explorer.lessons"):
        lessons = lessons_in(options.folder) if options.folder else shipped()
        translator = command.load(options)
    found = list(findings(lessons, Laboratory(Recordings(translator))))
    print(report(found))
    wrong = sum(not finding.holds for finding in found)
    print(f"\n{len(found)} checks in {len(lessons)} lessons, {wrong} of them do not hold.")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
