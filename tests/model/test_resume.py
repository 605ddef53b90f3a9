"""Interrupting and resuming: a run ends as if it had never stopped, or says what is damaged, full, or in the way."""

import itertools
import json
import os
import resource
import shlex
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zipfile import ZipFile

import pytest
import torch
from cases import sweep
from tiny_training import assert_ended_alike, call_at, flags, log_of, refusal, state_of
from tiny_training import files as files
from tiny_training import pairs as pairs
from tiny_training import tiny_preset as tiny_preset
from tiny_training import whole as whole

from model.checkpoints import checkpoint
from model.languages import ENGLISH_TO_GERMAN, languages_of
from model.tokenizer import Tokenizer
from model.train import main
from model.training.log import Log


@contextmanager
def unharmed(number: signal.Signals) -> Iterator[None]:
    """A signal that the command fails to catch ends the test, not the whole suite."""
    before = signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(number, before)


def test_an_interrupted_run_on_a_drawn_mix_ends_as_an_uninterrupted_one(files, tmp_path, monkeypatch):
    mix = {"pairs": f"{files['pairs']}=0.6", "dev": files["dev"], "joined": 0.3, "as_typed": 0.3}
    mix |= {"sampling": 0.2, "steps": 12}
    main(flags(tmp_path / "whole", **mix))
    with monkeypatch.context() as patch:
        call_at(7, lambda: os.kill(os.getpid(), signal.SIGINT), patch)
        refusal(*flags(tmp_path / "halved", **mix))
    assert state_of(tmp_path / "halved")["position"][1] > 0  # in an epoch with another mix than the first
    main(["--resume", "--run", str(tmp_path / "halved")])
    assert_ended_alike(tmp_path / "halved", tmp_path / "whole")


def test_a_state_from_before_there_were_languages_and_processes_ends_as_it_would_have(
    files, whole, tmp_path, monkeypatch
):
    with monkeypatch.context() as patch:
        call_at(3, lambda: os.kill(os.getpid(), signal.SIGINT), patch)
        refusal(*flags(tmp_path, **files))
    state = state_of(tmp_path)
    for name in ("joined", "sampled_sources", "languages", "tidying"):
        del state["config"][name]
    (process,) = state.pop("processes")
    del state["before"]
    torch.save({**state, **process}, tmp_path / "state.pt")
    main(["--resume", "--run", str(tmp_path)])
    assert_ended_alike(tmp_path, whole)
    record = checkpoint.load(tmp_path / "checkpoint").record
    assert languages_of(record) == ENGLISH_TO_GERMAN and record["tidying"] == "en"


def test_the_layout_of_a_state_is_that_of_the_runs_which_are_under_way(whole):
    state = state_of(whole)
    names = ("config", "sizes", "model", "optimizer", "average", "position", "processes", "before")
    assert tuple(state) == names
    assert [*map(type, state["position"])] == [int, int, int, int, float]
    assert [process.keys() for process in state["processes"]] == [{"rng", "window"}]


STOPS = [("SIGINT", 3), ("SIGTERM", 5), ("SIGTERM", 2), ("SIGTERM", 7), ("SIGTERM", 8)]


@pytest.mark.parametrize("stop", sweep(STOPS, *STOPS[:2]), ids=str)
def test_an_interrupted_run_ends_exactly_as_an_uninterrupted_one(files, whole, tmp_path, monkeypatch, stop):
    (name, step), run = stop, tmp_path / "halved"
    number = signal.Signals[name]
    with monkeypatch.context() as patch, unharmed(number):
        call_at(step, lambda: os.kill(os.getpid(), number), patch)
        message = refusal(*flags(run, **files))
        assert signal.getsignal(number) == signal.default_int_handler  # as before
    assert message.endswith(f"Interrupted and saved. Continue with: python -m model.train --resume --run {run}")
    assert state_of(run)["position"][0] == step
    main(shlex.split(message.partition("python -m model.train ")[2]))
    assert_ended_alike(run, whole)


