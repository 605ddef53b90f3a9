"""The value of an experiment, and its way through JSON."""

import json

import pytest
from cases import each_case

from explorer.experiments.experiment import CellAt, Experiment, HeadAt, Patch, experiment_of

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
    assert hash(experiment_of(experiment.json())) == hash(experiment)


def test_json_holds_only_what_differs():
    assert Experiment(seed=2).json() == {"seed": 2}


@each_case(
    ("given", "named"),
    [
        ({"off": [["cross", 1]]}, "off.0.2"),
        ({"off": [["cros", 1, 2]]}, "off.0.0"),
        ({"off": [["cross", 1, True]]}, "off.0.2"),
        ({"offf": 1}, "offf"),
        ({"shift": -1}, "shift"),
        ({"seed": 1.5}, "seed"),
        ({"patch": {"sentence": "A cat.", "cells": [["encoder", -2, 0]]}}, "patch.cells.0.1"),
        ([], "all of it"),
        ({"source": {1, 2}}, "set"),
    ],
)
def test_what_is_no_experiment_is_refused_with_the_field_that_is_wrong(given, named):
    with pytest.raises(ValueError, match=f"This is no experiment: .*{named}"):
        experiment_of(given)
