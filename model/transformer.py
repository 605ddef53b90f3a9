"""The Transformer: encoder and decoder layers, the two stacks, and the whole (section 3.1 of the paper).

There is no normalisation at the end of a stack beyond that of its last sub-layer.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from model.attention import AttentionOutput, Mask, MultiHeadAttention, causal_mask, padding_mask
from model.cache import Cache, LayerCache
from model.config import ModelConfig
from model.layers import AddNorm, Embedding, FeedForward, make_attention
from model.probe import ATTENTION, NO_PROBE, Kind, Probe


@dataclass(frozen=True, eq=False)
class Encoded:
    """The encoder's output, with its padding mask."""

    memory: Float[Tensor, "batch src d_model"]
    mask: Bool[Tensor, "batch 1 1 src"]
    attention: list[Float[Tensor, "batch head src src"]]

    def select(self, rows: Int[Tensor, "row"]) -> "Encoded":
        """The same for some sentences of the batch, in the order of `rows`."""
        return Encoded(self.memory[rows], self.mask[rows], [weights[rows] for weights in self.attention])


class DecoderOutput(NamedTuple):
    """The decoder's last stream, and every layer's weights."""

    states: Float[Tensor, "batch tgt d_model"]
    self_attention: list[Float[Tensor, "batch head tgt key"]]
    cross_attention: list[Float[Tensor, "batch head tgt src"]]


@dataclass(frozen=True, eq=False)
class Decoded:
    """A prediction of every next piece: row t belongs to the piece fed at t and predicts the piece after it."""

    logits: Float[Tensor, "batch tgt vocab"]
    self_attention: list[Float[Tensor, "batch head tgt key"]]
    cross_attention: list[Float[Tensor, "batch head tgt src"]]


class EncoderLayer(nn.Module):
    """Self-attention, then feed-forward."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.self_attention = make_attention(config)
        self.self_attention_norm = AddNorm(config)
        self.feed_forward = FeedForward(config)
        self.feed_forward_norm = AddNorm(config)

    def forward(self, x: Float[Tensor, "batch src d_model"], mask: Mask, probe: Probe = NO_PROBE) -> AttentionOutput:
        attention_probe = probe.at(sublayer="self_attention")
        attended = self.self_attention(query=x, key=x, value=x, mask=mask, probe=attention_probe)
        x = self.self_attention_norm(x, attended.output, attention_probe)
        feed_forward_probe = probe.at(sublayer="feed_forward")
        x = self.feed_forward_norm(x, self.feed_forward(x, feed_forward_probe), feed_forward_probe)
        return AttentionOutput(x, attended.weights)


class DecoderLayer(nn.Module):
    """Masked self-attention, cross-attention to the memory, then feed-forward."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.self_attention = make_attention(config)
        self.self_attention_norm = AddNorm(config)
        self.cross_attention = make_attention(config)
        self.cross_attention_norm = AddNorm(config)
        self.feed_forward = FeedForward(config)
        self.feed_forward_norm = AddNorm(config)

    def forward(
        self,
        x: Float[Tensor, "batch tgt d_model"],
        encoded: Encoded,
        mask: Mask,
        cache: LayerCache,
        probe: Probe = NO_PROBE,
    ) -> tuple[
        Float[Tensor, "batch tgt d_model"], Float[Tensor, "batch head tgt fed"], Float[Tensor, "batch head tgt src"]
    ]:
        """Returns the stream, the self-attention weights and the cross-attention weights."""
        attention_probe = probe.at(sublayer="self_attention")
        fed = cache.extend(self.self_attention.keys_values(key=x, value=x, probe=attention_probe))
        self_attended = self.self_attention.attend(x, fed, mask, attention_probe)
        x = self.self_attention_norm(x, self_attended.output, attention_probe)

        cross_probe = probe.at(sublayer="cross_attention")
        if cache.memory is None:
            cache.memory = self.cross_attention.keys_values(key=encoded.memory, value=encoded.memory, probe=cross_probe)
        cross = self.cross_attention.attend(x, cache.memory, encoded.mask, cross_probe)
        x = self.cross_attention_norm(x, cross.output, cross_probe)

        feed_forward_probe = probe.at(sublayer="feed_forward")
        x = self.feed_forward_norm(x, self.feed_forward(x, feed_forward_probe), feed_forward_probe)
        return x, self_attended.weights, cross.weights


def reset_parameters(module: nn.Module, d_model: int) -> None:
    """Xavier-uniform matrices, zero biases; embeddings of variance 1 / d_model, so that scaled ones have 1."""
    for part in module.modules():
        if isinstance(part, nn.Linear):
            nn.init.xavier_uniform_(part.weight)
            if part.bias is not None:
                nn.init.zeros_(part.bias)
        elif isinstance(part, nn.Embedding):
            nn.init.normal_(part.weight, std=d_model**-0.5)


