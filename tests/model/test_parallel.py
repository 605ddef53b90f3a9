"""Training by two processes, which torchrun starts: the same losses as by one, and a way on when one of them dies."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tiny_training import files as files
from tiny_training import flags, log_of, state_of
from tiny_training import pairs as pairs
from tiny_training import tiny_preset as tiny_preset

from model.train import main

ROOT = Path(__file__).parents[2]
TORCHRUN = [sys.executable, "-m", "torch.distributed.run"]
STEPS = {"steps": 24, "dev_steps": 8, "dropout": 0}


def torchrun(*words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    return subprocess.run([*TORCHRUN, *words], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)


def by_two(*words: str, rank: int = 0, step: int = 0, number: str = "SIGTERM") -> subprocess.CompletedProcess[str]:
    """The command with the tiny preset, by two processes; at the end of `step` one of them gets a signal."""
    plan = (str(rank), str(step), number)
    return torchrun("--standalone", "--nproc-per-node", "2", "--", "tests/tiny_run.py", *plan, *words)


def assert_same_losses(run: Path, other: Path) -> None:
    ours, theirs = log_of(run), log_of(other)
    assert [line["step"] for line in ours] == [line["step"] for line in theirs]
    for line, expected in zip(ours, theirs, strict=True):
        assert line == pytest.approx(expected, abs=1e-3)


@pytest.fixture(scope="module")
def alone(tiny_preset, files, tmp_path_factory) -> Path:
    """The same run by one process."""
    folder = tmp_path_factory.mktemp("alone")
    main(flags(folder, **STEPS, **files))
    return folder


@pytest.mark.thorough
def test_two_processes_have_the_losses_of_one(files, tmp_path, alone):
    run = tmp_path / "two"
    ended = by_two(*flags(run, **STEPS, **files))
    assert ended.returncode == 0, ended.stderr
    assert_same_losses(run, alone)


@pytest.mark.thorough
@pytest.mark.parametrize("rank", [0, 1])
def test_a_killed_worker_ends_the_run_with_a_sentence_and_resume_continues(files, tmp_path, alone, rank):
    run = tmp_path / "two"
    # The state is saved after every step, so that the one before the kill is there.
    words = flags(run, save_minutes=1e-9, **STEPS, **files)
    ended = by_two(*words, rank=rank, step=11, number="SIGKILL")
    assert ended.returncode != 0
    assert f"process {1 - rank} of 2: PyTorch cannot go on" in ended.stderr
    assert re.search(rf"rank +: {rank} ", ended.stderr)
    (command,) = re.findall(r"Continue with: torchrun (.*)", ended.stderr)
    assert state_of(run)["position"][0] == 10
    continued = torchrun(*shlex.split(command))
    assert continued.returncode == 0, continued.stderr
    assert_same_losses(run, alone)


@pytest.mark.thorough
def test_a_polite_kill_of_one_process_stops_all_after_the_same_step(files, tmp_path):
    run, ended = tmp_path, by_two(*flags(tmp_path, **STEPS, **files), rank=1, step=5)
    assert ended.returncode != 0
    assert "Interrupted and saved. Continue with: torchrun" in ended.stderr
    assert state_of(run)["position"][0] == 5
