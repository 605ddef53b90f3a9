"""Trainings whose processes only pretend."""

from explorer.toys.progress import Report
from explorer.toys.workshop import Limits, Workshop

FIGURES = {"step": 20, "seconds": 1.0, "examples": 9, "loss": 1.0, "test_loss": 2.0, "right": 0.5, "pieces_right": 0.9}
REPORT = Report(number=1, state="learning", seen=None, **FIGURES)


class Process:
    """What a training believes to be its process."""

    killed = False

    def kill(self):
        self.killed = True


class FakeWorkshop(Workshop):
    """A workshop whose processes say what the test has them say."""

    def __init__(self, **limits):
        self.now = 0.0
        super().__init__(Limits(**limits), clock=lambda: self.now)

    def report(self, key: str, state="learning", **more):
        told = {**REPORT.model_dump(), "state": state, "saved": state != "learning", **more}
        self.on_report(key, self.trainings[key], Report.model_validate(told))

    def finish(self, key: str, why="reached", number=9):
        self.report(key, "finished", number=number, why=why)
        self.on_exit(key, self.trainings[key], 0)
