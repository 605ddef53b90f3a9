"""Translations on a GPU that a Space lends; a stand-in for the package `spaces` records what is asked of it."""

import pickle
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import gradio as gr
import numpy as np
import pytest
from cases import each_case

import app
from explorer.recording.trace import record_batch
from explorer.server import start, zero_gpu

SENTENCES = ["The cat sleeps.", "She reads the book to the children."]
WITH = {zero_gpu.VARIABLE: "true"}


class Lender:
    """Does what the package does: arguments and results are pickled on their way to and from another process."""

    def __init__(self, fault: Exception | None = None):
        self.fault, self.seconds, self.calls, self.sizes = fault, [], [], []

    def GPU(self, duration: int) -> Callable[..., Any]:
        self.seconds.append(duration)

        def decorated(task: Callable[..., Any]) -> Callable[..., Any]:
            def elsewhere(*given: Any) -> Any:
                self.calls.append(given)
                if self.fault:
                    raise self.fault
                answer = pickle.dumps(task(*pickle.loads(pickle.dumps(given))))
                self.sizes.append(len(answer))
                return pickle.loads(answer)

            return elsewhere

        return decorated


@pytest.fixture(autouse=True)
def no_gpu_needed(monkeypatch):
    monkeypatch.setattr(zero_gpu, "DEVICE", "cpu")


def test_a_batch_is_one_short_call_of_small_things_and_comes_back_as_it_would_be_here(toy):
    spaces = Lender()
    found = zero_gpu.on_zero_gpu(toy, spaces)(toy, tuple(SENTENCES), (5, 9))
    assert spaces.seconds == [zero_gpu.CALL_SECONDS] and spaces.calls == [(SENTENCES, [5, 9])]
    assert spaces.sizes[0] < 2 * sum(trace.memory() for trace in found) + 100_000
    for there, here in zip(found, record_batch(toy, SENTENCES, [5, 9]), strict=True):
        assert there.translation == here.translation and there.steps == here.steps
        assert all(np.array_equal(there.map(kind).weights, here.map(kind).weights) for kind in ("encoder", "cross"))


def test_without_a_gpu_just_now_it_is_translated_here_and_the_log_says_why(toy, caplog):
    spaces = Lender(gr.Error("You have exceeded your ZeroGPU quota"))
    found = zero_gpu.on_zero_gpu(toy, spaces)(toy, SENTENCES, [5, 9])
    assert [trace.sentence for trace in found] == SENTENCES and len(spaces.calls) == 1
    assert "exceeded your ZeroGPU quota" in caplog.text and not any(word in caplog.text for word in SENTENCES)


def test_a_mistake_is_not_taken_for_a_missing_gpu(toy):
    with pytest.raises(ZeroDivisionError):
        zero_gpu.on_zero_gpu(toy, Lender(ZeroDivisionError()))(toy, SENTENCES, [5, 9])


@each_case("environment", [WITH, {}])
def test_the_command_translates_there_where_a_gpu_is_lent(monkeypatch, toy, environment):
    spaces, seen = Lender(), []
    for name, text in environment.items():
        monkeypatch.setenv(name, text)
    monkeypatch.setitem(sys.modules, "spaces", spaces)
    spaces.__spec__ = SimpleNamespace()  # type: ignore[attr-defined]
    monkeypatch.setattr("sys.argv", ["app.py"])
    monkeypatch.setattr(start.checkpoint, "load", lambda folder, device, threads: seen.append(device) or toy)
    never_served = gr.Blocks()
    monkeypatch.setattr(start, "create_ui", lambda opened: seen.append(opened) or never_served)
    monkeypatch.setattr(start, "launch", lambda *shown, **options: (None, "", None))
    monkeypatch.setattr(start, "configure_log", lambda as_json: None)
    app.main()
    device, opened = seen
    opened.recordings.trace(SENTENCES[0])
    assert str(device) == "cpu" and len(spaces.calls) == bool(environment)
