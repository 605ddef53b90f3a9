"""Trainings whose processes only pretend."""

from explorer.toys.report import Report
from explorer.toys.workshop import Limits, Workshop


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

    def report(self, key: str, state="learning", number=1, right=0.5, **more):
        saved = state != "learning"
        figures = {"step": 20, "seconds": 1.0, "examples": 9, "loss": 1.0, "test_loss": 1.0, "pieces_right": 0.9}
        report = Report(number=number, state=state, right=right, saved=saved, seen=None, **figures, **more)
        self.on_report(key, self.trainings[key], report)

    def finish(self, key: str, why="reached", number=9):
        self.report(key, "finished", number=number, why=why)
        self.on_exit(key, self.trainings[key], 0)