def test_a_killed_run_resumes_from_its_last_state_and_writes_the_log_behind_it_anew(
    files, whole, tmp_path, monkeypatch
):
    run = tmp_path / "killed"
    with monkeypatch.context() as patch:
        call_at(5, lambda: shutil.copy(run / "state.pt", tmp_path / "earlier"), patch)
        main(flags(run, save_minutes=0, **files))
    (tmp_path / "earlier").replace(run / "state.pt")
    assert state_of(run)["position"][0] == 4
    main(["--resume", "--run", str(run)])
    assert_ended_alike(run, whole)


def test_the_speed_after_a_resumption_counts_only_the_pieces_since_then(files, tmp_path, monkeypatch):
    clock = itertools.count().__next__  # a second goes by with every look at it
    with monkeypatch.context() as patch:
        call_at(7, lambda: os.kill(os.getpid(), signal.SIGINT), patch)
        with pytest.raises(SystemExit):
            main(flags(tmp_path, **files), clock)
    before = state_of(tmp_path)["position"][3]
    main(["--resume", "--run", str(tmp_path)], clock)
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    (speed,) = [line["tokens_per_s"] for line in lines if line["step"] == 8 and "loss" in line]
    assert speed == state_of(tmp_path)["position"][3] - before


def test_resuming_a_finished_run_changes_nothing(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "twice")
    main(["--resume", "--run", str(tmp_path / "twice")])
    assert_ended_alike(tmp_path / "twice", whole)


def test_an_interruption_before_the_first_step_promises_nothing(files, tmp_path, monkeypatch):
    def interrupted(*_) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Tokenizer, "train", interrupted)
    message = refusal(*flags(tmp_path, **files))
    assert "Interrupted" in message and "--resume" not in message


def test_there_must_be_something_to_resume(tmp_path):
    assert "nothing to resume" in refusal("--resume", "--run", str(tmp_path / "nowhere"))


def test_a_used_folder_is_refused_and_left_as_it_is(files, whole):
    before = (whole / "log.jsonl").read_text()
    assert "already holds a run: add --resume" in refusal(*flags(whole, **files))
    assert (whole / "log.jsonl").read_text() == before


def test_another_seed_gives_another_run(files, whole, tmp_path):
    main(flags(tmp_path, seed=1, **files))
    assert log_of(tmp_path) != log_of(whole)


def test_a_run_of_two_processes_cannot_be_continued_by_one(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "run")
    state = state_of(whole)
    torch.save({**state, "processes": 2 * state["processes"]}, tmp_path / "run" / "state.pt")
    message = refusal("--resume", "--run", str(tmp_path / "run"))
    assert "has 2 processes and cannot be continued with 1; torchrun" in message and "--resume" in message


