"""Interrupting and resuming: a run ends as if it had never stopped, and the same seed gives the same run."""

import itertools
import json
import os
import shlex
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from training import RECIPE, flags, log_of, refusal, state_of
from training import files as files
from training import pairs as pairs
from training import tiny_preset as tiny_preset

from model.data import Batch
from model.tokenizer import Tokenizer
from model.train import main
from model.trainer import Trainer


def assert_ended_alike(run: Path, other: Path) -> None:
    ours, theirs = state_of(run), state_of(other)
    (count, total), (other_count, other_total) = ours["average"], theirs["average"]
    assert count == other_count == RECIPE["average_count"]
    assert all(torch.equal(weight, theirs["model"][name]) for name, weight in ours["model"].items())
    assert all(torch.equal(weight, other_total[name]) for name, weight in total.items())
    assert ours["position"][:4] == theirs["position"][:4]
    assert log_of(run) == log_of(other)
    name = "checkpoint/model.safetensors"
    assert (run / name).read_bytes() == (other / name).read_bytes()


@contextmanager
def unharmed(number: signal.Signals) -> Iterator[None]:
    """A signal that the command fails to catch ends the test, not the whole suite."""
    before = signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(number, before)


def call_at(step: int, action, monkeypatch) -> None:
    """Has Trainer.train_step call `action` at the end of a step."""
    train_step = Trainer.train_step

    def train_step_and_act(trainer: Trainer, batch: Batch) -> object:
        result = train_step(trainer, batch)
        if trainer.step == step:
            action()
        return result

    monkeypatch.setattr(Trainer, "train_step", train_step_and_act)


def test_an_interrupted_run_ends_exactly_as_an_uninterrupted_one(files, tmp_path, monkeypatch):
    main(flags(tmp_path / "whole", dev_steps=4, **files))
    with monkeypatch.context() as patch:
        call_at(3, lambda: os.kill(os.getpid(), signal.SIGINT), patch)
        message = refusal(*flags(tmp_path / "halved", dev_steps=4, **files))
    assert message.endswith(f"python -m model.train --resume --run {tmp_path / 'halved'}")
    assert state_of(tmp_path / "halved")["position"][0] == 3
    main(shlex.split(message.partition("python -m model.train ")[2]))
    assert_ended_alike(tmp_path / "halved", tmp_path / "whole")


def test_an_interrupted_run_on_a_drawn_mix_ends_as_an_uninterrupted_one(files, tmp_path, monkeypatch):
    mix = {"pairs": f"{files['pairs']}=0.6", "dev": files["dev"], "joined": 0.3, "as_typed": 0.3, "steps": 12}
    main(flags(tmp_path / "whole", **mix))
    with monkeypatch.context() as patch:
        call_at(7, lambda: os.kill(os.getpid(), signal.SIGINT), patch)
        refusal(*flags(tmp_path / "halved", **mix))
    assert state_of(tmp_path / "halved")["position"][1] > 0  # in an epoch with another mix than the first
    main(["--resume", "--run", str(tmp_path / "halved")])
    assert_ended_alike(tmp_path / "halved", tmp_path / "whole")


