"""Runs whose state, log or disk is damaged or full: what is said, and what is still resumed."""

import os
import resource
import shutil
import signal
from pathlib import Path
from zipfile import ZipFile

import pytest
import torch
from cases import sweep
from training import assert_ended_alike, call_at, flags, refusal, state_of
from training import files as files
from training import pairs as pairs
from training import tiny_preset as tiny_preset
from training import whole as whole

from model.train import main
from model.training.log import Log

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
