"""Tiny models and sentences to test with, and torch's own modules with our weights to compare them to."""

from typing import TypeVar

import torch
from torch import Tensor, nn

from model.config import ModelConfig
from model.transformer import Decoder, Encoder, Transformer

Module = TypeVar("Module", bound=nn.Module)

TORCH_NAMES = {
    "self_attention_norm.norm": "norm1",
    "cross_attention_norm.norm": "norm2",
    "self_attention": "self_attn",
    "cross_attention": "multihead_attn",
    "w_o": "out_proj",
    "feed_forward.w_1": "linear1",
    "feed_forward.w_2": "linear2",
}
TWO_VOCABULARIES = {"tgt_vocab_size": 25, "shared_vocabulary": False, "tying": "none"}
OPTIONS = [
    {},
    {"d_head": 3, "d_value": 5},
    {"n_heads": 3, "d_head": 4},
    {"attention_bias": False},
    {"positions": "learned"},
    {"activation": "gelu"},
    {"activation": "silu", "positions": "sinusoidal halves"},
    {"n_layers": 1, "n_decoder_layers": 3},
    {**TWO_VOCABULARIES, "src_vocab_size": 35},
]


def tiny_config(**changes) -> ModelConfig:
    sizes = {"src_vocab_size": 30, "tgt_vocab_size": 30, "max_len": 20}
    return ModelConfig(**{**sizes, "n_layers": 2, "n_heads": 4, "d_model": 16, "d_ff": 24, **changes})


def randomised(module: Module) -> Module:
    """In eval mode, with noise on every weight: a bias of 0 or a scale of 1 would hide that it is not used."""
    torch.manual_seed(1)
    with torch.no_grad():
        for weight in module.parameters():
            weight.add_(torch.randn_like(weight), alpha=0.2)
    return module.eval()


def tiny_model(**changes) -> Transformer:
    torch.manual_seed(0)
    return randomised(Transformer(tiny_config(**changes)))


def sentences(*lengths: int, vocab_size: int = 30) -> Tensor:
    """Random ids, a row for each length, padded with 0 on the right."""
    torch.manual_seed(sum(lengths))
    rows = [torch.randint(4, vocab_size, (length,)) for length in lengths]
    return nn.utils.rnn.pad_sequence(rows, batch_first=True)


SRC = sentences(7, 4, 5)
TGT_IN = sentences(5, 6, 3)


def assert_near(ours, theirs, within: float = 1e-5) -> None:
    torch.testing.assert_close(ours, theirs, rtol=0, atol=within)


def torch_weights(ours: nn.Module) -> dict[str, Tensor]:
    """Our weights under torch's names; torch keeps W_Q, W_K and W_V in one matrix."""
    weights = ours.state_dict()
    in_decoder = any("cross_attention" in name for name in weights)
    names = {**TORCH_NAMES, "feed_forward_norm.norm": "norm3" if in_decoder else "norm2"}
    theirs = {}
    for name, weight in weights.items():
        if "w_k." in name or "w_v." in name:
            continue
        if "w_q." in name:
            weight = torch.cat([weights[name.replace("w_q.", f"w_{x}.")] for x in "qkv"])
            name = name.replace("w_q.", "in_proj_")
        for our_name, their_name in names.items():
            name = name.replace(our_name, their_name)
        theirs[name] = weight
    return theirs


def with_weights_of(ours: nn.Module, theirs: Module) -> Module:
    theirs.load_state_dict(torch_weights(ours))
    return theirs.eval()


def torch_layer(kind: type[Module], config: ModelConfig) -> Module:
    """A layer of torch's, in our sizes, without dropout."""
    return kind(config.d_model, config.n_heads, config.d_ff, 0.0, config.activation, batch_first=True)


def torch_encoder(ours: Encoder, config: ModelConfig) -> nn.TransformerEncoder:
    layer = torch_layer(nn.TransformerEncoderLayer, config)
    theirs = nn.TransformerEncoder(layer, config.n_layers, norm=None, enable_nested_tensor=False)
    with_weights_of(ours.layers, theirs.layers)
    return theirs.eval()


def torch_decoder(ours: Decoder, config: ModelConfig) -> nn.TransformerDecoder:
    layer = torch_layer(nn.TransformerDecoderLayer, config)
    theirs = nn.TransformerDecoder(layer, config.n_decoder_layers, norm=None)
    with_weights_of(ours.layers, theirs.layers)
    return theirs.eval()


def blocked(length: int) -> Tensor:
    """Torch's causal mask: True above the diagonal."""
    return torch.ones(length, length, dtype=torch.bool).triu(diagonal=1)
