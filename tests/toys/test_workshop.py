"""The workshop, which bounds trainings: with processes that only pretend, and with real ones."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from fake_workshop import REPORT, FakeWorkshop

from explorer.toys import training_process
from explorer.toys.recipe import ToyConfig
from explorer.toys.training_loop import Assignment
from explorer.toys.training_process import Training
from explorer.toys.workshop import Limits, Workshop
from explorer.ui.language import LanguageContext, use_language
from explorer.ui.temporary import sweep as sweep_folders
from model.checkpoints import checkpoint
from model.errors import UserError

ROOT = Path(__file__).parents[2]
LONGEST = 120  # seconds that anything may take


def test_one_trains_and_the_others_wait_in_their_turn(pretended):
    workshop = FakeWorkshop(max_running=1)
    one, two, three, four = (workshop.begin(ToyConfig(), visitor) for visitor in "abcd")
    assert [(workshop.status(key).state, workshop.status(key).queue_position) for key in (one, two, three)] == [
        ("starting", 0),
        ("waiting", 0),
        ("waiting", 1),
    ]
    assert workshop.status(two).sentence == "Waiting: this training is next."
    assert workshop.status(three).sentence == "Waiting: 1 other training comes first."
    assert workshop.status(four).sentence == "Waiting: 2 other trainings come first."
    workshop.finish(one)
    assert [workshop.status(key).state for key in (one, two, three)] == ["finished", "starting", "waiting"]


def test_keys_cannot_be_guessed(pretended):
    workshop = FakeWorkshop()
    keys = {workshop.begin(ToyConfig(), str(i)) for i in range(20)}
    assert len(keys) == 20 and min(map(len, keys)) >= 32
    with pytest.raises(UserError, match="no such training"):
        workshop.status("0")


def test_a_visitor_has_one_training_and_may_keep_what_is_finished(pretended):
    workshop = FakeWorkshop()
    done = workshop.begin(ToyConfig(), "a")
    workshop.finish(done)
    first = workshop.begin(ToyConfig(), "a")
    process = workshop.trainings[first].process
    second = workshop.begin(ToyConfig(task="sort"), "a")
    assert process.killed and [*workshop.removal_reasons] == [first]
    with pytest.raises(UserError, match="when you started another"):
        workshop.status(first)
    assert workshop.status(done).saved and workshop.status(second).config.task == "sort"


def test_one_that_stops_lets_another_begin_and_gets_into_line_again(pretended):
    workshop = FakeWorkshop()
    one, two = workshop.begin(ToyConfig(), "a"), workshop.begin(ToyConfig(), "b")
    workshop.report(one)
    workshop.stop(one)
    workshop.report(one, "stopped", number=2)
    assert pretended == ["stop"] and workshop.status(one).saved
    assert [workshop.status(key).state for key in (one, two)] == ["stopped", "starting"]
    workshop.resume(one)
    assert workshop.status(one).state == "waiting"
    workshop.finish(two)
    assert pretended == ["stop", "go on"] and workshop.status(one).state == "learning"


def test_of_too_many_toys_the_one_not_looked_at_for_longest_goes(pretended):
    workshop = FakeWorkshop(max_kept=2)
    keys = []
    for visitor in "abc":
        workshop.now += 1.0
        keys.append(workshop.begin(ToyConfig(), visitor))
        workshop.finish(keys[-1])
        if visitor == "b":
            workshop.now += 1.0
            workshop.status(keys[0])
    folders = [workshop.folder(key) for key in (keys[0], keys[2])]
    assert [*workshop.removal_reasons] == [keys[1]] and all(folder.is_dir() for folder in folders)
    with pytest.raises(UserError, match="others needed its place"):
        workshop.folder(keys[1])
    with use_language(LanguageContext("de")), pytest.raises(UserError, match="weil andere seinen Platz brauchten"):
        workshop.folder(keys[1])
    assert len(list(workshop.root.path.glob("[!.]*"))) == 2


def test_what_nobody_looks_at_is_given_up(pretended):
    workshop = FakeWorkshop(blocking_idle_seconds=60.0, idle_seconds=1800.0)
    done, running = workshop.begin(ToyConfig(), "a"), workshop.begin(ToyConfig(), "b")
    workshop.finish(done)
    process = workshop.trainings[running].process
    workshop.now = 61.0
    workshop.status(done)
    assert not process.killed  # nobody waits
    waiting = workshop.begin(ToyConfig(), "c")
    workshop.status(waiting)
    assert process.killed and [*workshop.removal_reasons] == [running] and workshop.status(waiting).state == "starting"
    workshop.now = 1900.0
    with pytest.raises(UserError, match="nobody looked"):
        workshop.status(done)


def test_what_is_early_or_late_is_refused(pretended):
    workshop = FakeWorkshop()
    key = workshop.begin(ToyConfig(), "a")
    with pytest.raises(UserError, match="nothing to open yet"):
        workshop.folder(key)
    workshop.finish(key, "time")
    assert workshop.status(key).sentence.startswith("The time is over") and " 50%" in workshop.status(key).sentence
    workshop.leave(key)
    workshop.leave(key)
    with pytest.raises(UserError, match="given up"):
        workshop.status(key)


def test_a_process_that_was_killed_is_told_of_and_the_next_begins(pretended):
    workshop = FakeWorkshop()
    killed, following = workshop.begin(ToyConfig(), "a"), workshop.begin(ToyConfig(), "b")
    workshop.on_exit(killed, workshop.trainings[killed], -9)
    status = workshop.status(killed)
    assert status.state == "failed" and "status -9" in status.sentence and not status.saved
    assert workshop.status(following).state == "starting"


# What follows has real processes.


def until(condition):
    """What it gives, as soon as it gives something."""
    end = time.monotonic() + LONGEST
    while not (found := condition()):
        assert time.monotonic() < end, "nothing has come"
        time.sleep(0.05)
    return found


def seen(workshop: Workshop, key: str, state: str):
    """The first status that finds it in that state."""
    return until(lambda: status if (status := workshop.status(key)).state == state else None)


@pytest.fixture
def workshop():
    workshop = Workshop(Limits(threads=1))
    yield workshop
    workshop.close()
    assert not workshop.root or not workshop.root.path.exists()


SMALL = ToyConfig(task="copy", layers=1, heads=1)


def test_a_process_learns_stops_goes_on_and_ends(workshop):
    key = workshop.begin(SMALL, "a")
    first = seen(workshop, key, "learning").reports[-1]
    assert first.seen and first.seen.weights["cross"]
    workshop.stop(key)
    stopped = seen(workshop, key, "stopped")
    assert checkpoint.load(workshop.folder(key)).translate(["1 2 3"]) and "updates" in stopped.sentence
    workshop.resume(key)
    later = until(lambda: workshop.status(key, since=stopped.number).reports)
    assert later[-1].step > stopped.reports[-1].step and stopped.reports[0].seen is None
    workshop.trainings[key].send("end")
    last = seen(workshop, key, "finished")
    record = checkpoint.load(workshop.folder(key)).record
    assert last.reports[-1].why == "ended" and record["steps"] == last.reports[-1].step
    until(lambda: workshop.trainings[key].status == 0)


OWNER = """
import signal, sys, tempfile, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background
tempfile.tempdir = sys.argv[1]
from explorer.toys.workshop import Workshop, Limits
from explorer.toys.recipe import ToyConfig
workshop = Workshop(Limits(threads=1))
key = workshop.begin(ToyConfig(layers=1, heads=1), "a")
for verb, state in ((lambda _: None, "learning"), (workshop.stop, "stopped")):
    verb(key)
    while workshop.status(key).state != state:
        time.sleep(0.05)
