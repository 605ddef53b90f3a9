"""The initial state of the attention view.

Names and values match those in the browser (state.js), which manages the state afterwards. All indices are zero-based.
"""

from dataclasses import dataclass
from typing import Literal

from explorer.recording.trace import Choice
from model.probe import Kind

LayerChoice = Choice | Literal["rollout"]  # across all layers (explorer/recording/rollout.py): of the mean of heads


@dataclass(frozen=True)
class View:
    """The choices of the attention view; the defaults are those of a first visit.

    The browser limits a view to the trace: a layer, head or step beyond the end becomes the last one.
    """

    level: Literal["picture", "heads"] | None = None  # None: as stored in the browser
    kind: Kind = "cross"
    layer: LayerChoice = 1_000_000  # the last layer of any model: its cross-attention aligns most visibly
    head: Choice = "mean"
    measure: Literal["weight", "length"] = "weight"  # "length": explorer/recording/lengths.py
    second: dict[str, LayerChoice] | None = None  # layer and head of the second picture
    step: int | None = None  # None: the default step (explorer/recording/default_step.py)
    pin: dict[str, str | int] | None = None  # axis ("query" or "key") and index of the pinned row or column
    look: Literal["heatmap", "ribbon", "table"] = "heatmap"
    whole: bool = False  # all decoding steps, instead of those up to the current one
    scale: Literal["fixed", "row", "auto"] = "fixed"  # colours: 0 to 1, each row's maximum, or the map's maximum
    specials: bool = True  # False: start and end are hidden as keys, and the rows renormalised
    transposed: bool = False  # True: keys down the rows, queries along the columns
    words: bool = False  # the sentences in words instead of pieces
    speed: Literal[1, 2, 5, 15, 60] = 2  # steps a second while playing
    compared: Literal["beside", "difference"] = "beside"  # two runs (comparison.js): both maps, or their difference
    beam: bool = False  # beside the greedy German that of a beam of five (beam_offer.js)
    cell: dict[str, int] | None = None  # query and key of the selected cell, which the tab Inside explains