def test_a_state_from_before_there_were_weights_and_joining_resumes(files, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        call_at(3, lambda: os.kill(os.getpid(), signal.SIGINT), patch)
        refusal(*flags(tmp_path, **files))
    state = state_of(tmp_path)
    for name in ("joined", "sampled_sources"):
        del state["config"][name]
    torch.save(state, tmp_path / "state.pt")
    main(["--resume", "--run", str(tmp_path)])
    assert state_of(tmp_path)["position"][0] == RECIPE["steps"]


@pytest.mark.parametrize("step", [2, 5, 7, 8])
def test_a_polite_kill_at_any_step_changes_nothing_in_the_end(files, tmp_path, monkeypatch, step):
    main(flags(tmp_path / "whole", **files))
    with monkeypatch.context() as patch, unharmed(signal.SIGTERM):
        call_at(step, lambda: os.kill(os.getpid(), signal.SIGTERM), patch)
        assert "Interrupted" in refusal(*flags(tmp_path / "halved", **files))
    main(["--resume", "--run", str(tmp_path / "halved")])
    assert_ended_alike(tmp_path / "halved", tmp_path / "whole")


def test_a_killed_run_resumes_from_its_last_state_and_writes_the_log_behind_it_anew(files, tmp_path, monkeypatch):
    run, whole = tmp_path / "killed", tmp_path / "whole"
    main(flags(whole, **files))
    with monkeypatch.context() as patch:
        call_at(5, lambda: shutil.copy(run / "state.pt", tmp_path / "earlier"), patch)
        main(flags(run, save_minutes=0, **files))
    (tmp_path / "earlier").replace(run / "state.pt")
    assert state_of(run)["position"][0] == 4
    main(["--resume", "--run", str(run)])
    assert_ended_alike(run, whole)


def test_a_log_whose_last_line_is_cut_off_does_not_stop_the_resumption(files, tmp_path, monkeypatch):
    run, whole = tmp_path / "cut", tmp_path / "whole"
    main(flags(whole, **files))
    with monkeypatch.context() as patch:
        call_at(5, lambda: os.kill(os.getpid(), signal.SIGINT), patch)
        refusal(*flags(run, **files))
    with (run / "log.jsonl").open("a") as log:
        log.write('{"step": 6, "epo')
    main(["--resume", "--run", str(run)])
    assert_ended_alike(run, whole)


def test_the_speed_after_a_resumption_counts_only_the_pieces_since_then(files, tmp_path, monkeypatch):
    monkeypatch.setattr("model.train.time", SimpleNamespace(monotonic=itertools.count().__next__))  # a second a call
    with monkeypatch.context() as patch:
        call_at(7, lambda: os.kill(os.getpid(), signal.SIGINT), patch)
        refusal(*flags(tmp_path, **files))
    before = state_of(tmp_path)["position"][3]
    main(["--resume", "--run", str(tmp_path)])
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    (speed,) = [line["tokens_per_s"] for line in lines if line["step"] == 8 and "loss" in line]
    assert speed == state_of(tmp_path)["position"][3] - before


def test_resuming_a_finished_run_changes_nothing(files, tmp_path):
    main(flags(tmp_path / "once", **files))
    shutil.copytree(tmp_path / "once", tmp_path / "twice")
    main(["--resume", "--run", str(tmp_path / "twice")])
    assert_ended_alike(tmp_path / "twice", tmp_path / "once")


def test_the_signal_handlers_are_given_back_after_an_interruption(files, tmp_path, monkeypatch):
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    call_at(1, lambda: os.kill(os.getpid(), signal.SIGINT), monkeypatch)
    refusal(*flags(tmp_path, **files))
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_an_interruption_before_the_first_step_promises_nothing(files, tmp_path, monkeypatch):
    def interrupted(*_) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Tokenizer, "train", interrupted)
    message = refusal(*flags(tmp_path, **files))
    assert "Interrupted" in message and "--resume" not in message


def test_there_must_be_something_to_resume(tmp_path):
    assert "nothing to resume" in refusal("--resume", "--run", str(tmp_path / "nowhere"))


def test_a_used_folder_is_refused_and_left_as_it_is(files, tmp_path):
    main(flags(tmp_path, **files))
    before = (tmp_path / "log.jsonl").read_text()
    assert "already holds a run: add --resume" in refusal(*flags(tmp_path, **files))
    assert (tmp_path / "log.jsonl").read_text() == before


def test_the_same_seed_gives_the_same_run_and_another_another(files, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        main(flags(tmp_path / name, seed=seed, **files))
    assert_ended_alike(tmp_path / "a", tmp_path / "b")
    assert log_of(tmp_path / "a") != log_of(tmp_path / "c")
