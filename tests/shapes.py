"""The shape trace of a pass, as the page computes it from the model's calls."""

from typing import Any

from by_node import derive

from explorer.engine.calls import root_mean_square
from explorer.recording.forward_pass import record_pass
from explorer.recording.payload import trace_json
from explorer.recording.trace import Trace
from model.decoding import Translator


def rows_of(translator: Translator, trace: Trace) -> list[dict[str, Any]]:
    """What the call `tensors` gives for a trace, which may be shorter than a whole translation."""
    tensors = record_pass(translator, trace).tensors
    return [
        {**site._asdict(), "shape": list(tensor.shape), "rms": root_mean_square(tensor)}
        for site, tensor in tensors.items()
    ]


def steps_of(translator: Translator, trace: Trace) -> list[dict[str, Any]]:
    """The steps with their shapes, { axes, sizes }."""
    return derive("shapes", "stepsOf", rows_of(translator, trace), trace_json(trace))


def shapes_of(translator: Translator, trace: Trace) -> list[dict[str, Any]]:
    """The steps with their shapes as text."""
    return derive("shapes", "shapesOf", rows_of(translator, trace), trace_json(trace))
