"""The configuration: presets, what is refused, and sizes that follow from others."""

import re

import pytest
from cases import each_case
from pydantic import ValidationError
from reference import tiny_config

from model.checkpoints.hub import error_reason


@each_case(
    ("changes", "message"),
    [
        ({"n_layers": 0}, "n_layers: input should be greater than or equal to 1, not 0"),
        ({"d_model": 15, "d_head": 4}, "even, .* not 15"),
        ({"n_heads": 3}, "d_model 16 is not divisible by n_heads 3"),
        ({"tgt_vocab_size": 31}, "one size, not 30 and 31"),
        ({"shared_vocabulary": False}, "tying 'all' needs a shared vocabulary"),
        ({"activation": "swish"}, "activation: input should be .*, not 'swish'"),
    ],
)
def test_bad_values_are_refused_by_name_and_number(changes, message):
    with pytest.raises(ValidationError) as refused:
        tiny_config(**changes)
    assert re.search(message, error_reason(refused.value))
