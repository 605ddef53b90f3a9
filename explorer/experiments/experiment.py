"""What an experiment changes, as a small value: it can be compared, kept in a link, sent as JSON and run again.

    Experiment(off=(HeadAt("cross", 3, 4),))        # the fifth head of the last cross-attention is off
    Experiment(beginning=(115, 27))                  # the German begins with these pieces
    experiment_of({"encoder_positions": "off"})      # the same from JSON

Everything counts from zero.
"""

import json
from dataclasses import asdict, dataclass
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from model.probe import Kind, Stack

Off = Literal["zero", "uniform", "mean", "special"]
PositionChange = Literal["off", "shuffled", "shifted"]
Index = Annotated[int, Field(strict=True, ge=0)]
STRICT = ConfigDict(extra="forbid", strict=True)


class HeadAt(NamedTuple):
    """One head of one attention sub-layer."""

    kind: Kind
    layer: Index
    head: Index


class CellAt(NamedTuple):
    """The stream at one position after a layer; after layer -1 it is the embedding."""

    stack: Stack
    layer: Annotated[int, Field(strict=True, ge=-1)]
    position: Index


@dataclass(frozen=True)
class Patch:
    """What is copied from the run of another sentence, with that sentence's own German."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    sentence: str
    heads: tuple[HeadAt, ...] = ()  # their outputs, at the positions that both runs have
    cells: tuple[CellAt, ...] = ()


@dataclass(frozen=True)
class Experiment:
    """Changes that are made together; the default changes nothing."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    source: str | None = None  # read instead of the sentence
    word_order: Index | None = None  # seed by which the source's words are shuffled
    hidden: tuple[Index, ...] = ()  # source pieces that nothing may attend to
    beginning: tuple[Index, ...] = ()  # German pieces chosen first, however improbable; with EOS, all of it
    off: tuple[HeadAt, ...] = ()  # heads
    off_by: Off = "zero"  # what stands for a head that is off: see explorer/experiments/interventions.py
    encoder_positions: PositionChange | None = None
    decoder_positions: PositionChange | None = None
    seed: Index = 1  # of shuffled positions
    shift: Index = 5  # of shifted positions: position p is told p + shift
    patch: Patch | None = None

    @property
    def touches(self) -> bool:
        """Whether tensors of the model are replaced, and not only texts."""
        return bool(self.hidden or self.off or self.encoder_positions or self.decoder_positions or self.patch)

    def json(self) -> dict[str, Any]:
        """Only what differs from the default."""
        default = asdict(Experiment())
        return {name: value for name, value in asdict(self).items() if value != default[name]}


EXPERIMENT = TypeAdapter(Experiment)


def experiment_of(given: Any) -> Experiment:
    """An experiment from what JSON holds. Raises ValueError, with a sentence that names the first wrong field."""
    try:
        return EXPERIMENT.validate_json(json.dumps(given))
    except (ValidationError, TypeError) as error:
        raise ValueError(f"This is no experiment: {said(error)}") from error


def said(error: ValidationError | TypeError) -> str:
    if isinstance(error, TypeError):
        return f"{error}."
    first = error.errors(include_url=False, include_context=False)[0]
    return f"{'.'.join(map(str, first['loc'])) or 'all of it'}: {first['msg'].lower()}, not {first['input']!r}."
