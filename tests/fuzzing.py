"""What the fuzz tests draw: odd values, arguments by a function's signature, addresses; a guard against hanging."""

import faulthandler
import inspect
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints
from urllib.parse import quote, urlencode

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from typing_extensions import is_typeddict

from explorer.attention_view.component import View
from explorer.experiments.experiment import Experiment, Off, Patch
from explorer.lessons.url_state import EXPERIMENT_FIELDS, PATCH_FIELDS, VIEW_NAMES
from model.probe import KINDS

ALL = 2000  # examples with --thorough (tests/conftest.py)
HANGS = 60  # seconds: an example takes milliseconds
LONGEST = 1200  # characters of a sentence that refuses something: what is refused is not told at length

# For tests with other threads: beartype draws from `random` there, whenever it looks into a list, and Hypothesis takes
# this for a strategy's doing, of which it then writes all.
BESIDE = [
    pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies"),
    pytest.mark.filterwarnings("ignore:Generating overly large repr"),
]

# Parts of Python that nobody wants to read instead of a reason.
INTERNAL = re.compile(
    r"Traceback|<class |<\w+ object|\bobject at 0x|ArgsKwargs|NoneType|PydanticUndefined|__\w+__|"
    r"codec can't|recursion depth|integer string conversion|\w+(Error|Exception)\b",
    re.ASCII,
)

# Blank, invisible, right-to-left, combining, control, half a surrogate pair, markup, formulas, escapes, braces.
ODD_TEXTS = [
    *["", " ", "\t\r\n", "\u200b", "\ufeff", "\u2028", "\u202e.neddih si sihT", "e\u0301" * 40, "字" * 30, "ﷺ" * 20],
    *["\x00", "\x1b[31m", "\x7f", "\ud800", "A cat\udfff.", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "“”‘’…"],
    *["<script>alert(1)</script>", "%{x}", "{0}", "{sentence}", "=1+1", "../../etc/passwd"],
    *["null", "NaN", "-0", "1e999"],
    *["▁", "<unk>", "</s>", "<pad>", "a" * 401, "a b " * 100, "x" * 20_000],
]
SENTENCES = [
    "The cat sleeps on the old chair.",
    "The dog sleeps under the table.",
    "She reads.",
    "We drink cold water.",
]
NUMBERS = [0, 1, 2, 3, 7, -1, -(2**31), 2**31 - 1, 2**31, 2**53, 2**63, 10**30, 10**400, 0.5, -0.0, 1e-320, 1e308]

sentences = st.sampled_from(SENTENCES)
texts = st.one_of(sentences, sentences, st.sampled_from(ODD_TEXTS), st.text(max_size=60))
odd_numbers = st.one_of(st.sampled_from(NUMBERS), st.integers(), st.floats(allow_nan=False, allow_infinity=False))
leaves = st.one_of(st.none(), st.booleans(), odd_numbers, st.sampled_from(ODD_TEXTS), st.text(max_size=20))
odd = st.recursive(
    leaves,
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=8), inside, max_size=4),
    max_leaves=8,
)


def now_and_then(usual: SearchStrategy[Any], rare: SearchStrategy[Any], one_in: int = 10) -> SearchStrategy[Any]:
    """Mostly the usual, so that most examples get beyond the first check."""
    return st.sampled_from([usual] * (one_in - 1) + [rare]).flatmap(lambda chosen: chosen)