print(workshop.trainings[key].process.pid, workshop.folder(key), flush=True)
time.sleep(600)
"""


@pytest.mark.thorough
@pytest.mark.parametrize("number", ["SIGKILL", "SIGINT"])
def test_where_its_owner_ends_nothing_is_left(tmp_path, number):
    command = [sys.executable, "-c", OWNER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        pid, folder = process.stdout.readline().split()
        assert Path(folder).is_dir() and is_running(int(pid))
        os.kill(process.pid, signal.Signals[number])
    until(lambda: not Path(folder).exists())
    until(lambda: not is_running(int(pid)) or is_zombie(int(pid)))
    sweep_folders()
    assert not Path(folder).parent.exists()


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def is_zombie(pid: int) -> bool:
    """Whether it has ended, and its new parent has not asked for its status yet."""
    told = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return not told.stdout.strip() or told.stdout.startswith("Z")


def test_who_is_refused_keeps_what_he_has(pretended):
    workshop = FakeWorkshop(max_waiting=1)
    mine = workshop.begin(ToyConfig(), "a")
    workshop.report(mine, "stopped")
    workshop.begin(ToyConfig(), "b")
    third = workshop.begin(ToyConfig(), "c")
    with pytest.raises(UserError, match="queue is full"):
        workshop.begin(ToyConfig(), "a")
    assert workshop.status(mine).saved
    assert workshop.status(workshop.begin(ToyConfig(), "c")).state == "waiting"  # in the place of his own
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
    workshop.status(keys[0])  # looking is no reason to stay
    assert pretended == []
    keys.append(stopped(workshop, "c"))
    assert pretended == ["end"] and [workshop.trainings[key].ending for key in keys] == [True, False, False]
    keys.append(stopped(workshop, "d"))
    assert [workshop.trainings[key].ending for key in keys] == [True, True, False, False]
    workshop.finish(keys[0], "ended")
    assert workshop.status(keys[0]).saved and "others needed its memory" in workshop.status(keys[0]).sentence


def test_one_that_is_to_go_on_is_not_ended_for_others(pretended):
    workshop = FakeWorkshop(max_parked=1)
    first = stopped(workshop, "a")
    running = workshop.begin(ToyConfig(), "b")
    workshop.resume(first)
    assert workshop.status(first).state == "waiting"
    workshop.report(running, "stopped")
    assert workshop.status(first).state == "learning" and pretended == ["end", "go on"]
    assert workshop.trainings[running].ending and not workshop.trainings[first].ending


def test_where_the_machine_has_no_room_for_a_process_it_says_so_and_the_next_may_begin(monkeypatch):
    def full(*arguments, **options):
        raise OSError(12, "Cannot allocate memory")

    workshop = FakeWorkshop()
    with monkeypatch.context() as patch:
        patch.setattr(training_process.subprocess, "Popen", full)
        key = workshop.begin(ToyConfig(), "a")
    assert workshop.status(key).state == "failed" and "no room for another process" in workshop.status(key).sentence
    monkeypatch.setattr(Training, "start", lambda self, *_: setattr(self, "state", "starting"))
    assert workshop.status(workshop.begin(ToyConfig(), "a")).state == "starting"


class Begun:
    """A training whose process is a script of the shell, and what was heard of it."""

    def __init__(self, folder: Path, script: str, monkeypatch: pytest.MonkeyPatch):
        real = subprocess.Popen
        self.processes: list[subprocess.Popen[str]] = []

        def popen(command, **options):
            self.processes.append(real(["sh", "-c", script], cwd=folder, **options))
            return self.processes[-1]

        monkeypatch.setattr(training_process.subprocess, "Popen", popen)
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
def test_the_end_is_heard_of_though_whoever_is_told_breaks_down(tmp_path, monkeypatch):
    def told(report):
        raise OSError("no room")

    broken = []
    monkeypatch.setattr(threading, "excepthook", lambda given: broken.append(given.exc_type))
    begun = Begun(tmp_path, "cat report; exec sleep 600", monkeypatch)
    begun.start(told)
    assert begun.until_it_ended() == [-9] and broken == [OSError]
