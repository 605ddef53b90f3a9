"""The shape trace: every step of one real pass, with the shapes of its inputs and output.

The rows come from the probe. This module adds the names of a tensor's axes and the names of its inputs, by the name of
its site; the texts are in explorer.tabs.architecture.tab.words.SHAPE_STEPS.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from explorer.recording.forward_pass import Pass
from model.probe import Site


@dataclass(frozen=True)
class Shape:
    """The names and the sizes of a tensor's axes."""

    axes: tuple[str, ...]
    sizes: tuple[int, ...]

    def __post_init__(self):
        if len(self.axes) != len(self.sizes):
            raise ValueError(f"{len(self.axes)} names {self.axes} do not fit {len(self.sizes)} axes {self.sizes}")

    def __str__(self) -> str:
        return f"[{', '.join(self.axes)}] = {list(self.sizes)}"


class Operation(NamedTuple):
    """How a tensor is computed: from the latest tensors of these names; `position` is src or tgt."""

    takes: tuple[str, ...]
    axes: str


class Row(NamedTuple):
    """One step of the pass."""

    site: Site
    key: str  # of its words in explorer.tabs.architecture.tab.words.SHAPE_STEPS
    before: dict[str, Shape]  # the inputs by name
    after: Shape
    size: float | None  # root mean square of the finite elements; None for ids and masks


def head_operations(name: str, source: str, axes: str) -> dict[str, Operation]:
    """The steps from the stream to the queries, keys or values of every head."""
    position, width = axes.split()
    return {
        f"attention.{name}_projected": Operation((source,), f"batch {position} head·{width}"),
        f"attention.{name}_split": Operation((f"{name}_projected",), f"batch {position} head {width}"),
        f"attention.{name}": Operation((f"{name}_split",), f"batch head {position} {width}"),
    }


STEPS = {
    "encoder.ids": Operation(("sentence",), "batch src"),
    "encoder.mask": Operation(("ids",), "batch 1 1 key"),
    "decoder.memory": Operation(("stream",), "batch src d_model"),
    "decoder.memory_mask": Operation(("mask",), "batch 1 1 key"),
    "decoder.ids": Operation(("steps",), "batch tgt"),
    "decoder.mask": Operation(("ids",), "batch 1 query key"),
    "stack.token_embedding": Operation(("ids",), "batch position d_model"),
    "stack.embedding": Operation(("token_embedding",), "batch position d_model"),
    "stack.positions": Operation(("ids",), "position d_model"),
    "stack.stream": Operation(("embedding", "positions"), "batch position d_model"),
    **head_operations("q", "stream", "query d_head"),
    **head_operations("k", "stream", "key d_head"),
    **head_operations("v", "stream", "key d_value"),
    "cross_attention.k_projected": Operation(("memory",), "batch key head·d_head"),
    "cross_attention.v_projected": Operation(("memory",), "batch key head·d_value"),
    "attention.k_transposed": Operation(("k",), "batch head d_head key"),
    "attention.dot_products": Operation(("q", "k_transposed"), "batch head query key"),
    "attention.scores": Operation(("dot_products",), "batch head query key"),
    "attention.masked_scores": Operation(("scores", "mask"), "batch head query key"),
    "cross_attention.masked_scores": Operation(("scores", "memory_mask"), "batch head query key"),
    "attention.weights": Operation(("masked_scores",), "batch head query key"),
    "attention.heads": Operation(("weights", "v"), "batch head query d_value"),
    "attention.heads_transposed": Operation(("heads",), "batch query head d_value"),
    "attention.concatenated": Operation(("heads_transposed",), "batch query head·d_value"),
    "attention.output": Operation(("concatenated",), "batch position d_model"),
    "feed_forward.pre_activation": Operation(("stream",), "batch position d_ff"),
    "feed_forward.hidden": Operation(("pre_activation",), "batch position d_ff"),
    "feed_forward.output": Operation(("hidden",), "batch position d_model"),
    "sublayer.sum": Operation(("stream", "output"), "batch position d_model"),
    "sublayer.stream": Operation(("sum",), "batch position d_model"),
    "decoder.logits": Operation(("stream",), "batch tgt vocab"),
    "decoder.probabilities": Operation(("logits",), "batch tgt vocab"),
}


def step_key(site: Site) -> str:
    """The key of a site's step in STEPS; the most specific key counts."""
    if site.sublayer is None:
        places = (site.stack, "stack")
    elif site.sublayer == "feed_forward":
        places = ("feed_forward", "sublayer")
    else:
        places = (site.sublayer, "attention", "sublayer")
    return next(key for place in places if (key := f"{place}.{site.tensor}") in STEPS)


def shapes_of(whole: Pass) -> list[Row]:
    """The steps of a pass over one translation, in the order of computation."""
    (trace,) = whole.traces
    rows: list[Row] = []
    latest = {
        "sentence": Shape(("character",), (len(trace.sentence),)),
        "steps": Shape(("step",), (len(trace.steps),)),
    }
    for site, tensor in whole.tensors.items():
        key = step_key(site)
        before = {name: latest[name] for name in STEPS[key].takes}
        axes = STEPS[key].axes.replace("position", "src" if site.stack == "encoder" else "tgt")
        latest[site.tensor] = Shape(tuple(axes.split()), tensor.shape)
        rows.append(Row(site, key, before, latest[site.tensor], root_mean_square(tensor)))
    return rows


def root_mean_square(tensor: np.ndarray) -> float | None:
    """The root mean square of the finite elements, or None for ids and masks."""
    if not np.issubdtype(tensor.dtype, np.floating):
        return None
    return float(np.sqrt(np.square(tensor[np.isfinite(tensor)]).mean()))
