"""The claims that a lesson can make about a neuron: by the atlas of the checkpoint, and by what it is in a sentence.

A neuron is written STACK.LAYER.NEURON, such as decoder.4.542; layers and neurons count from one, as on the screen.
"""

import re
from abc import ABC
from typing import Literal

from pydantic import Field, field_validator

from explorer.atlas.contexts import Range
from explorer.atlas.names import Standing
from explorer.lessons.claims import BoundedClaim, CheckContext, ClaimResult, require_in_range
from explorer.recording.forward_pass import record_pass
from model.probe import Site, Stack
from model.tokenizer import WORD_START

PLACE = re.compile(r"(encoder|decoder)\.([1-9]\d{0,5})\.([1-9]\d{0,5})")


class AtNeuron(BoundedClaim, ABC):
    """A claim about the neuron `at` a place."""

    at: str

    @field_validator("at")
    @classmethod
    def validate_place(cls, at: str) -> str:
        if not PLACE.fullmatch(at):
            raise ValueError(f"{at!r} is no STACK.LAYER.NEURON, such as decoder.4.542")
        return at

    def place(self, context: CheckContext) -> tuple[Stack, int, int]:
        """Stack, layer and neuron, counting from zero. Raises OutOfRangeError if the model has no such neuron."""
        name, layer, neuron = self.at.split(".")
        return require_neuron(f"at: {self.at}", name, int(layer), int(neuron), context)


class NeuronClaim(AtNeuron):
    """The atlas gives a neuron this standing, a name of these tokens, or a figure within bounds."""

    instead_of_bound = ("standing", "tokens")

    standing: Standing | None = None
    tokens: list[str] | None = None
    figure: Literal["precision", "recall", "largest"] = "precision"  # the largest value is no share

    def format_bound(self, language: str) -> str:
        return f"{self.bound:g}" if self.figure == "largest" else super().format_bound(language)

    def evaluate(self, context: CheckContext) -> ClaimResult:
        neuron = context.atlas.neuron(*self.place(context))
        name = neuron.name
        tokens = [token.removeprefix(WORD_START) for token in name.tokens] if name else []
        figure = neuron.largest if self.figure == "largest" else getattr(name, self.figure, None)
        holds = (
            self.standing in (None, neuron.standing)
            and self.tokens in (None, tokens)
            and (self.bound is None or (figure is not None and self.is_within_bounds(figure)))
        )
        shown = "" if figure is None else f"{self.figure} {figure:.2f}"
        return ClaimResult(holds, ", ".join(filter(None, [neuron.standing, " ".join(tokens), shown])))


class ContextsClaim(AtNeuron):
    """Of a neuron's contexts in some ranges, so many have a token where it fires, or where the decoder then writes."""

    bound_format = ".0f"

    token: str  # in any letter case
    ranges: list[Range] = Field(["strongest"], min_length=1)
    side: Literal["on", "writes"] = "on"

    def evaluate(self, context: CheckContext) -> ClaimResult:
        neuron, tokens = context.atlas.neuron(*self.place(context)), []
        for found in neuron.contexts:
            if found.range in self.ranges:
                own = found.source if neuron.stack == "encoder" else found.fed
                token = (found.written if self.side == "writes" else own)[found.position]
                tokens.append(token.removeprefix(WORD_START).lower())
        count = tokens.count(self.token.lower())
        return ClaimResult(self.is_within_bounds(count), f"{count} of {len(tokens)}: {' '.join(tokens)}")


class FiringClaim(AtNeuron):
    """A neuron's largest value in a sentence and its translation lies within bounds; 0 where it never fires."""

    bound_format = ".2g"

    def evaluate(self, context: CheckContext) -> ClaimResult:
        stack, layer, neuron = self.place(context)
        tensors = record_pass(context.laboratory.translator, context.trace(self.sentence)).tensors
        largest = float(tensors[Site(stack, layer, "feed_forward", "hidden")][0][:, neuron].max())
        return ClaimResult(self.is_within_bounds(largest), f"{largest:.2f}")


def require_neuron(field: str, name: str, layer: int, neuron: int, context: CheckContext) -> tuple[Stack, int, int]:
    """A neuron's place, counting from zero, of numbers from one. Raises OutOfRangeError if the model has none there."""
    config = context.laboratory.translator.model.config
    stack: Stack = "encoder" if name == "encoder" else "decoder"
    require_in_range(f"{field}, layer", layer, config.layers(stack), f"layers of the {stack}")
    require_in_range(f"{field}, neuron", neuron, config.d_ff, "neurons of a layer")
    return stack, layer - 1, neuron - 1
