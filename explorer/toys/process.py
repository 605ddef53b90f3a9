"""A training in a process of its own: the first line it reads is its Assignment, each further one a wish.

    python -m explorer.toys.process

It writes a Report a line. It ends where the one who started it is gone, and takes its folder with it then.
"""

import os
import shutil
import sys
from contextlib import suppress
from threading import Thread
from typing import IO

from explorer.toys.report import Report
from explorer.toys.training_loop import Assignment, TrainingLoop, Wish

WISHES: dict[str, Wish] = {"go on": "go on", "stop": "stop", "end": "end"}


def listen(lesson: TrainingLoop, lines: IO[str]) -> None:
    """Hands wishes on. The end of the lines means that nobody is there any more."""
    for line in lines:
        lesson.wishes.say(WISHES[line.strip()])
    shutil.rmtree(lesson.given.folder, ignore_errors=True)
    os._exit(1)


def tell(report: Report) -> None:
    with suppress(BrokenPipeError):  # nobody is there: `listen` ends this process
        print(report.model_dump_json(), flush=True)


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(5)  # translations come first
    lesson = TrainingLoop(Assignment.model_validate_json(sys.stdin.readline()), tell)
    Thread(target=listen, args=(lesson, sys.stdin), daemon=True).start()
    lesson.run()
    sys.stdout.flush()
    os._exit(0)  # the other thread waits for lines that do not come


if __name__ == "__main__":
    main()
