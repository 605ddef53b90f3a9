"""The answers to Positions' questions: the figures and texts of one section, as JSON."""

import json
from typing import Annotated, Any

from plotly.utils import PlotlyJSONEncoder
from pydantic import Field

from explorer.recording.recordings import Recordings
from explorer.recording.sentence import check_sentence
from explorer.tabs.positions import words
from explorer.tabs.positions.figures import distance_panels, token_strips, wavelength_figure
from explorer.tabs.positions.pieces import LayerInput, layer_input
from explorer.tabs.positions.reordering import Reordering, compare_orders
from explorer.tabs.positions.sinusoids import Measure
from explorer.tabs.positions.table import PositionTable
from explorer.ui.prose import prose
from explorer.ui.questions import Index, require_index
from model.decoding import Translator
from model.probe import Stack

MAX_DIMENSIONS = 7  # curves in one figure
Length = Annotated[int, Field(ge=2)]
Distance = Annotated[int, Field(ge=1)]
Dimensions = Annotated[list[Index], Field(max_length=MAX_DIMENSIONS)]


def section_json(figures: dict[str, Any], **texts: str) -> str:
    """A section's figures by name, and its texts, which are HTML."""
    return json.dumps({"figures": figures, "texts": texts}, cls=PlotlyJSONEncoder)


class TableAnswers:
    """The sections about the table itself. All raise ValueError, with a sentence, for missing positions."""

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

    Raises ValueError, with a sentence, if the pieces differ.
    """
    if not (first.strip() and second.strip()):
        return section_json({}, result=prose(words.TWO_SENTENCES))
    kind = "none" if translator.model.config.positions == "none" else "added"
    found = compare_orders(translator, check_sentence(first, translator), check_sentence(second, translator))
    ordered, unordered = found.largest(found.ordered), found.largest(found.unordered)
    result = words.ORDER_RESULT[kind].format(ordered=ordered, unordered=unordered)
    return section_json({"order": order_panels(found, kind)}, result=prose(result))


def order_panels(found: Reordering, kind: str) -> Any:
    """The distances with positions and without; only the former if the model has none."""
    rows, columns = ([piece.text for piece in side] for side in (found.first, found.second))
    return distance_panels(
        rows, columns, list(zip(words.ORDER_PANELS[kind], (found.ordered, found.unordered), strict=False))
    )
