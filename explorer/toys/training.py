"""A training as the one who started it has it: its process, what that told so far, and how it ended."""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Literal

from pydantic import ValidationError

from explorer.toys.recipe import ToyConfig
from explorer.toys.report import Report
from explorer.toys.training_loop import Assignment

ROOT = Path(__file__).parents[2]  # where the package `explorer` lies
State = Literal["waiting", "starting", "learning", "stopped", "finished", "failed"]
MOST_REPORTS = 2000  # that are kept; the oldest go


@dataclass(eq=False)
class Training:
    """One of the workshop's; whoever changes it holds the workshop's lock."""

    config: ToyConfig
    visitor: str
    folder: Path  # of the checkpoint, where there is one
    looked: float  # when somebody last looked
    state: State = "waiting"
    process: subprocess.Popen[str] | None = None
    reports: list[Report] = field(default_factory=list)
    status: int | None = None  # of a process that has ended
    stopped: float = 0.0  # when it was last stopped
    ending: bool = False  # its process was ended for others, who needed the memory
    reader: Thread | None = None

    @property
    def is_alive(self) -> bool:
        """Whether it has, or may yet have, a process."""
        return self.state not in ("finished", "failed")

    @property
    def is_running(self) -> bool:
        """Whether it takes time of the processors."""
        return self.state in ("starting", "learning")

    @property
    def is_parked(self) -> bool:
        """Whether it has a process that stands still, and may go on."""
        still = self.state in ("stopped", "waiting") and not self.ending
        return still and self.process is not None and self.status is None

    @property
    def is_saved(self) -> bool:
        return bool(self.reports) and self.reports[-1].saved

    def add(self, report: Report) -> None:
        """Keeps a report; of those before it not what was seen, which is most of them."""
        self.reports[-1:] = [last.model_copy(update={"seen": None}) for last in self.reports[-1:]]
        self.reports.append(report)
        del self.reports[:-MOST_REPORTS]

    def start(self, assignment: Assignment, told: Callable[[Report], None], ended: Callable[[int], None]) -> None:
        """Starts its process; a thread hands on what that tells, and its status once it has ended, whatever happened.

        Raises OSError where there is no room for a process or a thread.
        """
        paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "explorer.toys.process"],  # -P: not what lies in the folder it starts in
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            encoding="utf-8",
            start_new_session=True,  # Ctrl-C is for us, who end it
        )

        def read() -> None:
            assert process.stdout is not None and process.stdin is not None
            try:
                for line in process.stdout:
                    told(Report.model_validate_json(line))
            except (ValidationError, UnicodeDecodeError):
                pass  # cut off as it was killed
            finally:
                process.kill()
                ended(process.wait())
                process.stdout.close()
                with suppress(BrokenPipeError):  # of a line that it did not read
                    process.stdin.close()

        reader = Thread(target=read, name="toy", daemon=True)
        try:
            reader.start()
        except RuntimeError as reason:
            process.kill()
            process.communicate()
            raise OSError(str(reason)) from reason
        self.process, self.reader, self.state = process, reader, "starting"
        self.say(assignment.model_dump_json())

    def say(self, line: str) -> None:
        """A line to its process, unless that has gone."""
        if self.process and self.process.stdin:
            with suppress(BrokenPipeError, ValueError):  # ValueError: closed. Its reader finds out, too
                self.process.stdin.write(f"{line}\n")
                self.process.stdin.flush()
