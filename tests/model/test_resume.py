"""Interrupting and resuming: a run ends as if it had never stopped, and the same seed gives the same run."""

import itertools
import json
import os
import shlex
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import torch
from cases import sweep
from kills import trial
from training import assert_ended_alike, call_at, flags, log_of, refusal, state_of
from training import files as files
from training import pairs as pairs
from training import tiny_preset as tiny_preset
from training import whole as whole

from model.checkpoints import checkpoint
from model.languages import ENGLISH_TO_GERMAN, languages_of
from model.tokenizer import Tokenizer
from model.train import main


@contextmanager
def unharmed(number: signal.Signals) -> Iterator[None]:
    """A signal that the command fails to catch ends the test, not the whole suite."""
    before = signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(number, before)


def test_an_interrupted_run_ends_exactly_as_an_uninterrupted_one(files, whole, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        call_at(3, lambda: os.kill(os.getpid(), signal.SIGINT), patch)
        message = refusal(*flags(tmp_path / "halved", **files))
    assert message.endswith(f"python -m model.train --resume --run {tmp_path / 'halved'}")
    assert state_of(tmp_path / "halved")["position"][0] == 3
    main(shlex.split(message.partition("python -m model.train ")[2]))
    assert_ended_alike(tmp_path / "halved", whole)


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
    (own,) = state.pop("processes")
    del state["before"]
    torch.save({**state, **own}, tmp_path / "state.pt")
    main(["--resume", "--run", str(tmp_path)])
    assert_ended_alike(tmp_path, whole)
    record = checkpoint.load(tmp_path / "checkpoint").record
    assert languages_of(record) == ENGLISH_TO_GERMAN and record["tidying"] == "en"


def test_the_layout_of_a_state_is_that_of_the_runs_which_are_under_way(whole):
    state = state_of(whole)
    names = ("config", "sizes", "model", "optimizer", "average", "position", "processes", "before")
    assert tuple(state) == names
    assert [*map(type, state["position"])] == [int, int, int, int, float]
    assert [own.keys() for own in state["processes"]] == [{"rng", "window"}]


@pytest.mark.parametrize("step", sweep([2, 5, 7, 8], 5))
def test_a_polite_kill_at_any_step_changes_nothing_in_the_end(files, whole, tmp_path, monkeypatch, step):
    with monkeypatch.context() as patch, unharmed(signal.SIGTERM):
        call_at(step, lambda: os.kill(os.getpid(), signal.SIGTERM), patch)
        assert "Interrupted" in refusal(*flags(tmp_path / "halved", **files))
    main(["--resume", "--run", str(tmp_path / "halved")])
    assert_ended_alike(tmp_path / "halved", whole)


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


def test_a_used_folder_is_refused_and_left_as_it_is(files, whole):
    before = (whole / "log.jsonl").read_text()
    assert "already holds a run: add --resume" in refusal(*flags(whole, **files))
    assert (whole / "log.jsonl").read_text() == before


def test_the_same_seed_gives_the_same_run_and_another_another(files, whole, tmp_path):
    for name, seed in (("again", 0), ("other", 1)):
        main(flags(tmp_path / name, seed=seed, **files))
    assert_ended_alike(tmp_path / "again", whole)
    assert log_of(tmp_path / "other") != log_of(whole)


@pytest.mark.thorough
def test_a_run_killed_twice_ends_bit_for_bit_as_one_without_kills(tmp_path):
    assert trial(tmp_path, kills=2, steps=40, seed=3, longest=0.1) == []
