"""The Transformer against torch's with the same weights, rung by rung; then masks, options and parameter counts."""

import math
import re

import pytest
import torch
from cases import each_case
from pydantic import ValidationError
from reference import (
    OPTIONS,
    SRC,
    TGT_IN,
    TWO_VOCABULARIES,
    assert_near,
    blocked,
    randomised,
    sentences,
    tiny_config,
    tiny_model,
    torch_decoder,
    torch_encoder,
    torch_layer,
    with_weights_of,
)
from torch import nn

from model.attention import Dropout, causal_mask, padding_mask
from model.cache import LayerCache
from model.checkpoints.hub import error_reason
from model.checkpoints.weights import model_without_values
from model.config import ModelConfig
from model.parameters import main, parameter_table
from model.probe import Probe
from model.transformer import DecoderLayer, Encoded, EncoderLayer, Transformer


def parameter_count(module: nn.Module) -> int:
    return sum(weight.numel() for weight in module.parameters())


# Layers come before the whole, as attention does in test_layers.py: the lowest that fails has the bug.


@each_case("activation", ["relu", "gelu"])
def test_layers_equal_torchs(activation):
    config, encoded = tiny_config(activation=activation), Encoded(torch.randn(3, 7, 16), padding_mask(SRC, 0), [])
    encoder, x = randomised(EncoderLayer(config)), torch.randn(3, 7, 16)
    theirs = with_weights_of(encoder, torch_layer(nn.TransformerEncoderLayer, config))
    assert_near(encoder(x, encoded.mask).output, theirs(x, src_key_padding_mask=SRC == 0))
    decoder, x = randomised(DecoderLayer(config)), torch.randn(3, 6, 16)
    theirs = with_weights_of(decoder, torch_layer(nn.TransformerDecoderLayer, config))
    padding = {"tgt_key_padding_mask": TGT_IN == 0, "memory_key_padding_mask": SRC == 0}
    stream, _, _ = decoder(x, encoded, padding_mask(TGT_IN, 0) & causal_mask(6), LayerCache())
    assert_near(stream, theirs(x, encoded.memory, tgt_mask=blocked(6), **padding))


@each_case("changes", [{}, {"activation": "gelu"}, {"positions": "learned"}, {"n_decoder_layers": 3}, TWO_VOCABULARIES])
def test_the_whole_model_equals_torchs(changes):
    model, tgt_in = tiny_model(**changes), sentences(5, 6, 3, vocab_size=25)
    encoder, decoder = torch_encoder(model.encoder, model.config), torch_decoder(model.decoder, model.config)
    memory = encoder(model.encoder.embedding(SRC), src_key_padding_mask=SRC == 0)
    padding = {"tgt_key_padding_mask": tgt_in == 0, "memory_key_padding_mask": SRC == 0}
    states = decoder(model.decoder.embedding(tgt_in), memory, tgt_mask=blocked(6), **padding)
    expected = nn.functional.linear(states, model.projection.weight, model.projection.bias)
    assert_near(model(SRC, tgt_in).logits[tgt_in != 0], expected[tgt_in != 0])


# Masks.


def test_a_prediction_depends_on_its_own_and_earlier_pieces_and_on_no_later_one():
    model, ids, seen = tiny_model(), sentences(6), {}
    probe = Probe(lambda site, tensor: seen.update({site: tensor}))
    logits = model(SRC[:1], ids, probe).logits
    embedding = next(x for site, x in seen.items() if site[:2] == ("decoder", None) and site.tensor == "embedding")
    for t in range(6):
        (gradient,) = torch.autograd.grad(logits[0, t].square().sum(), embedding, retain_graph=True)
        depends = gradient[0].abs().amax(dim=1)
        assert (depends[: t + 1] > 1e-6).all()
        assert (depends[t + 1 :] == 0).all()


def test_a_prediction_depends_on_every_source_piece_and_on_no_padding():
    model, seen = tiny_model(), {}
    probe = Probe(lambda site, tensor: seen.setdefault(site.tensor, tensor) if site.stack == "encoder" else None)
    logits = model(SRC, TGT_IN, probe).logits
    (gradient,) = torch.autograd.grad(logits[:, 0].square().sum(), seen["embedding"])
    depends = gradient.abs().amax(dim=2)
    assert (depends[SRC != 0] > 1e-6).all()
    assert (depends[SRC == 0] == 0).all()


def test_a_sentence_in_a_batch_gets_what_it_gets_alone():
    model = tiny_model().double()
    together, alone = model(SRC, TGT_IN), model(SRC[2:, :5], TGT_IN[2:, :3])
    assert_near(together.logits[2:, :3], alone.logits, within=1e-9)
    assert_near([x[2:, :, :3, :3] for x in together.self_attention], alone.self_attention, within=1e-9)


def test_padding_is_the_id_that_the_config_says():
    model, src = tiny_model(pad_id=29), SRC.masked_fill(SRC == 0, 29)
    assert torch.equal(model.encode(src).mask[:, 0, 0], SRC != 0)
    decoded = model(src, TGT_IN)
    assert all((weights[1, :, :, 4:] == 0).all() for weights in decoded.cross_attention)
    assert all((weights[2, :, 5, 3:] > 0).all() for weights in decoded.self_attention)


