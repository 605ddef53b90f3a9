"""The value of an experiment, its way through JSON, and which pieces of two translations correspond."""

import json

import pytest
from cases import each_case

from explorer.experiments.differences import match_elements, match_permutation, pair_pieces
from explorer.experiments.experiment import CellAt, Experiment, HeadAt, Patch, experiment_of
from explorer.recording.trace import record

EVERYTHING = Experiment(
    source="A dog.",
    word_order=3,
    hidden=(1, 2),
    beginning=(5, 6),
    off=(HeadAt("cross", 1, 0),),
    off_by="mean",
    encoder_positions="off",
    decoder_positions="shifted",
    seed=4,
    shift=7,
    patch=Patch("A cat.", heads=(HeadAt("decoder", 0, 1),), cells=(CellAt("encoder", -1, 2),)),
)


@each_case("experiment", [Experiment(), EVERYTHING])
def test_an_experiment_survives_json(experiment):
    assert experiment_of(json.loads(json.dumps(experiment.json()))) == experiment
    assert hash(experiment_of(experiment.json())) == hash(experiment) and Experiment(seed=2).json() == {"seed": 2}


@each_case(
    ("given", "named"),
    [
        ({"off": [["cross", 1]]}, "off.0.2"),
        ({"off": [["cross", 1, True]]}, "off.0.2"),
        ({"offf": 1}, "offf"),
        ({"shift": -1}, "shift"),
        ({"patch": {"sentence": "A cat.", "cells": [["encoder", -2, 0]]}}, "patch.cells.0.1"),
        ([], "all of it"),
        ({"source": {1, 2}}, "set"),
    ],
)
def test_what_is_no_experiment_is_refused_with_the_field_that_is_wrong(given, named):
    with pytest.raises(ValueError, match=f"This is no experiment: .*{named}"):
        experiment_of(given)


def test_elements_correspond_where_they_are_the_same_or_were_replaced_one_by_one():
    for first, second, partners in (
        ("abcd", "abcd", (0, 1, 2, 3)),
        ("abd", "abcd", (0, 1, None, 2)),  # put in
        ("abcd", "abd", (0, 1, 3)),  # left out
        ("axd", "ayd", (0, 1, 2)),
        ("axd", "ayzd", (0, None, None, 2)),
    ):
        assert match_elements(first, second) == partners
    assert match_permutation([7, 8, 7], [7, 7, 8]) == (0, 2, 1)  # the nth of several equal ones goes with the nth


def test_words_in_another_order_correspond_to_themselves(toy):
    first, second = record(toy, "The dog sleeps."), record(toy, "sleeps dog The.")
    pairs = pair_pieces(first, second).source
    assert sorted(pairs, key=int) == list(range(len(first.source))) and list(pairs) != sorted(pairs, key=int)
    assert [first.source[place].id for place in pairs if place is not None] == [piece.id for piece in second.source]


def test_a_translation_corresponds_to_itself(toy):
    trace = record(toy, "The dog sleeps.")
    assert pair_pieces(trace, trace) == (tuple(range(len(trace.source))), tuple(range(len(trace.steps))))
