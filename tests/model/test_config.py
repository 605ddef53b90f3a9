"""The configuration: presets, what is refused, and sizes that follow from others."""

import re

import pytest
from cases import each_case
from pydantic import ValidationError
from reference import tiny_config, tiny_model

from model.checkpoints.hub import error_reason
from model.config import ModelConfig


def test_presets_take_changes_and_an_unknown_one_is_refused():
    assert ModelConfig.preset("small") == ModelConfig()
    assert ModelConfig.preset("base", n_layers=3, dropout=0.3) == ModelConfig(
        n_layers=3, d_model=512, d_ff=2048, dropout=0.3
    )
    with pytest.raises(ValueError, match="'huge', only small, base, seed"):
        ModelConfig.preset("huge")


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


def test_head_widths_follow_d_model_unless_given():
    sizes = [tiny_config(), tiny_config(d_head=3), tiny_config(d_value=5), tiny_config(n_heads=3, d_head=6)]
    assert [(config.d_head, config.d_value) for config in sizes] == [(4, 4), (3, 3), (4, 5), (6, 6)]
    projections = tiny_model(d_head=3, d_value=5).decoder.layers[1].cross_attention
    assert projections.w_k.weight.shape == (12, 16)
    assert projections.w_v.weight.shape == (20, 16)
