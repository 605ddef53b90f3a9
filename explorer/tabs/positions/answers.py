"""The answers to Positions' questions: the figures and texts of one section, as JSON."""

import json
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
import torch
from jaxtyping import Float
from pydantic import Field
from torch import Tensor

from explorer.experiments.differences import match_permutation
from explorer.recording.forward_pass import ForwardPass
from explorer.recording.recordings import Recordings
from explorer.recording.sentence import check_sentence
from explorer.recording.trace import Piece, source_pieces
from explorer.tabs.positions import words
from explorer.tabs.positions.figures import distance_panels, token_strips, wavelength_figure
from explorer.tabs.positions.sinusoids import Measure, rounding_bound
from explorer.tabs.positions.table import PositionTable
from explorer.ui.prose import prose
from explorer.ui.questions import Index, require_index
from model.decoding import Translator
from model.errors import UserError
from model.probe import Probe, Site, Stack

POSITIONS = Site("encoder", tensor="positions")


@dataclass(frozen=True, eq=False)
class Reordering:
    """Euclidean distances between the encoder's outputs of two sentences of the same pieces."""

    first: tuple[Piece, ...]
    second: tuple[Piece, ...]
    partners: tuple[int, ...]  # the index in `second` of each piece of `first`
    ordered: Float[np.ndarray, "first second"]  # positions added, as the model does
    unordered: Float[np.ndarray, "first second"]  # zeros added instead

    def largest(self, distances: Float[np.ndarray, "first second"]) -> float:
        """The largest distance between a piece of the first sentence and its partner."""
        return float(distances[range(len(self.partners)), self.partners].max())


def compare_orders(translator: Translator, first: str, second: str) -> Reordering:
    """Compares the encoder's outputs of two sentences. Raises UserError if their pieces differ.

    Without positions self-attention is a function of a set: it treats every order of the pieces alike, so that the
    outputs of two orders are the same vectors, in another order.
    """
    sides = [translator.source_ids(text) for text in (first, second)]
    if sorted(sides[0]) != sorted(sides[1]):
        pieces = [
            [piece.isolated.text for piece in source_pieces(translator, *side)]
            for side in zip((first, second), sides, strict=True)
        ]
        raise UserError(words.OTHER_PIECES.format(first=" ".join(pieces[0]), second=" ".join(pieces[1])))
    ordered, unordered = (
        [encoder_outputs(translator, ids, probe) for ids in sides] for probe in (Probe(), Probe(no_positions))
    )
    return Reordering(
        source_pieces(translator, first, sides[0]),
        source_pieces(translator, second, sides[1]),
        match_permutation(*sides),
        euclidean_distances(*ordered),
        euclidean_distances(*unordered),
    )


def no_positions(site: Site, tensor: Tensor) -> Tensor | None:
    """A probe function that replaces the encoder's positions by zeros."""
    return torch.zeros_like(tensor) if site == POSITIONS else None


def encoder_outputs(translator: Translator, src: list[int], probe: Probe) -> Float[np.ndarray, "src d_model"]:
    return translator.encode(src, probe).memory[0].cpu().numpy()


def euclidean_distances(
    first: Float[np.ndarray, "first d_model"], second: Float[np.ndarray, "second d_model"]
) -> Float[np.ndarray, "first second"]:
    """Euclidean distances from differences, because the shortcut through dot products is inexact near zero."""
    return np.linalg.norm(first[:, None] - second[None], axis=-1)


Rows = Float[np.ndarray, "position d_model"]


@dataclass(frozen=True, eq=False)
class LayerInput:
    """The pieces of one side, with the three vectors of each."""

    pieces: tuple[Piece, ...]
    embedding: Rows  # times `scale`
    positions: Rows
    stream: Rows  # their sum
    scale: float  # sqrt(d_model), or 1 without scaling

    @property
    def norms(self) -> tuple[Float[np.ndarray, "position"], ...]:
        """The lengths of the embeddings, the positions and the sums."""
        embedding, positions, stream = (
            np.linalg.norm(rows, axis=1) for rows in (self.embedding, self.positions, self.stream)
        )
        return embedding, positions, stream

    def unscaled(self) -> "LayerInput":
        """The input without the scaling factor."""
        embedding = self.embedding / self.scale
        return replace(self, embedding=embedding, stream=embedding + self.positions, scale=1.0)


def layer_input(forward_pass: ForwardPass, stack: Stack) -> LayerInput:
    """The input of the first sentence's source (encoder) or of its fed target (decoder)."""
    names = ("embedding", "positions", "stream")
    embedding, positions, stream = (forward_pass.tensors[Site(stack, tensor=name)] for name in names)
    pieces = forward_pass.traces[0].source if stack == "encoder" else forward_pass.traces[0].target
    return LayerInput(pieces, embedding[0], positions, stream[0], getattr(forward_pass.model, stack).embedding.scale)


MAX_DIMENSIONS = 7  # curves in one figure
Length = Annotated[int, Field(ge=2)]
Distance = Annotated[int, Field(ge=1)]
Dimensions = Annotated[list[Index], Field(max_length=MAX_DIMENSIONS)]