class Encoder(nn.Module):
    """Source ids to memory; to train it alone, call `reset_parameters` first."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.pad_id = config.pad_id
        self.embedding = Embedding(config.src_vocab_size, config)
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.n_layers))

    def forward(self, src: Int[Tensor, "batch src"], probe: Probe = NO_PROBE) -> Encoded:
        probe = probe.at(stack="encoder")
        src = probe("ids", src)
        mask = probe("mask", padding_mask(src, self.pad_id))
        return self.forward_from(0, self.embedding(src, probe=probe), mask, probe)

    def forward_from(
        self, first: int, x: Float[Tensor, "batch src d_model"], mask: Mask, probe: Probe = NO_PROBE
    ) -> Encoded:
        """The layers from `first` on; `x` is the stream that enters it."""
        attention = []
        for i, layer in enumerate(self.layers[first:], first):
            x, weights = layer(x, mask, probe.at(layer=i))
            attention.append(weights)
        return Encoded(x, mask, attention)


class Decoder(nn.Module):
    """Target ids and memory to the states from which the next pieces are predicted."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.pad_id = config.pad_id
        self.starts_from_padding = config.start == "pad"
        self.embedding = Embedding(config.tgt_vocab_size, config)
        self.layers = nn.ModuleList(DecoderLayer(config) for _ in range(config.n_decoder_layers))

    def forward(
        self,
        tgt_in: Int[Tensor, "batch tgt"],
        encoded: Encoded,
        cache: Cache | None = None,
        probe: Probe = NO_PROBE,
    ) -> DecoderOutput:
        """With a cache, `tgt_in` contains only the ids that were not fed before."""
        probe = probe.at(stack="decoder")
        memory, memory_mask = probe("memory", encoded.memory), probe("memory_mask", encoded.mask)
        encoded = replace(encoded, memory=memory, mask=memory_mask)
        cache, tgt_in = cache or Cache(len(self.layers)), probe("ids", tgt_in)
        fed = cache.extend(tgt_in)
        start = fed.size(1) - tgt_in.size(1)
        mask = padding_mask(fed, self.pad_id) & causal_mask(fed.size(1), fed.device)[:, :, start:]
        if self.starts_from_padding:
            mask[..., 0] = True  # the piece that decoding starts from is no padding, and every query may attend to it
        mask = probe("mask", mask)
        x = self.embedding(tgt_in, start, probe)
        return self.forward_from(0, x, encoded=encoded, mask=mask, cache=cache, probe=probe)

    def forward_from(
        self,
        first: int,
        x: Float[Tensor, "batch tgt d_model"],
        *,
        encoded: Encoded,
        mask: Mask,
        cache: Cache,
        probe: Probe = NO_PROBE,
    ) -> DecoderOutput:
        """The layers from `first` on; `x` is the stream that enters it."""
        self_attention, cross_attention = [], []
        for i, layer in enumerate(self.layers[first:], first):
            x, self_attended, cross = layer(x, encoded, mask, cache.layers[i], probe.at(layer=i))
            self_attention.append(self_attended)
            cross_attention.append(cross)
        return DecoderOutput(x, self_attention, cross_attention)


class Transformer(nn.Module):
    """The encoder-decoder of figure 1 of the paper."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.config = config
        self.encoder = Encoder(config)
        self.decoder = Decoder(config)
        self.projection = nn.Linear(config.d_model, config.tgt_vocab_size)
        reset_parameters(self, config.d_model)
        if config.tying == "all":
            self.decoder.embedding.tokens.weight = self.encoder.embedding.tokens.weight
        if config.tying != "none":
            self.projection.weight = self.decoder.embedding.tokens.weight

    def encode(self, src: Int[Tensor, "batch src"], probe: Probe = NO_PROBE) -> Encoded:
        return self.encoder(src, probe)

    def decode(
        self,
        tgt_in: Int[Tensor, "batch tgt"],
        encoded: Encoded,
        cache: Cache | None = None,
        probe: Probe = NO_PROBE,
    ) -> Decoded:
        """With a cache, `tgt_in` contains only the ids that were not fed before."""
        states, self_attention, cross_attention = self.decoder(tgt_in, encoded, cache, probe)
        logits = probe.at(stack="decoder")("logits", self.projection(states))
        return Decoded(logits, self_attention, cross_attention)

    def forward(
        self, src: Int[Tensor, "batch src"], tgt_in: Int[Tensor, "batch tgt"], probe: Probe = NO_PROBE
    ) -> Decoded:
        return self.decode(tgt_in, self.encode(src, probe), probe=probe)


def attention_at(model: Transformer, kind: Kind, layer: int) -> MultiHeadAttention:
    """The attention module of a kind and layer."""
    site = ATTENTION[kind]
    return getattr(getattr(model, site.stack).layers[layer], str(site.sublayer))
