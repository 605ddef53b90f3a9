"""The sizes and options of a Transformer, and the named ones."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter
from pydantic.dataclasses import dataclass

from model.errors import UserError

Activation = Literal["relu", "gelu", "silu"]
Positions = Literal["sinusoidal", "sinusoidal halves", "learned", "none"]
Start = Literal["bos", "pad"]
Tying = Literal["none", "output", "all"]

# The upper bounds lie far beyond what a page or a lesson can show; no model reaches several of them at once.
VocabularySize = Annotated[int, Field(ge=1, le=2_000_000)]
Count = Annotated[int, Field(ge=1, le=256)]
Width = Annotated[int, Field(ge=1, le=65_536)]
Length = Annotated[int, Field(ge=1, le=8192)]  # computed positions take memory that no file has to hold

PRESETS = {
    # The shipped recipe.
    "small": {},
    # The paper's base model, on the same tokenizer.
    "base": {"n_layers": 6, "d_model": 512, "d_ff": 2048},
    # The model of the walkthrough article: 44,312,696 parameters.
    "seed": {
        "src_vocab_size": 100,
        "tgt_vocab_size": 120,
        "n_layers": 6,
        "d_model": 512,
        "d_ff": 2048,
        "max_len": 200,
        "shared_vocabulary": False,
        "tying": "none",
    },
}


@dataclass(frozen=True, config=ConfigDict(strict=True, extra="forbid", allow_inf_nan=False))
class ModelConfig:
    """The sizes and options of a Transformer; the defaults are those of the shipped checkpoint."""

    src_vocab_size: VocabularySize = 16000  # pieces of the source language
    tgt_vocab_size: VocabularySize = 16000  # pieces of the target language
    n_layers: Count = 4  # layers of the encoder
    n_decoder_layers: Annotated[int, Field(ge=0, le=256)] = 0  # layers of the decoder; 0: as many as the encoder has
    n_heads: Count = 8  # attention heads of every attention
    d_model: Width = 256  # width of the residual stream
    d_ff: Annotated[int, Field(ge=1, le=262_144)] = 3072  # width of the feed-forward network's hidden layer
    d_head: Annotated[int, Field(ge=0, le=65_536)] = 0  # width of a head's queries and keys; 0: d_model / n_heads
    d_value: Annotated[int, Field(ge=0, le=65_536)] = 0  # width of a head's values; 0: d_head
    max_len: Length = 512  # longest sequence, in pieces with start or end
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.1  # on embeddings, attention weights and sub-layer outputs
    activation: Activation = "relu"  # of the feed-forward network
    positions: Positions = "sinusoidal"  # sine and cosine in turn, all sines first, a learned table, or none
    attention_bias: bool = True  # biases in the four attention projections
    shared_vocabulary: bool = True  # one vocabulary for both languages
    tying: Tying = "all"  # one matrix for: nothing; target and output; source, target and output
    start: Start = "bos"  # the piece that decoding starts from: one of its own, or the padding piece
    pad_id: int = 0  # the tokenizer's padding id

    def __post_init__(self):
        if not 0 <= self.pad_id < min(self.src_vocab_size, self.tgt_vocab_size):
            raise ValueError(f"pad_id {self.pad_id} is not in the vocabulary")
        if self.d_model % 2:
            raise ValueError(f"d_model must be even, for pairs of sine and cosine, not {self.d_model}")
        if not self.d_head and self.d_model % self.n_heads:
            raise ValueError(f"d_model {self.d_model} is not divisible by n_heads {self.n_heads}; set d_head")
        if self.shared_vocabulary and self.src_vocab_size != self.tgt_vocab_size:
            raise ValueError(f"a shared vocabulary has one size, not {self.src_vocab_size} and {self.tgt_vocab_size}")
        if self.tying == "all" and not self.shared_vocabulary:
            raise ValueError("tying 'all' needs a shared vocabulary; without one only 'output' or 'none' is possible")
        object.__setattr__(self, "n_decoder_layers", self.n_decoder_layers or self.n_layers)
        object.__setattr__(self, "d_head", self.d_head or self.d_model // self.n_heads)
        object.__setattr__(self, "d_value", self.d_value or self.d_head)

    def layers(self, stack: str) -> int:
        """How many layers the "encoder" or the "decoder" has."""
        return self.n_layers if stack == "encoder" else self.n_decoder_layers

    @classmethod
    def preset(cls, name: str, **changes: Any) -> "ModelConfig":
        """A named configuration, `small`, `base` or `seed`, with changes."""
        if name not in PRESETS:
            raise UserError(f"there is no preset {name!r}, only {', '.join(PRESETS)}")
        return cls(**{**PRESETS[name], **changes})


CONFIGS = TypeAdapter(ModelConfig)  # reads JSON strictly: no text, fraction or truth value for a number
