"""An experiment as a value: it can be compared, kept in a link, sent as JSON and run again.

    Experiment(off=(HeadAt("cross", 3, 4),))        # the fifth head of the last cross-attention is off
    Experiment(beginning=(115, 27))                  # the German begins with these pieces
    Experiment(neurons=(NeuronAt("decoder", 3, 541, 6.0),))  # a neuron of the last layer is held at 6 everywhere
    experiment_of({"encoder_positions": "off"})      # the same from JSON

Everything counts from zero; on the screen and in addresses layers, heads, tokens and neurons count from one.
"""

import json
from dataclasses import asdict
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from model.errors import UserError
from model.probe import Kind, Stack

Off = Literal["zero", "uniform", "mean", "special"]
PositionChange = Literal["off", "shuffled", "shifted"]
WHOLE_NUMBER = BeforeValidator(lambda value: int(value) if isinstance(value, np.integer) else value)
Index = Annotated[int, Field(strict=True, ge=0), WHOLE_NUMBER]
Value = Annotated[
    float,
    Field(strict=True, allow_inf_nan=False),
    BeforeValidator(lambda value: float(value) if isinstance(value, np.floating) else value),
]
STRICT_CONFIG = ConfigDict(extra="forbid", strict=True)


class HeadAt(NamedTuple):
    """One head of one attention sub-layer."""

    kind: Kind
    layer: Index
    head: Index


class CellAt(NamedTuple):
    """The stream at one position after a layer; after layer -1 it is the embedding."""

    stack: Stack
    layer: Annotated[int, Field(strict=True, ge=-1), WHOLE_NUMBER]
    position: Index


class NeuronAt(NamedTuple):
    """A hidden number of a feed-forward network, after its activation, held at a value: 0 is off.

    It is held at every position, or at one position of its stack alone; in the decoder this is the position of the
    token that is fed. A value for one position takes precedence over the value for all. The screen and addresses call
    index 541 neuron 542, as the feed-forward board does.
    """

    stack: Stack
    layer: Index
    index: Index  # pyright: ignore[reportIncompatibleMethodOverride] of tuple.index, for which nobody asks a neuron
    value: Value
    position: Index | None = None


@dataclass(frozen=True, config=STRICT_CONFIG)
class Patch:
    """Activations to copy from the run of another sentence and its own translation."""

    sentence: str
    heads: tuple[HeadAt, ...] = ()  # their outputs, at the positions that both runs have
    cells: tuple[CellAt, ...] = ()


@dataclass(frozen=True, config=STRICT_CONFIG)
class Experiment:
    """Changes applied to one run; the default changes nothing. Raises ValueError for values that no run can have."""

    source: str | None = None  # replaces the sentence
    word_order: Index | None = None  # seed by which the source's words are shuffled
    hidden: tuple[Index, ...] = ()  # source pieces that nothing may attend to
    beginning: tuple[Index, ...] = ()  # German pieces chosen first, however improbable; with EOS, all of it
    off: tuple[HeadAt, ...] = ()  # heads
    off_by: Off = "zero"  # what replaces the output of a head that is off: see explorer/experiments/interventions.py
    neurons: tuple[NeuronAt, ...] = ()
    encoder_positions: PositionChange | None = None
    decoder_positions: PositionChange | None = None
    seed: Index = 1  # of shuffled positions
    shift: Index = 5  # of shifted positions: position p gets the encoding of p + shift
    patch: Patch | None = None

    @property
    def touches(self) -> bool:
        """Whether the experiment replaces tensors of the model, not only texts."""
        positions = self.encoder_positions or self.decoder_positions
        return bool(self.hidden or self.off or self.neurons or positions or self.patch)

    @property
    def rescores(self) -> bool:
        """Whether the experiment may change the probability of the unchanged translation."""
        return self.touches or self.source is not None or self.word_order is not None

    def json(self) -> dict[str, Any]:
        """Only what differs from the default."""
        default = asdict(Experiment())
        return {name: value for name, value in asdict(self).items() if value != default[name]}


EXPERIMENT = TypeAdapter(Experiment)


def experiment_of(value: Any) -> Experiment:
    """An experiment from parsed JSON. Raises UserError, naming the first wrong field."""
    try:
        return EXPERIMENT.validate_json(json.dumps(value))
    except (ValidationError, TypeError) as error:
        raise UserError(f"This is no experiment: {first_error(error)}") from error


def first_error(error: ValidationError | TypeError) -> str:
    if isinstance(error, TypeError):
        return f"{error}."
    first = error.errors(include_url=False, include_context=False)[0]
    return f"{'.'.join(map(str, first['loc'])) or 'all of it'}: {first['msg'].lower()}, not {first['input']!r}."
