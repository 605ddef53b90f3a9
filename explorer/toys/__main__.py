"""Trains a toy here and now, and prints how it goes, so that every figure of docs/experiments.md can be had again.

python -m explorer.toys reverse --layers 2 --heads 2 --save folder
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from pydantic import ValidationError

from explorer.toys import recipe
from explorer.toys.recipe import ToyConfig
from explorer.toys.report import Report
from explorer.toys.tasks import TASKS
from explorer.toys.training_loop import Assignment, TrainingLoop
from model.command import exit_on_error

NAME = "python -m explorer.toys"
GOOD_ACCURACY = 0.95  # of the held-out questions


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(NAME, description="Train a toy on one small task.")
    default = ToyConfig()
    parser.add_argument("task", choices=[*TASKS])
    parser.add_argument("--layers", type=int, default=default.layers, help="1 to 3, in encoder and decoder each")
    parser.add_argument("--heads", type=int, default=default.heads, help="1 to 4, of every attention")
    parser.add_argument("--no-positions", action="store_true", help="the model is not printer where a piece stands")
    parser.add_argument("--seed", type=int, default=default.seed)
    parser.add_argument("--seconds", type=float, default=recipe.MAX_SECONDS, help="of training at the most")
    parser.add_argument("--threads", type=int, default=1, help="1 or 2")
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="where the checkpoint is kept")
    return parser.parse_args(arguments)


def assignment(options: argparse.Namespace, folder: str | Path) -> Assignment:
    """Raises ValueError where the flags ask for what there is not."""
    chosen = {name: getattr(options, name) for name in ("task", "layers", "heads", "seed")}
    try:
        config = ToyConfig(**chosen, positions=not options.no_positions)
        return Assignment(config=config, folder=Path(folder), seconds=options.seconds, threads=options.threads)
    except ValidationError as error:
        wrong = error.errors()[0]
        raise ValueError(f"--{wrong['loc'][-1]}: {wrong['msg']}, not {wrong['input']!r}") from error


class ReportPrinter:
    """Prints reports, and finds the first that is good enough."""

    def __init__(self):
        self.enough: tuple[Report, float] | None = None

    def __call__(self, report: Report) -> None:
        line = f"step {report.step:5}  {report.seconds:6.1f} s  right {report.right:6.1%}"
        print(f"{line}  pieces {report.pieces_right:6.1%}  loss {report.test_loss:.4f}", flush=True)
        if self.enough is None and report.right >= GOOD_ACCURACY:
            self.enough = report, time.process_time()


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    options, printer = parse(arguments), ReportPrinter()
    with exit_on_error(NAME), nullcontext(options.save) if options.save else tempfile.TemporaryDirectory() as folder:
        loop = TrainingLoop(assignment(options, folder), printer)
        began = time.process_time()
        last = loop.run()
    enough = "never"
    if printer.enough:
        report, at = printer.enough
        enough = f"step {report.step}, {report.seconds:.1f} s, {at - began:.1f} s of processor"
    print(f"95 %: {enough}. End: step {last.step}, {last.seconds:.1f} s ({last.why}), {last.right:.1%} right.")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
