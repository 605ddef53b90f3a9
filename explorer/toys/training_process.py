"""A training as seen by the parent process: its process, its reports and its state."""

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

from explorer.toys.progress import Report
from explorer.toys.recipe import ToyConfig
from explorer.toys.training_loop import Assignment

ROOT = Path(__file__).parents[2]  # where the package `explorer` lies
State = Literal["waiting", "starting", "learning", "stopped", "finished", "failed"]
MAX_REPORTS = 2000  # that are kept; the oldest go


@dataclass(eq=False)
class Training:
    """A training of the workshop, guarded by the workshop's lock."""

    config: ToyConfig
    visitor: str
    folder: Path  # of the checkpoint, where there is one
    polled_at: float  # time of the last status request
    state: State = "waiting"
    process: subprocess.Popen[str] | None = None
    reports: list[Report] = field(default_factory=list)
    status: int | None = None  # of a process that has ended
    stopped_at: float = 0.0  # time of the last stop
    ending: bool = False  # its process was asked to end, to free memory
    reader: Thread | None = None

    @property
    def is_alive(self) -> bool:
        """Whether it has, or may yet have, a process."""
        return self.state not in ("finished", "failed")

    @property
    def is_running(self) -> bool:
        """Whether it uses processor time."""
        return self.state in ("starting", "learning")

    @property
    def is_parked(self) -> bool:
        """Whether it has a paused process that may resume."""
        still = self.state in ("stopped", "waiting") and not self.ending
        return still and self.process is not None and self.status is None

    @property
    def is_saved(self) -> bool:
        return bool(self.reports) and self.reports[-1].saved

    def add(self, report: Report) -> None:
        """Appends a report, and drops the large `seen` of the previous one."""
        self.reports[-1:] = [last.model_copy(update={"seen": None}) for last in self.reports[-1:]]
        self.reports.append(report)
        del self.reports[:-MAX_REPORTS]

    def start(
        self, assignment: Assignment, on_report: Callable[[Report], None], on_exit: Callable[[int], None]
    ) -> None:
        """Starts the process; a thread calls `on_report` with each report and `on_exit` with the exit status.

        Raises OSError if the machine cannot start a process or a thread.
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
                    on_report(Report.model_validate_json(line))
            except (ValidationError, UnicodeDecodeError):
                pass  # cut off as it was killed
            finally:
                process.kill()
                on_exit(process.wait())
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
        self.send(assignment.model_dump_json())

    def send(self, line: str) -> None:
        """Sends a line to the process, unless it has exited."""
        if self.process and self.process.stdin:
            with suppress(BrokenPipeError, ValueError):  # ValueError: closed. Its reader finds out, too
                self.process.stdin.write(f"{line}\n")
                self.process.stdin.flush()
