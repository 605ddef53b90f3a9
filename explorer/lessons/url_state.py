"""The URL state that a lesson step refers to: the view of the page, and the changes of an experiment.

    {"drawer.panel": "positions", "change": "encoder.off"}

The names are those of explorer/page/page_parts.js and explorer/attention_view/view_parts.js, the text of a change that
of explorer/changes/experiment_text.js; numbers count from one.
"""

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any
from urllib.parse import parse_qsl

from pydantic import AfterValidator, BeforeValidator

from explorer.experiments.experiment import Experiment, experiment_of
from model.errors import UserError

VIEW_NAMES = (
    "level", "step", "kind", "layer", "head", "measure", "pin", "cell", "look", "whole", "scale", "specials",
    "transposed", "words", "speed", "compared",
)  # fmt: skip
PAGE_NAMES = ("sentence", "tab", "change", "run", *VIEW_NAMES)
DRAWER = "drawer"  # has parts of its own, and is no tab


def parse_query(query: str) -> dict[str, str]:
    """The texts of a URL's query by their names, as `entriesOf` in explorer/ui/address_parts.js reads them.

    Older links have a plus for each blank, of which chat programs make %2B.
    """
    is_rewritten = not re.search(r"\+|%20", query) and re.search("[A-Za-z]%2B[A-Za-z]", query)
    return dict(parse_qsl(query.replace("%2B", "%20") if is_rewritten else query, keep_blank_values=True))


def tab_ids(state: Mapping[str, str]) -> set[str]:
    """The ids of the tabs that a URL state refers to, without the first tab."""
    tabs = {name.partition(".")[0] for name in state if "." in name} - {DRAWER}
    return tabs | ({state["tab"]} if "tab" in state else set())


def parse_number(text: str) -> int:
    return int(text) - 1


def parse_numbers(text: str) -> list[int]:
    return [parse_number(part) for part in text.split(".")]


def parse_ids(text: str) -> list[int]:
    return [int(part) for part in text.split(".")]


def parse_heads(text: str) -> list[list[Any]]:
    return [
        [kind, parse_number(layer), parse_number(head)]
        for kind, layer, head in (part.split(".") for part in text.split(","))
    ]


def parse_cells(text: str) -> list[list[Any]]:
    """Cells of a patch, [stack, layer, position]; layer 0 of the text is the embedding."""
    parts = (part.split(".") for part in text.split(","))
    return [[stack, parse_number(layer), parse_number(position)] for stack, layer, position in parts]


def parse_neurons(text: str) -> list[list[Any]]:
    """Neurons as "decoder.4.542.6.5", the last being the value, and "decoder.4.542.6.5.at3" at one position alone."""
    return [parse_neuron(part) for part in text.split(",")]


def parse_neuron(text: str) -> list[Any]:
    found = NEURON.fullmatch(text)
    if found is None:
        raise ValueError("no neuron")
    stack, layer, number, value, position = found.groups()
    return [stack, parse_number(layer), parse_number(number), float(value), position and parse_number(position)]


def parse_sentence(text: str) -> str:
    return text.replace("*1", BETWEEN).replace("*0", "*")


NEURON = re.compile(
    r"(encoder|decoder)\.(\d{1,7})\.(\d{1,7})\.(-?\d+(?:\.\d+)?(?:e-?\d+)?)(?:\.at(\d{1,7}))?", re.ASCII
)
BETWEEN = "_"  # two parts of a change
# The field of an experiment for each name in the URL state, and the parser of its value; then those of a patch.
EXPERIMENT_FIELDS: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "source": ("source", parse_sentence),
    "order": ("word_order", int),
    "hidden": ("hidden", parse_numbers),
    "begin": ("beginning", parse_ids),
    "off": ("off", parse_heads),
    "by": ("off_by", str),
    "neuron": ("neurons", parse_neurons),
    "encoder": ("encoder_positions", str),
    "decoder": ("decoder_positions", str),
    "seed": ("seed", int),
    "shift": ("shift", int),
}
PATCH_FIELDS: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "from": ("sentence", parse_sentence),
    "heads": ("heads", parse_heads),
    "cells": ("cells", parse_cells),
}


def parse_experiment(state: Mapping[str, str]) -> Experiment:
    """The experiment in a URL state. Raises UserError if its text cannot be parsed."""
    parts = [part.partition(".") for part in state.get("change", "").split(BETWEEN) if part]
    texts = {name: text for name, _, text in parts}
    if unknown := texts.keys() - {*EXPERIMENT_FIELDS, *PATCH_FIELDS}:
        raise UserError(f"no change is called {', '.join(sorted(unknown))}")
    fields = parse_fields(EXPERIMENT_FIELDS, texts)
    if patch := parse_fields(PATCH_FIELDS, texts):
        fields["patch"] = patch
    return experiment_of(fields)


def parse_fields(fields: Mapping[str, tuple[str, Callable[[str], Any]]], texts: Mapping[str, str]) -> dict[str, Any]:
    values = {}
    for name, (field, parse) in fields.items():
        if name in texts:
            try:
                values[field] = parse(texts[name])
            except ValueError as error:
                raise UserError(f"the change {name} says nothing understandable: {texts[name]!r}") from error
    return values


def numbers_to_text(state: Any) -> Any:
    """Turns the numbers that YAML parsed back into texts. Raises ValueError on booleans, which were unquoted words."""
    if not isinstance(state, dict):
        return state
    for name, value in state.items():
        if isinstance(value, bool):
            raise ValueError(f'{name}: write "on", "off", "yes" or "no" in quotes')
    return {name: str(value) if isinstance(value, int) else value for name, value in state.items()}


def require_known_names(state: dict[str, str]) -> dict[str, str]:
    for name in state:
        if name not in PAGE_NAMES and "." not in name:
            raise ValueError(f"no part of the address is called {name}; there are {', '.join(PAGE_NAMES)} and TAB.PART")
    parse_experiment(state)
    return state


UrlState = Annotated[dict[str, str], BeforeValidator(numbers_to_text), AfterValidator(require_known_names)]