def examples(of_all: int) -> settings:
    """A test's part of the 2,000 examples of --thorough, and the same part of an ordinary round's."""
    return settings(max_examples=max(1, settings.default.max_examples * of_all // ALL))


class Hangs(AssertionError):
    """An example that takes too long."""


@contextmanager
def guarded() -> Iterator[None]:
    """An example that hangs fails; one that hangs outside of Python ends the run and says where it was."""

    def hangs(*_: Any) -> None:
        raise Hangs(f"no answer within {HANGS} s")

    before = signal.signal(signal.SIGALRM, hangs)
    signal.setitimer(signal.ITIMER_REAL, HANGS)
    faulthandler.dump_traceback_later(3 * HANGS, exit=True, file=sys.__stderr__)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def is_sentence(text: Any, sent: object = "") -> None:
    """Fails unless the text is a reason that somebody can read. It may repeat what was sent, whatever that was."""
    assert isinstance(text, str), text
    assert 8 <= len(text) <= LONGEST, f"{len(text)} characters: {text[:200]!r}"
    known = sent.decode("utf-8", "replace") if isinstance(sent, bytes) else repr(sent)
    assert not [found[0] for found in INTERNAL.finditer(text) if found[0] not in known], text
    assert text.rstrip()[-1] in ".!?…”)", text


WORDS = [
    *["heads", "encoder", "decoder", "cross", "zero", "uniform", "mean", "special", "max"],
    *["rollout", "weight", "length", "off", "shuffled", "shifted"],
]
NAMES = st.sampled_from(["layer", "head", "axis", "index", "query", "key"])

small = now_and_then(st.sampled_from([0, 1, 0, 1, 0, 1, 2, 3]), odd_numbers, 12)
known_sentences = now_and_then(sentences, texts, 6)
heads = st.lists(st.tuples(st.sampled_from(KINDS), small, small).map(list), max_size=3)
cells = st.lists(st.tuples(st.sampled_from(["encoder", "decoder"]), small, small).map(list), max_size=3)
neurons = st.lists(
    st.tuples(st.sampled_from(["encoder", "decoder"]), small, small, odd_numbers, st.none() | small).map(list),
    max_size=3,
)
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
    return now_and_then(VALUES_BY_NAME[name] if name in VALUES_BY_NAME else of_type(kind), odd, 25)


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
VALUES_BY_NAME: dict[str, SearchStrategy[Any]] = {
    **dict.fromkeys(("sentence", "text", "put_into", "taken_from"), known_sentences),
    **dict.fromkeys(("temperature", "top_p"), now_and_then(st.floats(0.1, 1.5), odd_numbers, 4)),
    **dict.fromkeys(("seed", "width", "count", "step", "piece"), small),
    **dict.fromkeys(("kind",), st.sampled_from(KINDS)),
    "texts": st.lists(known_sentences, min_size=2, max_size=3) | st.lists(texts, max_size=4),
    "off": heads,
    "heads": heads,
    "cells": cells,
    "neurons": neurons,
    "hidden": st.lists(small, max_size=3),
    "beginning": st.lists(ids, max_size=5) | st.lists(st.integers(4, 79), min_size=20, max_size=60),
    "module": st.sampled_from(["projection", "encoder", "decoder.layers.1.feed_forward_norm.norm"]) | texts,
    "grid": st.sampled_from(["heads", "encoder", "decoder"]),
    "by": st.sampled_from(get_args(Off)),
    "start": st.just(0) | small,
    "stop": st.sampled_from([1, 2, 12]) | small,
    "notes": texts,
    "given": st.deferred(lambda: st.one_of(EXPERIMENTS, SAMPLING, anything())),
    "words": st.none() | odd,
}
VALUES_BY_NAME["patch"] = st.tuples(st.fixed_dictionaries({"sentence": known_sentences}), fields_of(Patch)).map(merged)
EXPERIMENTS = fields_of(Experiment)
SAMPLING = st.fixed_dictionaries(
    {"temperature": VALUES_BY_NAME["temperature"], "top_k": st.none() | small, "top_p": VALUES_BY_NAME["top_p"]}
)
VALUES_BY_NAME |= {"view": fields_of(View), "experiment": st.none() | EXPERIMENTS, "changes": st.none() | EXPERIMENTS}


def anything() -> SearchStrategy[Any]:
    """Where the signature says nothing: whatever the functions of this page take there."""
    return st.one_of(EXPERIMENTS, EXPERIMENTS, SAMPLING, SAMPLING, small, texts, several, odd)


def arguments_of(function: Callable[..., Any]) -> SearchStrategy[list[Any]]:
    """In order; now and then too few, too many, or odd ones."""
    parameters = inspect.signature(function).parameters.values()
    right = st.tuples(*(valued(parameter.name, parameter.annotation) for parameter in parameters)).map(list)
    more = st.tuples(right, st.lists(odd, max_size=3)).map(lambda both: [*both[0], *both[1]])
    return now_and_then(right, st.one_of(right.map(lambda given: given[:-1]), more, st.lists(odd, max_size=4)), 12)


CHANGES = (*EXPERIMENT_FIELDS, *PATCH_FIELDS)
ADDRESS_NAMES = [*VIEW_NAMES, *VIEW_NAMES, *(f"lab.{name}" for name in CHANGES)]  # which links of before have
ADDRESS_NAMES += ["sentence", "tab", "run", "drawer.panel", "lab.station", "hide", "lang"]

address_numbers = st.sampled_from(
    ["1", "2", "3", "4", "7", "0", "-1", "1e3", "01", "999999", "1000000", " 1", "١", "1.5"]
)
address_choices = st.sampled_from(
    [
        *[*KINDS, "picture", "heads", "mean", "max", "rollout", "weight", "length", "key", "query", "fixed", "row"],
        *["auto", "table", "heatmap", "ribbon", "beside", "difference", "off", "zero", "shuffled", "shifted", "60"],
    ]
)
address_parts = address_numbers | address_choices
address_values = st.one_of(
    address_parts,
    st.lists(address_parts, min_size=2, max_size=4).map(".".join),
    st.lists(st.lists(address_parts, min_size=3, max_size=3).map(".".join), min_size=1, max_size=3).map(",".join),
    st.sampled_from([text for text in ODD_TEXTS if text.isprintable()]),
    st.sampled_from(["constructor", "__proto__", "toString", "[object Object]", "undefined"]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
)
change_texts = st.lists(st.builds("{}.{}".format, st.sampled_from(CHANGES), address_values), max_size=3).map("_".join)
address_names = now_and_then(
    st.sampled_from(ADDRESS_NAMES), st.sampled_from(["", ".", "lab.", "__proto__", "constructor", "x.y.z"])
)
address_entries = st.tuples(address_names, address_values) | st.tuples(st.just("change"), change_texts)
queries = st.lists(address_entries, max_size=5).map(lambda found: f"?{urlencode(found, quote_via=quote)}")
raw_queries = st.text(st.sampled_from("?&=%+.,;#/abkind1é"), max_size=30).map(lambda text: f"?{text}")
addresses = now_and_then(queries, raw_queries | st.builds(lambda query: query + "&%zz=%ff", queries))
