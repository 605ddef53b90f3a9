"""What a visitor looks at: the state of the attention view, as it is set from Python and reported back.

Its names and values are those of the browser (explorer/attention_view/state.js). Everything counts from zero.
"""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from explorer.recording.trace import Kind

STRICT = ConfigDict(extra="forbid", strict=True)
Index = Annotated[int, Field(ge=0)]
Chosen = Index | Literal["mean", "max"]


@dataclass(frozen=True, config=STRICT)
class Heads:
    """A layer and a head, or the mean or maximum over all of them."""

    layer: Chosen
    head: Chosen


@dataclass(frozen=True, config=STRICT)
class Pin:
    """A row (query) or a column (key) that the visitor holds on to."""

    axis: Literal["query", "key"]
    index: Index


@dataclass(frozen=True, config=STRICT)
class Cell:
    """One cell of the map, whose arithmetic the tab Inside shows."""

    query: Index
    key: Index


@dataclass(frozen=True, config=STRICT)
class View:
    """The choices of the attention view; the defaults are what a first visit shows.

    The browser fits a view to the trace at hand: a layer, head or step beyond the end becomes the last one.
    """

    kind: Kind = "cross"
    layer: Chosen = 1_000_000  # the last layer of any model: its cross-attention aligns most visibly
    head: Chosen = "mean"
    second: Heads | None = None  # beside the first
    step: Index | None = None  # None: the last one
    pin: Pin | None = None
    look: Literal["heatmap", "ribbon"] = "heatmap"
    whole: bool = False  # all decoding steps at once, instead of those up to the current one
    scale: Literal["fixed", "row", "auto"] = "fixed"  # colours: 0 to 1, each row's maximum, or the map's maximum
    specials: bool = True  # False: start and end are hidden as keys, and the rows renormalised
    transposed: bool = False  # True: keys down the rows, queries along the columns
    words: bool = False  # the sentences in words instead of pieces
    speed: Literal[1, 2, 5, 15, 60] = 2  # steps a second while playing
    cell: Cell | None = None  # framed, and taken apart in the tab Inside

    def to_json(self) -> str:
        return VIEWS.dump_json(self).decode()

    @classmethod
    def from_json(cls, text: str) -> "View":
        """A view from the browser or from a link. Raises ValueError, with a sentence, where it makes no sense."""
        try:
            return VIEWS.validate_json(text)
        except ValidationError as error:
            errors = error.errors(include_url=False)
            places = [place_of(e["loc"]) for e in errors]
            reasons = " or ".join(e["msg"] for e, place in zip(errors, places, strict=True) if place == places[0])
            sentence = f"The view cannot be shown: {places[0]}: {reasons}."
            raise ValueError(" ".join(sentence.split())) from error


def place_of(location: tuple[int | str, ...]) -> str:
    """The choice that an error is about, without the name of the type that was tried."""
    names = [name for name in map(str, location) if not name.startswith(("constrained-", "literal["))]
    return ".".join(names) or "the view"


VIEWS = TypeAdapter(View)
