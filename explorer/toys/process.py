"""A training in a process of its own: the first line of its input is its Assignment, each further line a command.

    python -m explorer.toys.process

It writes one Report per line. If its parent exits, it removes its folder and exits, too.
"""

import os
import shutil
import sys
from contextlib import suppress
from threading import Thread
from typing import IO

from explorer.toys.progress import Report
from explorer.toys.training_loop import Assignment, Command, TrainingLoop

COMMANDS: dict[str, Command] = {"go on": "go on", "stop": "stop", "end": "end"}


def listen(loop: TrainingLoop, lines: IO[str]) -> None:
    """Passes commands on. The end of the input means that the parent has exited."""
    for line in lines:
        loop.commands.set(COMMANDS[line.strip()])
    shutil.rmtree(loop.assignment.folder, ignore_errors=True)
    os._exit(1)


def print_report(report: Report) -> None:
    with suppress(BrokenPipeError):  # nobody is there: `listen` ends this process
        print(report.model_dump_json(), flush=True)


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(5)  # translations come first
    loop = TrainingLoop(Assignment.model_validate_json(sys.stdin.readline()), print_report)
    Thread(target=listen, args=(loop, sys.stdin), daemon=True).start()
    loop.run()
    sys.stdout.flush()
    os._exit(0)  # the other thread waits for lines that do not come


if __name__ == "__main__":
    main()
