"""Parts of the page's address, as lessons name them: what a visitor sees at a step, and what an experiment changes.

    {"tab": "lab", "lab.station": "positions", "lab.encoder": "off"}

They are those of explorer/page/place.js, explorer/attention_view/address.js and explorer/tabs/what_if/experiment.js,
and count from one as those do.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator

from explorer.experiments.experiment import Experiment, experiment_of

VIEW = (
    "level", "step", "kind", "layer", "head", "measure", "second", "pin", "cell", "look", "whole", "scale", "specials",
    "transposed", "words", "speed", "compared",
)  # fmt: skip
PAGE = ("sentence", "tab", *VIEW)
TAB = "lab."  # what the names of the tab of experiments begin with


def rooms_in(parts: Mapping[str, str]) -> set[str]:
    """The ids of the tabs that parts of an address lie in, the first tab's left out."""
    tabs = {name.partition(".")[0] for name in parts if "." in name}
    return tabs | ({parts["tab"]} if "tab" in parts else set())


def number(text: str) -> int:
    return int(text) - 1


def numbers(text: str) -> list[int]:
    return [number(part) for part in text.split(".")]


def ids(text: str) -> list[int]:
    return [int(part) for part in text.split(".")]


def heads(text: str) -> list[list[Any]]:
    return [[kind, number(layer), number(head)] for kind, layer, head in (part.split(".") for part in text.split(","))]


def cells(text: str) -> list[list[Any]]:
    """Of layers, 0 is the embedding."""
    places = (part.split(".") for part in text.split(","))
    return [[stack, number(layer), number(position)] for stack, layer, position in places]


# The field of an experiment for each of its parts, and how the part is read; then those of a patch.
FIELDS: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "source": ("source", str),
    "order": ("word_order", int),
    "hidden": ("hidden", numbers),
    "begin": ("beginning", ids),
    "off": ("off", heads),
    "by": ("off_by", str),
    "encoder": ("encoder_positions", str),
    "decoder": ("decoder_positions", str),
    "seed": ("seed", int),
    "shift": ("shift", int),
}
PATCH: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "from": ("sentence", str),
    "heads": ("heads", heads),
    "cells": ("cells", cells),
}


def experiment_in(parts: Mapping[str, str]) -> Experiment:
    """The experiment that parts of an address ask for; parts of anything else are left out.

    Raises ValueError, with a sentence, where a part says nothing understandable.
    """
    of_tab = {name.removeprefix(TAB): text for name, text in parts.items() if name.startswith(TAB)}
    given = read(FIELDS, of_tab)
    if patch := read(PATCH, of_tab):
        given["patch"] = patch
    return experiment_of(given)


def read(fields: Mapping[str, tuple[str, Callable[[str], Any]]], parts: Mapping[str, str]) -> dict[str, Any]:
    found = {}
    for name, (field, reads) in fields.items():
        if name in parts:
            try:
                found[field] = reads(parts[name])
            except ValueError as error:
                raise ValueError(f"{TAB}{name} says nothing understandable: {parts[name]!r}") from error
    return found


def in_quotes(parts: Any) -> Any:
    """What YAML reads as a number is a text in an address; what it reads as true or false was a word."""
    if not isinstance(parts, dict):
        return parts
    for name, value in parts.items():
        if isinstance(value, bool):
            raise ValueError(f'{name}: write "on", "off", "yes" or "no" in quotes')
    return {name: str(value) if isinstance(value, int) else value for name, value in parts.items()}


def known(parts: dict[str, str]) -> dict[str, str]:
    for name in parts:
        if name not in PAGE and "." not in name:
            raise ValueError(f"no part of the address is called {name}; there are {', '.join(PAGE)} and TAB.PART")
    experiment_in(parts)
    return parts


Parts = Annotated[dict[str, str], BeforeValidator(in_quotes), AfterValidator(known)]
