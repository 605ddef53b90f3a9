"""What a workshop holds to, whatever happens: places, processes, and that each end is heard of."""

import os
import subprocess
import threading
import time
from pathlib import Path

import pytest
from cases import each_case
from fake_workshop import FakeWorkshop

from explorer.toys import training as trainings
from explorer.toys.recipe import ToyConfig
from explorer.toys.report import Report
from explorer.toys.training import Training
from explorer.toys.training_loop import Assignment

LONGEST = 60  # seconds that anything may take
REPORT = Report(
    number=1,
    state="learning",
    step=20,
    seconds=1.0,
    examples=9,
    loss=1.0,
    test_loss=1.0,
    right=0.5,
    pieces_right=0.9,
    saved=False,
    seen=None,
)


def test_whoever_closes_begins_nothing(pretended):
    workshop = FakeWorkshop()
    for visitor in "abc":
        workshop.begin(ToyConfig(), visitor)
    all_of_them = [*workshop.trainings.values()]
    workshop.close()
    assert [training.process is None for training in all_of_them] == [False, True, True]


def test_who_is_refused_keeps_what_he_has(pretended):
    workshop = FakeWorkshop(max_waiting=1)
    mine = workshop.begin(ToyConfig(), "a")
    workshop.report(mine, "stopped")
    workshop.begin(ToyConfig(), "b")
    third = workshop.begin(ToyConfig(), "c")
    with pytest.raises(ValueError, match="as there is room for"):
        workshop.begin(ToyConfig(), "a")
    assert workshop.look(mine).saved
    assert workshop.look(workshop.begin(ToyConfig(), "c")).state == "waiting"  # in the place of his own
    assert third in workshop.removal_reasons


def stopped(workshop: FakeWorkshop, visitor: str) -> str:
    """The key of a training that has begun and then stopped."""
    key = workshop.begin(ToyConfig(), visitor)
    workshop.now += 1.0
    workshop.report(key, "stopped")
    return key


def test_of_too_many_processes_that_stand_still_the_one_that_was_stopped_first_ends(pretended):
    workshop = FakeWorkshop(max_parked=2)
    keys = [stopped(workshop, visitor) for visitor in "ab"]
    workshop.look(keys[0])  # looking is no reason to stay
    assert pretended == []
    keys.append(stopped(workshop, "c"))
    assert pretended == ["end"] and [workshop.trainings[key].ending for key in keys] == [True, False, False]
    keys.append(stopped(workshop, "d"))
    assert [workshop.trainings[key].ending for key in keys] == [True, True, False, False]
    workshop.finish(keys[0], "ended")
    assert workshop.look(keys[0]).saved and "others needed its memory" in workshop.look(keys[0]).sentence


def test_one_that_is_to_go_on_is_not_ended_for_others(pretended):
    workshop = FakeWorkshop(max_parked=1)
    first = stopped(workshop, "a")
    running = workshop.begin(ToyConfig(), "b")
    workshop.resume(first)
    assert workshop.look(first).state == "waiting"
    workshop.report(running, "stopped")
    assert workshop.look(first).state == "learning" and pretended == ["end", "go on"]
    assert workshop.trainings[running].ending and not workshop.trainings[first].ending


def test_where_the_machine_has_no_room_for_a_process_it_says_so_and_the_next_may_begin(monkeypatch):
    def full(*arguments, **options):
        raise OSError(12, "Cannot allocate memory")

    workshop = FakeWorkshop()
    with monkeypatch.context() as patch:
        patch.setattr(trainings.subprocess, "Popen", full)
        key = workshop.begin(ToyConfig(), "a")
    assert workshop.look(key).state == "failed" and "no room for another process" in workshop.look(key).sentence
    monkeypatch.setattr(Training, "start", lambda self, *_: setattr(self, "state", "starting"))
    assert workshop.look(workshop.begin(ToyConfig(), "a")).state == "starting"


class Begun:
    """A training whose process is a script of the shell, and what was heard of it."""

    def __init__(self, folder: Path, script: str, monkeypatch: pytest.MonkeyPatch):
        real = subprocess.Popen
        self.processes: list[subprocess.Popen[str]] = []

        def popen(command, **options):
            self.processes.append(real(["sh", "-c", script], cwd=folder, **options))
            return self.processes[-1]

        monkeypatch.setattr(trainings.subprocess, "Popen", popen)
        self.folder, self.reports, self.statuses = folder, [], []
        (folder / "report").write_text(f"{REPORT.model_dump_json()}\n")
        self.training = Training(ToyConfig(), "a", folder, 0.0)

    def start(self, told=None):
        assignment = Assignment(config=ToyConfig(), folder=self.folder)
        self.training.start(assignment, told or self.reports.append, self.statuses.append)

    def until_it_ended(self):
        assert self.training.reader is not None
        self.training.reader.join(LONGEST)
        return self.statuses


POSIX = pytest.mark.skipif(os.name == "nt", reason="scripts of the shell")
DEAF = "read line; exec 0<&-; cat report; until test -e over; do sleep 0.05; done; exit 3"


@POSIX
def test_the_end_of_a_process_that_no_longer_listens_is_heard_of(tmp_path, monkeypatch):
    begun = Begun(tmp_path, DEAF, monkeypatch)
    begun.start()
    end = time.monotonic() + LONGEST
    while not begun.reports:
        assert time.monotonic() < end, "no report has come"
        time.sleep(0.01)
    begun.training.send("stop")  # stays in the pipe's buffer, and breaks it once more as it is closed
    (tmp_path / "over").touch()
    assert begun.until_it_ended() == [3]
    begun.training.send("go on")  # to nobody


@POSIX
@each_case("script", [r"printf '\342\226'; exit 4", "printf '{\"number\"'; exit 4"])
def test_the_end_of_one_that_is_cut_off_in_a_word_is_heard_of(tmp_path, monkeypatch, script):
    begun = Begun(tmp_path, script, monkeypatch)
    begun.start()
    assert len(begun.until_it_ended()) == 1 and begun.reports == []


@POSIX
def test_the_end_is_heard_of_though_whoever_is_told_breaks_down(tmp_path, monkeypatch):
    def told(report):
        raise OSError("no room")

    broken = []
    monkeypatch.setattr(threading, "excepthook", lambda given: broken.append(given.exc_type))
    begun = Begun(tmp_path, "cat report; exec sleep 600", monkeypatch)
    begun.start(told)
    assert begun.until_it_ended() == [-9] and broken == [OSError]


@POSIX
def test_where_there_is_no_room_for_a_thread_no_process_is_left(tmp_path, monkeypatch):
    class NoThread(threading.Thread):
        def start(self):
            raise RuntimeError("can't start new thread")

    monkeypatch.setattr(trainings, "Thread", NoThread)
    begun = Begun(tmp_path, "exec sleep 600", monkeypatch)
    with pytest.raises(OSError, match="new thread"):
        begun.start()
    assert begun.processes[0].returncode == -9 and begun.training.process is None and begun.training.reader is None
