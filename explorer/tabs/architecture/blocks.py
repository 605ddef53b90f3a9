"""The shape trace of one real pass, and the map of the loaded model: the blocks of the paper's figure.

The rows of the trace come from the probe; this module adds the names of a tensor's axes and inputs, by the name of its
site (texts: explorer.tabs.architecture.tab.words.SHAPE_STEPS). A block is a run of steps that belong to one module, so
another checkpoint gives another map; it has links to the tabs that explain it. Nothing is drawn here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, NamedTuple

import numpy as np
from torch import nn

from explorer.recording.forward_pass import ForwardPass
from model.parameters import parameter_counts, parameter_table
from model.probe import Kind, Site, Stack


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


def shapes_of(forward_pass: ForwardPass) -> list[Row]:
    """The steps of a pass over one translation, in the order of computation."""
    (trace,) = forward_pass.traces
    rows: list[Row] = []
    latest = {
        "sentence": Shape(("character",), (len(trace.sentence),)),
        "steps": Shape(("step",), (len(trace.steps),)),
    }
    for site, tensor in forward_pass.tensors.items():
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


Tab = Literal["explore", "inside", "masks", "positions", "predictions"]


class TabLink(NamedTuple):
    """A link to a tab that explains a block, and the initial selection there."""

    tab: Tab
    kind: Kind | None = None
    layer: int | None = None
    side: Stack | None = None  # the stream that the tab shows first


class Block(NamedTuple):
    """A block of the map."""

    path: str  # of its module or parameter; of the site if there is none
    name: str  # of its words in explorer.tabs.architecture.tab.words.BLOCKS
    stack: str
    layer: int | None
    inputs: dict[str, Shape]  # from other blocks, by the probe's names
    outputs: dict[str, Shape]  # including the weights of an attention
    parameters: int
    share: float  # of the whole model's parameters
    tied: str | None  # the module that counts this block's matrix
    links: tuple[TabLink, ...]  # the best explanation first
    rows: tuple[int, int]  # its steps in the shape trace: from, to (not included)


def module_path(site: Site) -> str:
    """The module that computes a tensor, or the parameter itself; the site's name if there is neither."""
    if site.sublayer is not None:
        path = f"{site.stack}.layers.{site.layer}.{site.sublayer}"
        return f"{path}_norm" if site.tensor in ("sum", "stream") else path
    within = {"token_embedding": "embedding.tokens", "embedding": "embedding.tokens"}
    within |= {"positions": "embedding.positions", "stream": "embedding.positions"}
    return "projection" if site.tensor == "logits" else f"{site.stack}.{within.get(site.tensor, site.tensor)}"


def block_name(site: Site) -> str:
    """The key in explorer.tabs.architecture.tab.words.BLOCKS of a site's block."""
    path = module_path(site)
    if site.sublayer is None:
        last = path.rpartition(".")[2]
        return {"tokens": f"{site.stack}.embedding", "ids": f"{site.stack}.ids"}.get(last, last)
    if path.endswith("_norm"):
        return "norm"
    return f"{site.stack}.self_attention" if site.sublayer == "self_attention" else site.sublayer


def tab_links(site: Site) -> tuple[TabLink, ...]:
    """The links to tabs that explain a site's block; a page may lack some of the tabs."""
    if site.tensor == "ids":
        return ()
    if site.tensor in ("logits", "probabilities"):
        return (TabLink("predictions"),)
    if site.sublayer is None:
        return (TabLink("positions"),)
    if site.sublayer == "feed_forward" or site.tensor in ("sum", "stream"):
        return (TabLink("predictions", side=site.stack),)
    kind: Kind = "cross" if site.sublayer == "cross_attention" else site.stack
    masks = (TabLink("masks", kind, site.layer),) if kind == "decoder" else ()
    return TabLink("explore", kind, site.layer), TabLink("inside", kind, site.layer), *masks


def is_block(site: Site) -> bool:
    """Whether a site is part of a block; masks and the decoder's memory are only inputs of blocks."""
    return site.sublayer is not None or site.tensor not in ("mask", "memory", "memory_mask")


def blocks(model: nn.Module, rows: Sequence[Row]) -> list[Block]:
    """The blocks in the order of the pass."""
    tied = {part.path: part.tied for part in parameter_table(model)}
    counts = parameter_counts(model)
    steps = ((number, row) for number, row in enumerate(rows) if is_block(row.site))
    result = []
    for path, group in groupby(steps, lambda step: module_path(step[1].site)):
        numbers, run = zip(*group, strict=True)
        result.append(
            Block(
                path=path,
                name=block_name(run[0].site),
                stack=run[0].site.stack,
                layer=run[0].site.layer,
                inputs=run_inputs(run),
                outputs={row.site.tensor: row.after for row in run if row is run[-1] or row.site.tensor == "weights"},
                parameters=counts[path],
                share=counts[path] / counts[""],
                tied=tied.get(path, {}).get("weight", "").removesuffix(".weight") or None,
                links=tab_links(run[0].site),
                rows=(numbers[0], numbers[-1] + 1),
            )
        )
    return result


def run_inputs(run: Sequence[Row]) -> dict[str, Shape]:
    """The inputs of a run of steps that the run itself does not compute."""
    computed: set[str] = set()
    inputs: dict[str, Shape] = {}
    for row in run:
        inputs |= {name: shape for name, shape in row.before.items() if name not in computed}
        computed.add(row.site.tensor)
    return inputs
