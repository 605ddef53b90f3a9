"""Arguments for a function as its own signature says them, mostly such as it takes: a new one is fuzzed by itself."""

import inspect
from collections.abc import Callable
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from fuzzing import now_and_then, odd, odd_numbers, sentences, texts
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from typing_extensions import is_typeddict

from explorer.attention_view.view import View
from explorer.experiments.experiment import Experiment, Off, Patch
from model.probe import KINDS

WORDS = [
    *["heads", "encoder", "decoder", "cross", "zero", "uniform", "mean", "special", "max"],
    *["rollout", "weight", "length", "off", "shuffled", "shifted"],
]
NAMES = st.sampled_from(["layer", "head", "axis", "index", "query", "key"])

small = now_and_then(st.sampled_from([0, 1, 0, 1, 0, 1, 2, 3]), odd_numbers, 12)
known_sentences = now_and_then(sentences, texts, 6)
heads = st.lists(st.tuples(st.sampled_from(KINDS), small, small).map(list), max_size=3)
cells = st.lists(st.tuples(st.sampled_from(["encoder", "decoder"]), small, small).map(list), max_size=3)
ids = st.integers(0, 90)
several = st.sampled_from(["mean", "max", "rollout"])


def fields_of(record: type) -> SearchStrategy[dict[str, Any]]:
    """A few of the fields of a record, now and then one that it has not."""
    known = {name: valued(name, kind) for name, kind in get_type_hints(record).items() if name[0] != "_"}
    some = st.lists(st.sampled_from([*known]), unique=True, max_size=3).flatmap(
        lambda names: st.fixed_dictionaries({name: known[name] for name in names})
    )
    return now_and_then(some, st.tuples(some, st.dictionaries(st.text(max_size=8), odd, max_size=2)).map(merged))


def merged(both: tuple[dict[str, Any], dict[str, Any]]) -> dict[str, Any]:
    return {**both[0], **both[1]}


def valued(name: str, kind: Any) -> SearchStrategy[Any]:
    """Values of a field or an argument, now and then odd ones."""
    return now_and_then(FIELDS[name] if name in FIELDS else of_type(kind), odd, 25)


def of_type(kind: Any) -> SearchStrategy[Any]:
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return of_type(inside[0])
    if origin in (Union, UnionType):
        if {int, str} <= {*inside}:
            return st.one_of(small, small, several)  # a layer or a head, or all of them
        return st.one_of(*map(of_type, inside))
    if origin is Literal:
        return st.sampled_from(inside)
    if origin in (list, tuple):
        return st.lists(of_type(inside[0]), max_size=4)
    if origin is dict and inside[1] is not Any:
        return st.dictionaries(NAMES, of_type(inside[1]), max_size=3)
    if is_typeddict(kind):
        return st.fixed_dictionaries({name: valued(name, kind) for name, kind in get_type_hints(kind).items()})
    return TYPES[kind] if kind in TYPES else st.deferred(lambda: anything())


TYPES: dict[Any, SearchStrategy[Any]] = {
    NoneType: st.none(),
    str: st.one_of(texts, sentences, st.sampled_from(WORDS)),
    int: small,
    float: odd_numbers,
    bool: st.booleans(),
}
# Fields and arguments whose types say less than what they mean.
FIELDS: dict[str, SearchStrategy[Any]] = {
    **dict.fromkeys(("sentence", "text", "put_into", "taken_from"), known_sentences),
    **dict.fromkeys(("temperature", "top_p"), st.floats(0.1, 1.5)),
    **dict.fromkeys(("seed", "width", "count", "step", "piece"), small),
    **dict.fromkeys(("kind",), st.sampled_from(KINDS)),
    "texts": st.lists(known_sentences, min_size=2, max_size=3) | st.lists(texts, max_size=4),
    "off": heads,
    "heads": heads,
    "cells": cells,
    "hidden": st.lists(small, max_size=3),
    "beginning": st.lists(ids, max_size=5) | st.lists(st.integers(4, 79), min_size=20, max_size=60),
    "grid": st.sampled_from(["heads", "encoder", "decoder"]),
    "by": st.sampled_from(get_args(Off)),
    "start": st.just(0) | small,
    "stop": st.sampled_from([1, 2, 12]) | small,
    "notes": texts,
    "given": st.deferred(lambda: st.one_of(EXPERIMENTS, SAMPLING, anything())),
    "words": st.none() | odd,
}
FIELDS["patch"] = st.tuples(st.fixed_dictionaries({"sentence": known_sentences}), fields_of(Patch)).map(merged)
EXPERIMENTS = fields_of(Experiment)
SAMPLING = st.fixed_dictionaries(
    {"temperature": FIELDS["temperature"], "top_k": st.none() | small, "top_p": FIELDS["top_p"]}
)
FIELDS |= {"view": fields_of(View), "experiment": st.none() | EXPERIMENTS, "changes": st.none() | EXPERIMENTS}


def anything() -> SearchStrategy[Any]:
    """Where the signature says nothing: whatever the functions of this page take there."""
    return st.one_of(EXPERIMENTS, EXPERIMENTS, SAMPLING, SAMPLING, small, texts, several, odd)


def arguments_of(function: Callable[..., Any]) -> SearchStrategy[list[Any]]:
    """In order; now and then too few, too many, or odd ones."""
    parameters = inspect.signature(function).parameters.values()
    right = st.tuples(*(valued(parameter.name, parameter.annotation) for parameter in parameters)).map(list)
    more = st.tuples(right, st.lists(odd, max_size=3)).map(lambda both: [*both[0], *both[1]])
    return now_and_then(right, st.one_of(right.map(lambda given: given[:-1]), more, st.lists(odd, max_size=4)), 12)
