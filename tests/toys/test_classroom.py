"""The bounded registry of trainings: with processes that only pretend, and with real ones."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import pytest
from pretending import Room

from explorer.shared.language import Voice, speaking
from explorer.toys import folders
from explorer.toys.classroom import Classroom, Limits
from explorer.toys.recipe import ToyConfig
from model import checkpoint

ROOT = Path(__file__).parents[2]
LONGEST = 120  # seconds that anything may take


def test_one_trains_and_the_others_wait_in_their_turn(pretended):
    room = Room(most_running=1)
    one, two, three, four = (room.begin(ToyConfig(), visitor) for visitor in "abcd")
    assert [(room.look(key).state, room.look(key).ahead) for key in (one, two, three)] == [
        ("starting", 0),
        ("waiting", 0),
        ("waiting", 1),
    ]
    assert room.look(two).sentence == "Waiting: this is the next training to begin."
    assert room.look(three).sentence == "Waiting: 1 other training comes first."
    assert room.look(four).sentence == "Waiting: 2 other trainings come first."
    room.finish(one)
    assert [room.look(key).state for key in (one, two, three)] == ["finished", "starting", "waiting"]


def test_keys_cannot_be_guessed(pretended):
    room = Room()
    keys = {room.begin(ToyConfig(), str(i)) for i in range(20)}
    assert len(keys) == 20 and min(map(len, keys)) >= 32
    with pytest.raises(ValueError, match="no such training"):
        room.look("0")


def test_a_visitor_has_one_training_and_may_keep_what_is_finished(pretended):
    room = Room()
    done = room.begin(ToyConfig(), "a")
    room.finish(done)
    first = room.begin(ToyConfig(), "a")
    process = room.trainings[first].process
    second = room.begin(ToyConfig(task="sort"), "a")
    assert process.killed and room.lost == [first]
    with pytest.raises(ValueError, match="when you began another"):
        room.look(first)
    assert room.look(done).saved and room.look(second).config.task == "sort"


def test_whoever_loads_the_page_anew_still_has_one_training(pretended):
    room = Room()
    before = room.begin(ToyConfig(), "a")
    following = room.begin(ToyConfig(), "a, loaded anew", before=before)
    assert room.lost == [before]
    room.finish(following)
    room.begin(ToyConfig(), "a, loaded anew", before=following)
    assert room.lost == [before] and room.look(following).saved  # what is finished is kept


def test_who_hears_of_what_is_gone_does_not_hold_the_others_up(pretended):
    room, free = Room(), []

    def ask():
        free.append(room.lock.acquire(blocking=False))
        if free[-1]:
            room.lock.release()

    def gone(key):
        asked = Thread(target=ask)
        asked.start()
        asked.join()

    room.gone = gone
    key = room.begin(ToyConfig(), "a")
    room.leave(key)
    room.begin(ToyConfig(), "b")
    room.now = 10_000.0
    with pytest.raises(ValueError, match="given up"):
        room.look(key)
    assert free == [True, True]


def test_where_too_many_wait_nobody_else_is_taken(pretended):
    room = Room(most_waiting=2)
    for visitor in "abc":
        room.begin(ToyConfig(), visitor)
    with pytest.raises(ValueError, match="as there is room for"):
        room.begin(ToyConfig(), "d")


def test_one_that_stops_lets_another_begin_and_gets_into_line_again(pretended):
    room = Room()
    one, two = room.begin(ToyConfig(), "a"), room.begin(ToyConfig(), "b")
    room.report(one)
    room.stop(one)
    room.report(one, "stopped", number=2)
    assert pretended == ["stop"] and room.look(one).saved
    assert [room.look(key).state for key in (one, two)] == ["stopped", "starting"]
    room.go_on(one)
    assert room.look(one).state == "waiting"
    room.finish(two)
    assert pretended == ["stop", "go on"] and room.look(one).state == "learning"


def test_of_too_many_toys_the_one_not_looked_at_for_longest_goes(pretended):
    room = Room(most_kept=2)
    keys = []
    for visitor in "abc":
        room.now += 1.0
        keys.append(room.begin(ToyConfig(), visitor))
        room.finish(keys[-1])
        if visitor == "b":
            room.now += 1.0
            room.look(keys[0])
    folders = [room.folder(key) for key in (keys[0], keys[2])]
    assert room.lost == [keys[1]] and all(folder.is_dir() for folder in folders)
    with pytest.raises(ValueError, match="others needed its place"):
        room.folder(keys[1])
    with speaking(Voice("de")), pytest.raises(ValueError, match="weil andere seinen Platz brauchten"):
        room.folder(keys[1])
    assert len(list(room.root.iterdir())) == 2


def test_what_nobody_looks_at_is_given_up(pretended):
    room = Room(unseen=60.0, kept=1800.0)
    done, running = room.begin(ToyConfig(), "a"), room.begin(ToyConfig(), "b")
    room.finish(done)
    process = room.trainings[running].process
    room.now = 61.0
    room.look(done)
    assert not process.killed  # nobody waits
    waiting = room.begin(ToyConfig(), "c")
    room.look(waiting)
    assert process.killed and room.lost == [running] and room.look(waiting).state == "starting"
    room.now = 1900.0
    with pytest.raises(ValueError, match="nobody looked"):
        room.look(done)


def test_only_what_is_new_is_told_and_only_the_newest_can_be_seen(pretended):
    room = Room()
    key = room.begin(ToyConfig(), "a")
    assert (room.look(key).number, room.look(key).reports) == (0, ())
    for number in (1, 2, 3):
        room.report(key, number=number)
    assert [report.number for report in room.look(key, since=1).reports] == [2, 3]
    assert room.look(key, since=3).reports == () and room.look(key, since=3).number == 3


def test_what_is_early_or_late_is_refused(pretended):
    room = Room()
    key = room.begin(ToyConfig(), "a")
    with pytest.raises(ValueError, match="nothing to open yet"):
        room.folder(key)
    room.finish(key, "time")
    assert room.look(key).sentence.startswith("The time is over") and " 50 %" in room.look(key).sentence
    room.leave(key)
    room.leave(key)
    with pytest.raises(ValueError, match="given up"):
        room.look(key)


def test_one_that_is_over_stays_so_whatever_was_asked_of_it_meanwhile(pretended):
    room = Room()
    key = room.begin(ToyConfig(), "a")
    room.finish(key)
    for verb in (room.stop, room.go_on):
        verb(key)
        assert room.look(key).state == "finished" and room.look(key).saved
    assert pretended == []


def test_limits_are_limits():
    with pytest.raises(ValueError, match="most_running must be at least 1, not 0"):
        Limits(most_running=0)


# What follows has real processes.


def until(condition):
    """What it gives, as soon as it gives something."""
    end = time.monotonic() + LONGEST
    while not (found := condition()):
        assert time.monotonic() < end, "nothing has come"
        time.sleep(0.05)
    return found


def seen(room: Classroom, key: str, state: str):
    """The first look that finds it in that state."""
    return until(lambda: look if (look := room.look(key)).state == state else None)


@pytest.fixture
def room():
    room = Classroom(Limits(threads=1))
    yield room
    room.close()
    assert not room.root or not room.root.exists()


SMALL = ToyConfig(task="copy", layers=1, heads=1)


def test_a_process_learns_stops_goes_on_and_ends(room):
    key = room.begin(SMALL, "a")
    first = seen(room, key, "learning").reports[-1]
    assert first.seen and first.seen.weights["cross"]
    room.stop(key)
    stopped = seen(room, key, "stopped")
    assert checkpoint.load(room.folder(key)).translate(["1 2 3"]) and "updates" in stopped.sentence
    room.go_on(key)
    later = until(lambda: room.look(key, since=stopped.number).reports)
    assert later[-1].step > stopped.reports[-1].step and stopped.reports[0].seen is None
    room.trainings[key].say("end")
    last = seen(room, key, "finished")
    record = checkpoint.load(room.folder(key)).record
    assert last.reports[-1].why == "ended" and record["steps"] == last.reports[-1].step
    until(lambda: room.trainings[key].status == 0)


def test_a_process_that_is_killed_is_told_of_and_the_next_begins(room):
    killed, following = room.begin(SMALL, "a"), room.begin(SMALL, "b")
    seen(room, killed, "learning")
    room.trainings[killed].process.kill()
    look = seen(room, killed, "failed")
    assert "status -9" in look.sentence and not look.saved
    assert seen(room, following, "learning").reports


def test_where_its_owner_is_killed_nothing_is_left(tmp_path):
    owner = f"""
