"""The average of a run's last weights."""

from torch import nn

from model.training.trainer import WeightAverage


def test_weights_are_averaged_over_the_moments_that_were_added():
    layer, average = nn.Linear(2, 1), WeightAverage()
    for value in (1.0, 2.0, 6.0):
        nn.init.constant_(layer.weight, value)
        average.add(layer)
    nn.init.zeros_(layer.weight)
    average.apply_to(layer)
    assert layer.weight.tolist() == [[3.0, 3.0]]


def test_an_average_of_nothing_leaves_the_weights_alone():
    layer = nn.Linear(2, 1)
    before = layer.weight.tolist()
    WeightAverage().apply_to(layer)
    assert layer.weight.tolist() == before