def test_every_row_of_weights_sums_to_1_and_masked_cells_are_exactly_0():
    model = tiny_model()
    encoded = model.encode(SRC)
    decoded = model.decode(TGT_IN, encoded)
    src, tgt = (SRC != 0)[:, None, None], (TGT_IN != 0)[:, None, None] & ~blocked(6)
    groups = [(encoded.attention, src), (decoded.self_attention, tgt), (decoded.cross_attention, src)]
    for weights, allowed in ((weights, allowed) for layers, allowed in groups for weights in layers):
        allowed = allowed.expand_as(weights)
        assert_near(weights.sum(dim=-1), torch.ones(weights.shape[:-1]), within=1e-6)
        assert (weights[~allowed] == 0).all()
        assert (weights[allowed] > 0).all()


# Sizes and options.


@each_case(("tying", "tables"), [("none", 3), ("output", 2), ("all", 1)])
def test_tying_shares_the_tables_that_it_names(tying, tables):
    model = tiny_model(tying=tying)
    src, tgt = model.encoder.embedding.tokens.weight, model.decoder.embedding.tokens.weight
    assert (model.projection.weight is tgt) == (tying != "none")
    assert (src is tgt) == (tying == "all")
    assert parameter_count(model) == parameter_count(tiny_model()) + (tables - 1) * 30 * 16


@each_case("changes", OPTIONS)
def test_every_weight_gets_a_finite_gradient(changes):
    model = tiny_model(**changes).train()
    model(SRC, sentences(5, 6, 3, vocab_size=25)).logits.square().sum().backward()
    assert all(weight.grad is not None and weight.grad.isfinite().all() for weight in model.parameters())


def test_a_new_model_has_scaled_embeddings_of_variance_1_xavier_matrices_and_no_bias():
    torch.manual_seed(0)
    model = Transformer(tiny_config(src_vocab_size=1000, tgt_vocab_size=1000))
    # Five standard errors of a standard deviation estimated from 16,000 numbers.
    assert abs(model.encoder.embedding.tokens.weight.std() * 4 - 1) < 5 / math.sqrt(2 * 16_000)
    layer = model.decoder.layers[0]
    assert not any(linear.bias.any() for linear in (layer.cross_attention.w_k, layer.feed_forward.w_1))
    assert 0.95 < layer.feed_forward.w_1.weight.abs().max() / math.sqrt(6 / (16 + 24)) <= 1


def test_dropout_falls_on_the_embedding_the_weights_and_each_sublayers_output():
    model, seen = tiny_model(dropout=0.5).train(), {}
    encoded = model.encode(SRC, Probe(lambda site, tensor: seen.update({site[1:]: tensor})))
    stream, attention = seen[None, None, "stream"], "self_attention"
    after_attention = seen[0, attention, "sum"] - stream
    after_feed_forward = seen[0, "feed_forward", "sum"] - seen[0, attention, "stream"]
    assert all(0.25 < (x == 0).float().mean() < 0.75 for x in (stream, after_attention, after_feed_forward))
    assert not torch.allclose(seen[0, attention, "heads"], encoded.attention[0] @ seen[0, attention, "v"], atol=0.01)
    assert {module.p for module in model.modules() if isinstance(module, Dropout)} == {0.5}


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


# The rows with parameters of the article's torchinfo table, in its order. Its LayerNorm is our AddNorm; it projects
# queries, keys and values in one matrix, as many numbers as our three; its positional encoding and dropout hold none.
ENCODER_LAYER = [1_050_624, 1_024, 2_099_712, 1_024]
DECODER_LAYER = [1_050_624, 1_024, 1_050_624, 1_024, 2_099_712, 1_024]
ARTICLE = [51_200, *(6 * ENCODER_LAYER), 61_440, *(6 * DECODER_LAYER), 61_560]


def test_the_seed_preset_has_the_articles_parameters_row_by_row():
    whole, *parts = parameter_table(model_without_values(ModelConfig.preset("seed")))
    blocks = [part for part in parts if re.search(r"tokens|layers\.\d+\.\w+$|projection", part.path)]
    assert [part.parameters for part in blocks] == ARTICLE
    assert whole.parameters == sum(ARTICLE) == 44_312_696


def test_a_tied_matrix_is_counted_once_and_its_owner_named():
    found = {part.path: part for part in parameter_table(tiny_model())}
    assert found["encoder.embedding.tokens"].parameters == 30 * 16
    assert found["decoder.embedding.tokens"].parameters == 0
    assert found["decoder.embedding.tokens"].tied == {"weight": "encoder.embedding.tokens.weight"}
    assert found["projection"].parameters == 30  # its bias
    assert found["projection"].shapes_text == "weight [30, 16] (that of encoder.embedding.tokens), bias [30]"


def test_the_command_prints_the_table_of_a_preset_or_of_the_shipped_checkpoint(shipped, capsys):
    main(["--preset", "seed"])
    lines = capsys.readouterr().out.splitlines()
    attention = next(line for line in lines if "MultiHeadAttention" in line)
    assert attention.startswith("        self_attention") and attention.endswith("1,050,624     2.37%")
    assert lines[-1] == "44,312,696 parameters: 177.25 MB as 32-bit floats"
    main([])
    assert f"\n{sum(weight.numel() for weight in shipped.model.parameters()):,} parameters" in capsys.readouterr().out