import os, tempfile, time
tempfile.tempdir = {str(tmp_path)!r}
from explorer.toys.classroom import Classroom, Limits
from explorer.toys.recipe import ToyConfig
room = Classroom(Limits(threads=1))
key = room.begin(ToyConfig(layers=1, heads=1), "a")
while room.look(key).state != "learning":
    time.sleep(0.05)
room.stop(key)
while room.look(key).state != "stopped":
    time.sleep(0.05)
print(room.trainings[key].process.pid, room.folder(key), flush=True)
time.sleep(600)
"""
    with subprocess.Popen([sys.executable, "-c", owner], stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        pid, folder = process.stdout.readline().split()
        assert Path(folder).is_dir() and folders.is_running(int(pid))
        process.kill()
    until(lambda: not Path(folder).exists())
    until(lambda: not folders.is_running(int(pid)) or is_zombie(int(pid)))
    folders.sweep()
    assert not Path(folder).parent.exists()


def is_zombie(pid: int) -> bool:
    """Whether it has ended, and its new parent has not asked for its status yet."""
    told = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return not told.stdout.strip() or told.stdout.startswith("Z")


def test_what_the_end_of_the_program_leaves_is_nothing_though_it_was_interrupted(tmp_path):
    owner = f"""
import signal, tempfile, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background
tempfile.tempdir = {str(tmp_path)!r}
from explorer.toys.classroom import Classroom, Limits
from explorer.toys.recipe import ToyConfig
room = Classroom(Limits(threads=1))
key = room.begin(ToyConfig(layers=1, heads=1), "a")
print(room.trainings[key].process.pid, flush=True)
time.sleep(600)
"""
    with subprocess.Popen([sys.executable, "-c", owner], stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        pid = int(process.stdout.readline())
        os.kill(process.pid, signal.SIGINT)
        process.wait(LONGEST)
    until(lambda: not folders.is_running(pid) or is_zombie(pid))
    assert list(tmp_path.iterdir()) == []


def test_folders_of_programs_that_run_are_left_alone(tmp_path):
    root = folders.make_root()
    other = tmp_path / f"{folders.PREFIX}{os.getppid()}-x"
    other.mkdir()
    folders.sweep()
    assert other.is_dir() and root.parent == tmp_path
    assert not root.exists()  # of this number, and there before we have one: of a program that had it before us