def section_json(figures: dict[str, Any], **texts: str) -> str:
    """A section's figures by name, and its texts, which are HTML."""
    from plotly.utils import PlotlyJSONEncoder  # not above: it imports all of Plotly

    return json.dumps({"figures": figures, "texts": texts}, cls=PlotlyJSONEncoder)


class TableAnswers:
    """The sections about the table itself. All raise UserError for missing positions."""

    def __init__(self, table: PositionTable):
        self.table = table

    def require(self, length: int, *dimensions: int) -> None:
        require_index("length", length, self.table.shown + 1)
        for dimension in dimensions:
            require_index("dimension", dimension, self.table.width)

    def table_section(self, length: Length, position: Index, dimension: Index) -> str:
        """The table with one cell's formula; `length` is the number of positions in the figures."""
        self.require(length, dimension)
        require_index("position", position, self.table.shown)
        heatmap = self.table.heatmap(length, position, dimension)
        return section_json({"heatmap": heatmap}, formula=prose(self.table.formula(position, dimension)))

    def waves_section(self, length: Length, dimensions: Dimensions) -> str:
        """Selected columns of the table, and the wavelengths of all, if it has any."""
        self.require(length, *dimensions)
        table, figures = self.table, {"curves": self.table.curves(length, dimensions)}
        if table.waves is not None:
            figures["wavelengths"] = wavelength_figure(table.waves, table.trained, table.kind)
        return section_json(figures)

    def similarity_section(self, length: Length, measure: Measure) -> str:
        self.require(length)
        heatmap, curve = self.table.similarities(length, measure)
        return section_json({"similarity": heatmap, "similarity-curve": curve})

    def turn_section(self, length: Length, pair: Index, start: Index, distance: Distance) -> str:
        """A shift as a rotation of one pair, and its error."""
        self.require(length)
        half = self.table.shown // 2
        require_index("pair", pair, self.table.last_pair + 1)
        require_index("start", start, half)
        require_index("distance", distance, half + 1)
        plane, error = self.table.turn(length, pair, start, distance)
        return section_json({"turn": plane}, error=prose(error))


def pieces_section(recordings: Recordings, sentence: str, side: Stack, forget: bool) -> str:
    """The sentence's pieces at the input of the first layer; with `forget` without the scaling."""
    tying = recordings.translator.model.config.tying
    inputs = layer_input(recordings.forward_pass(sentence), side)
    inputs = inputs.unscaled() if forget else inputs
    tied = tying == "all" or (tying == "output" and side == "decoder")
    texts = {"norms": describe_norms(inputs), "mistake": describe_mistake(inputs, tied=tied)}
    return section_json({"pieces": piece_strips(inputs)}, **{name: prose(text) for name, text in texts.items()})


def piece_strips(inputs: LayerInput) -> Any:
    factor = words.STRIPS["unscaled" if inputs.scale == 1 else "scaled"].format(scale=inputs.scale)
    labelled_rows = [
        (factor, inputs.embedding),
        (words.STRIPS["positions"], inputs.positions),
        (words.STRIPS["stream"], inputs.stream),
    ]
    count = len(labelled_rows) if inputs.positions.any() else 1  # without positions, the sum is the embedding
    return token_strips([piece.text for piece in inputs.pieces], labelled_rows[:count], inputs.norms[:count])


def describe_norms(inputs: LayerInput) -> str:
    """The mean lengths of the rows."""
    embedding, positions, stream = (float(lengths.mean()) for lengths in inputs.norms)
    if not inputs.positions.any():
        return words.NOTHING_ADDED.format(embedding=embedding)
    return words.NORMS.format(embedding=embedding, positions=positions, stream=stream)


def describe_mistake(inputs: LayerInput, *, tied: bool) -> str:
    """The mean lengths without the factor; `tied` says that the output shares the table. Empty without positions."""
    if not inputs.positions.any():
        return ""
    embedding, positions, _ = (float(lengths.mean()) for lengths in inputs.norms)
    bare = embedding / inputs.scale
    drowned = words.DROWNED if 2 * bare < positions else ""
    return words.MISTAKE.format(bare=bare, positions=positions, drowned=drowned, tied=words.TIED if tied else "")


def order_section(translator: Translator, first: str, second: str) -> str:
    """Two sentences of the same pieces, encoded with positions and without.

    Raises UserError if the pieces differ.
    """
    if not (first.strip() and second.strip()):
        return section_json({}, result=prose(words.TWO_SENTENCES))
    kind = "none" if translator.model.config.positions == "none" else "added"
    found = compare_orders(translator, check_sentence(first, translator), check_sentence(second, translator))
    ordered, rounding = found.largest(found.ordered), rounding_bound(found.largest(found.unordered))
    result = words.ORDER_RESULT[kind].format(ordered=ordered, rounding=rounding)
    return section_json({"order": order_panels(found, kind)}, result=prose(result))


def order_panels(found: Reordering, kind: str) -> Any:
    """The distances with positions and without; only the former if the model has none."""
    rows, columns = ([piece.text for piece in side] for side in (found.first, found.second))
    return distance_panels(
        rows, columns, list(zip(words.ORDER_PANELS[kind], (found.ordered, found.unordered), strict=False))
    )
