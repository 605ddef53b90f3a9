"""The map of the loaded model: the blocks of the paper's figure, as one real pass went through them.

This module draws nothing: a block has its path, its shapes, its parameters, and links to the tabs that explain it. A
block is a run of steps in the shape trace that belong to one module, so another checkpoint gives another map.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Literal, NamedTuple

from torch import nn

from explorer.tabs.architecture.shapes import Row, Shape
from model.parameters import count_parameters, parameter_table
from model.probe import Kind, Site, Stack

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
    total = sum(parameter.numel() for parameter in model.parameters())
    steps = ((number, row) for number, row in enumerate(rows) if is_block(row.site))
    result = []
    for path, group in groupby(steps, lambda step: module_path(step[1].site)):
        numbers, run = zip(*group, strict=True)
        parameters = count_parameters(model, path)
        result.append(
            Block(
                path=path,
                name=block_name(run[0].site),
                stack=run[0].site.stack,
                layer=run[0].site.layer,
                inputs=run_inputs(run),
                outputs={row.site.tensor: row.after for row in run if row is run[-1] or row.site.tensor == "weights"},
                parameters=parameters,
                share=parameters / total,
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
