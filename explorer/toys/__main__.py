"""Trains a toy model in this process and prints its progress; reproduces the figures of docs/experiments.md.

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
from explorer.toys.progress import Report
from explorer.toys.recipe import ToyConfig
from explorer.toys.tasks import TASKS
from explorer.toys.training_loop import Assignment, TrainingLoop
from model.command import exit_on_error, interrupt_on_sigterm
from model.errors import UserError

NAME = "python -m explorer.toys"
GOOD_ACCURACY = 0.95  # of the held-out pairs


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(NAME, description="Train a toy on one small task.")
    default = ToyConfig()
    parser.add_argument("task", choices=[*TASKS])
    parser.add_argument("--layers", type=int, default=default.layers, help="1 to 3, in encoder and decoder each")
    parser.add_argument("--heads", type=int, default=default.heads, help="1 to 4, of every attention")
    parser.add_argument("--no-positions", action="store_true", help="the model gets no positional encodings")
    parser.add_argument("--seed", type=int, default=default.seed)
    parser.add_argument("--seconds", type=float, default=recipe.MAX_SECONDS, help="maximum training time")
    parser.add_argument("--threads", type=int, default=1, help="1 or 2")
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="folder for the checkpoint")
    return parser.parse_args(arguments)


def parse_assignment(options: argparse.Namespace, folder: str | Path) -> Assignment:
    """The assignment that the flags describe. Raises UserError if a flag is out of range."""
    values = {name: getattr(options, name) for name in ("task", "layers", "heads", "seed")}
    try:
        config = ToyConfig(**values, positions=not options.no_positions)
        return Assignment(config=config, folder=Path(folder), seconds=options.seconds, threads=options.threads)
    except ValidationError as error:
        first = error.errors()[0]
        raise UserError(f"--{first['loc'][-1]}: {first['msg']}, not {first['input']!r}") from error


class ReportPrinter:
    """Prints reports, and remembers the first with GOOD_ACCURACY and the processor time at that moment."""

    def __init__(self):
        self.first_good: tuple[Report, float] | None = None

    def __call__(self, report: Report) -> None:
        line = f"step {report.step:5}  {report.seconds:6.1f} s  right {report.right:6.1%}"
        print(f"{line}  tokens {report.pieces_right:6.1%}  loss {report.test_loss:.4f}", flush=True)
        if self.first_good is None and report.right >= GOOD_ACCURACY:
            self.first_good = report, time.process_time()


def main(arguments: Sequence[str] | None = None) -> None:
    options, printer = parse(arguments), ReportPrinter()
    interrupt_on_sigterm()
    with exit_on_error(NAME), nullcontext(options.save) if options.save else tempfile.TemporaryDirectory() as folder:
        loop = TrainingLoop(parse_assignment(options, folder), printer)
        started_at = time.process_time()
        last = loop.run()
    good = "never"
    if printer.first_good:
        report, reached_at = printer.first_good
        good = f"step {report.step}, {report.seconds:.1f} s, {reached_at - started_at:.1f} s of processor"
    print(f"95 %: {good}. End: step {last.step}, {last.seconds:.1f} s ({last.why}), {last.right:.1%} right.")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
