"""What Positions asks of the server: the figures and texts of one section, as JSON."""

import json
from typing import Annotated, Any

from plotly.utils import PlotlyJSONEncoder
from pydantic import Field

from explorer.recording.recordings import Recordings
from explorer.recording.sentence import check_sentence
from explorer.tabs.positions import words
from explorer.tabs.positions.figures import distance_panels, token_strips, wavelength_figure
from explorer.tabs.positions.pieces import Embedded, embedded
from explorer.tabs.positions.reordering import Reordering, reordering
from explorer.tabs.positions.sinusoids import Measure
from explorer.tabs.positions.table import PositionTable
from explorer.ui.prose import prose
from explorer.ui.questions import Index, require_index
from model.decoding import Translator
from model.probe import Stack

MOST_DIMENSIONS = 7  # curves in one figure
Length = Annotated[int, Field(ge=2)]
Distance = Annotated[int, Field(ge=1)]
Dimensions = Annotated[list[Index], Field(max_length=MOST_DIMENSIONS)]


def section_json(figures: dict[str, Any], **texts: str) -> str:
    """A section's figures by their names, and its texts, which are HTML."""
    return json.dumps({"figures": figures, "texts": texts}, cls=PlotlyJSONEncoder)


class TableAnswers:
    """The sections about the table itself. All raise ValueError, with a sentence, for what the table does not have."""

    def __init__(self, table: PositionTable):
        self.table = table

    def require(self, length: int, *dimensions: int) -> None:
        require_index("length", length, self.table.shown + 1)
        for dimension in dimensions:
            require_index("dimension", dimension, self.table.width)

    def table_section(self, length: Length, position: Index, dimension: Index) -> str:
        """The table with one cell's formula; `length` is how many positions all figures show."""
        self.require(length, dimension)
        require_index("position", position, self.table.shown)
        heatmap = self.table.heatmap(length, position, dimension)
        return section_json({"heatmap": heatmap}, formula=prose(self.table.formula(position, dimension)))

    def waves_section(self, length: Length, dimensions: Dimensions) -> str:
        """Chosen columns of the table, and the wavelengths of all, where there are any."""
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
        """A shift as a turn of one pair, and how exactly it is one."""
        self.require(length)
        half = self.table.shown // 2
        require_index("pair", pair, self.table.last_pair + 1)
        require_index("start", start, half)
        require_index("distance", distance, half + 1)
        plane, error = self.table.turn(length, pair, start, distance)
        return section_json({"turn": plane}, error=prose(error))


def pieces_section(recordings: Recordings, sentence: str, side: Stack, forget: bool) -> str:
    """The sentence's pieces as they enter the first layer; with `forget` as if they were not scaled."""
    tying = recordings.translator.model.config.tying
    found = embedded(recordings.forward_pass(sentence), side)
    found = found.unscaled() if forget else found
    tied = tying == "all" or (tying == "output" and side == "decoder")
    return section_json({"pieces": strips(found)}, norms=prose(norms(found, tied=tied)))


def strips(found: Embedded) -> Any:
    factor = words.STRIPS["unscaled" if found.scale == 1 else "scaled"].format(scale=found.scale)
    named = [
        (factor, found.embedding),
        (words.STRIPS["positions"], found.positions),
        (words.STRIPS["stream"], found.stream),
    ]
    shown = len(named) if found.positions.any() else 1  # where nothing is added, the sum is the embedding
    return token_strips([piece.text for piece in found.pieces], named[:shown], found.norms[:shown])


def norms(found: Embedded, *, tied: bool) -> str:
    """The mean lengths, and what they would be without the factor; `tied` where the table is the output's too."""
    embedding, positions, stream = (float(lengths.mean()) for lengths in found.norms)
    if not found.positions.any():
        return words.NOTHING_ADDED.format(embedding=embedding)
    bare = embedding / found.scale
    drowned = words.DROWNED if 2 * bare < positions else ""
    facts = {"embedding": embedding, "positions": positions, "stream": stream, "bare": bare, "drowned": drowned}
    facts["tied"] = words.TIED if tied else ""
    return f"{words.NORMS}\n\n{words.MISTAKE}".format(**facts)


def order_section(translator: Translator, first: str, second: str) -> str:
    """Two sentences of the same pieces, read with positions and without.

    Raises ValueError, with a sentence, where they are no such sentences.
    """
    if not (first.strip() and second.strip()):
        return section_json({}, result=prose(words.TWO_SENTENCES))
    kind = "none" if translator.model.config.positions == "none" else "added"
    found = reordering(translator, check_sentence(first, translator), check_sentence(second, translator))
    ordered, unordered = found.largest(found.ordered), found.largest(found.unordered)
    result = words.ORDER_RESULT[kind].format(ordered=ordered, unordered=unordered)
    return section_json({"order": panels(found, kind)}, result=prose(result))


def panels(found: Reordering, kind: str) -> Any:
    """The distances as the model is and, unless it has no positions anyway, without them."""
    rows, columns = ([piece.text for piece in side] for side in (found.first, found.second))
    return distance_panels(
        rows, columns, list(zip(words.ORDER_PANELS[kind], (found.ordered, found.unordered), strict=False))
    )
