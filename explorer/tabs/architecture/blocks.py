"""The map of the loaded model: the blocks of the paper's figure, as one real pass went through them.

Nothing is drawn here: a block says where it stands, its shapes, its parameters, and which view explains it. Blocks
are the runs of steps in the shape trace that belong to one module, so another checkpoint gives another map.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Literal, NamedTuple

from torch import nn

from explorer.tabs.architecture.shapes import Row, Shape
from model.parameters import count_parameters, parameter_table
from model.probe import Kind, Site, Stack

Tab = Literal["explore", "inside", "masks", "positions", "predictions"]


class Door(NamedTuple):
    """A view that explains a block: a tab of the page, and what it and the attention view show first."""

    tab: Tab
    kind: Kind | None = None
    layer: int | None = None
    side: Stack | None = None  # whose stream the tab shows first


class Block(NamedTuple):
    """A block of the map."""

    path: str  # of the module or parameter that it draws; the site where there is none
    name: str  # of its words in explorer.tabs.architecture.words.BLOCKS
    stack: str
    layer: int | None
    inputs: dict[str, Shape]  # what it takes from other blocks, by the probe's names
    outputs: dict[str, Shape]  # what it gives; an attention also its weights
    parameters: int
    share: float  # of the whole model's parameters
    tied: str | None  # the module that counts this block's matrix
    doors: tuple[Door, ...]  # the best explanation first
    rows: tuple[int, int]  # its steps in the shape trace: from, to (not included)


def path_of(site: Site) -> str:
    """The module that computes a tensor, or the parameter that it is; the site's own name where there is none."""
    if site.sublayer is not None:
        path = f"{site.stack}.layers.{site.layer}.{site.sublayer}"
        return f"{path}_norm" if site.tensor in ("sum", "stream") else path
    within = {"token_embedding": "embedding.tokens", "embedding": "embedding.tokens"}
    within |= {"positions": "embedding.positions", "stream": "embedding.positions"}
    return "projection" if site.tensor == "logits" else f"{site.stack}.{within.get(site.tensor, site.tensor)}"


def name_of(site: Site) -> str:
    """Under which name explorer.tabs.architecture.words.BLOCKS has the words to the block of a site."""
    path = path_of(site)
    if site.sublayer is None:
        last = path.rpartition(".")[2]
        return {"tokens": f"{site.stack}.embedding", "ids": f"{site.stack}.ids"}.get(last, last)
    if path.endswith("_norm"):
        return "norm"
    return f"{site.stack}.self_attention" if site.sublayer == "self_attention" else site.sublayer


def doors_of(site: Site) -> tuple[Door, ...]:
    """The views that explain the block of a site; a page may lack some."""
    if site.tensor == "ids":
        return ()
    if site.tensor in ("logits", "probabilities"):
        return (Door("predictions"),)
    if site.sublayer is None:
        return (Door("positions"),)
    if site.sublayer == "feed_forward" or site.tensor in ("sum", "stream"):
        return (Door("predictions", side=site.stack),)
    kind: Kind = "cross" if site.sublayer == "cross_attention" else site.stack
    masks = (Door("masks", kind, site.layer),) if kind == "decoder" else ()
    return Door("explore", kind, site.layer), Door("inside", kind, site.layer), *masks


def drawn(site: Site) -> bool:
    """Masks and what the decoder receives are inputs of blocks, not blocks."""
    return site.sublayer is not None or site.tensor not in ("mask", "memory", "memory_mask")


def blocks(model: nn.Module, rows: Sequence[Row]) -> list[Block]:
    """The blocks in the order of the pass."""
    tied = {part.path: part.tied for part in parameter_table(model)}
    total = sum(parameter.numel() for parameter in model.parameters())
    steps = ((number, row) for number, row in enumerate(rows) if drawn(row.site))
    found = []
    for path, group in groupby(steps, lambda step: path_of(step[1].site)):
        numbers, run = zip(*group, strict=True)
        parameters = count_parameters(model, path)
        found.append(
            Block(
                path=path,
                name=name_of(run[0].site),
                stack=run[0].site.stack,
                layer=run[0].site.layer,
                inputs=inputs_of(run),
                outputs={row.site.tensor: row.after for row in run if row is run[-1] or row.site.tensor == "weights"},
                parameters=parameters,
                share=parameters / total,
                tied=tied.get(path, {}).get("weight", "").removesuffix(".weight") or None,
                doors=doors_of(run[0].site),
                rows=(numbers[0], numbers[-1] + 1),
            )
        )
    return found


def inputs_of(run: Sequence[Row]) -> dict[str, Shape]:
    """What a run of steps takes that none of them has computed."""
    computed: set[str] = set()
    inputs: dict[str, Shape] = {}
    for row in run:
        inputs |= {name: shape for name, shape in row.before.items() if name not in computed}
        computed.add(row.site.tensor)
    return inputs