STATES = {
    "half": lambda state: state.write_bytes(state.read_bytes()[: state.stat().st_size // 2]),
    "pickle": lambda state: state.write_bytes(b"cos\nsystem\n(S'exit 1'\ntR."),
    "another": lambda state: torch.save({"weights": torch.ones(2)}, state),
    "sizes": lambda state: torch.save({**torch.load(state, weights_only=True), "sizes": {"n_layers": 0}}, state),
    "position": lambda state: torch.save({**torch.load(state, weights_only=True), "position": (1,) * 6}, state),
}


@pytest.mark.parametrize("kind", sweep(STATES, "half", "pickle", "sizes"))
def test_a_state_that_cannot_be_read_is_named_with_the_ways_that_there_are(whole, tmp_path, kind):
    run = tmp_path / "run"
    shutil.copytree(whole, run)
    shutil.copytree(whole / "checkpoint", run / "moments" / "0000007")
    shutil.copytree(whole / "checkpoint", run / "moments" / "0000009")
    (run / "moments" / "0000009" / "training.json").unlink()  # a kill came in between: it would not load
    (run / "state.pt").write_bytes((whole / "state.pt").read_bytes())
    STATES[kind](run / "state.pt")
    message = refusal("--resume", "--run", str(run))
    assert message.startswith(f"python -m model.train: {run / 'state.pt'} is damaged, or no state of a run (")
    assert f"--start {run / 'moments' / '0000007'} begins a new run" in message and "--run" in message
    assert "\n" not in message


def test_a_flipped_bit_of_a_state_is_noticed(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "run")
    data = bytearray((whole / "state.pt").read_bytes())
    with ZipFile(whole / "state.pt") as archive:  # between its parts there is padding
        part = archive.read(max(archive.infolist(), key=lambda info: info.file_size))
    data[data.index(part) + len(part) // 2] ^= 1
    (tmp_path / "run" / "state.pt").write_bytes(data)
    assert "state.pt is damaged" in refusal("--resume", "--run", str(tmp_path / "run"))


TAILS = [b'{"step": 6, "epo', b"\0" * 300, b'{"step": "6"}\n\n']


@pytest.mark.parametrize("tail", sweep(TAILS, TAILS[0]))
def test_a_damaged_last_line_of_the_log_is_cut_off(files, whole, tmp_path, monkeypatch, tail):
    run = tmp_path / "cut"
    with monkeypatch.context() as patch:
        call_at(5, lambda: os.kill(os.getpid(), signal.SIGINT), patch)
        refusal(*flags(run, **files))
    with (run / "log.jsonl").open("ab") as log:
        log.write(tail)
    main(["--resume", "--run", str(run)])
    assert_ended_alike(run, whole)


def test_a_damaged_line_within_the_log_is_named_with_what_to_do(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "run")
    lines = (whole / "log.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "run" / "log.jsonl").write_bytes(b"".join([lines[0], b"\0\0\0\n", *lines[1:]]))
    message = refusal("--resume", "--run", str(tmp_path / "run"))
    assert message.endswith("log.jsonl line 2 is no line of a log: delete it, and --resume goes on without it")
    assert (tmp_path / "run" / "log.jsonl").read_bytes().count(b"\n") == len(lines) + 1


def test_a_disk_that_is_full_while_a_state_is_saved_costs_nothing_but_the_time_since_the_last(
    files, whole, tmp_path, monkeypatch
):
    run = tmp_path / "full"
    with monkeypatch.context() as patch:
        call_at(3, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY)), patch)
        try:
            message = refusal(*flags(run, save_minutes=1e-9, **files))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert f"{run / 'state.pt'} cannot be saved" in message and "allow larger files" in message
    assert message.endswith(f"Continue with: python -m model.train --resume --run {run}")
    assert not list(run.glob("*.tmp")) and state_of(run)["position"][0] == 2
    main(["--resume", "--run", str(run)])
    assert_ended_alike(run, whole)


def test_a_log_that_cannot_be_written_says_what_to_do(files, tmp_path, monkeypatch):
    write = Log.write

    def write_to_a_full_disk(log: Log, **figures: float) -> None:
        log.path = Path("/dev/full")
        write(log, **figures)

    monkeypatch.setattr(Log, "write", write_to_a_full_disk)
    message = refusal(*flags(tmp_path, **files))
    assert "/dev/full cannot be saved (No space left on device)" in message and "free some space" in message


def test_a_run_that_cannot_have_a_folder_says_so_before_it_learns(files, tmp_path):
    (tmp_path / "file").write_bytes(b"")
    message = refusal(*flags(tmp_path / "file" / "run", **files))
    assert "a file is where a folder should be: choose another folder" in message


def test_a_complete_run_says_so_and_which_flags_do_nothing(files, whole, tmp_path, capsys):
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
    before = state_of(tmp_path)
    main(["--resume", "--run", str(tmp_path), "--steps", "100", "--dropout", "0.3"])
    said = capsys.readouterr().out
    assert "without --dropout, --steps." in said
    assert f"The run in {tmp_path} is complete, after 8 steps" in said and "--start" in said
    assert state_of(tmp_path)["position"] == before["position"]


def test_a_run_that_lacks_memory_says_what_to_make_smaller(files, tmp_path, monkeypatch):
    def full() -> None:
        raise RuntimeError("[enforce fail at alloc_cpu.cpp:121] . DefaultCPUAllocator: can't allocate memory: 9 GB\nat")

    call_at(2, full, monkeypatch)
    assert "there is not enough memory: give smaller --batch-tokens" in refusal(*flags(tmp_path, **files))
