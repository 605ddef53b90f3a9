"""The sizes and options of a Transformer, and the named ones."""

from dataclasses import dataclass
from typing import Literal, get_args

from pydantic import ConfigDict, TypeAdapter

Activation = Literal["relu", "gelu", "silu"]
Positions = Literal["sinusoidal", "sinusoidal halves", "learned", "none"]
Start = Literal["bos", "pad"]
Tying = Literal["none", "output", "all"]
CHOICES = {"activation": Activation, "positions": Positions, "start": Start, "tying": Tying}

# The largest of each size, far beyond what a page or a lesson can show; none is reached together with the others.
LARGEST = {
    **dict.fromkeys(("src_vocab_size", "tgt_vocab_size"), 2_000_000),
    **dict.fromkeys(("n_layers", "n_decoder_layers", "n_heads"), 256),
    **dict.fromkeys(("d_model", "d_head", "d_value"), 65_536),
    "d_ff": 262_144,
    "max_len": 65_536,
}

PRESETS = {
    # The shipped recipe.
    "small": {},
    # The paper's base model, on the same tokenizer.
    "base": {"n_layers": 6, "d_model": 512, "d_ff": 2048},
    # The listing of the walkthrough article: 44,312,696 parameters.
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


@dataclass(frozen=True)
class ModelConfig:
    """The sizes and options of a Transformer; the defaults are those of the shipped checkpoint."""

    __pydantic_config__ = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)  # for files, see CONFIGS

    src_vocab_size: int = 16000  # pieces of the source language
    tgt_vocab_size: int = 16000  # pieces of the target language
    n_layers: int = 4  # layers of the encoder
    n_decoder_layers: int = 0  # layers of the decoder; 0: as many as the encoder has
    n_heads: int = 8  # attention heads of every attention
    d_model: int = 256  # width of the residual stream
    d_ff: int = 1024  # width of the feed-forward network's hidden layer
    d_head: int = 0  # width of a head's queries and keys; 0: d_model / n_heads
    d_value: int = 0  # width of a head's values; 0: d_head
    max_len: int = 512  # longest sequence, in pieces with start or end
    dropout: float = 0.1  # on embeddings, attention weights and each sub-layer's output
    activation: Activation = "relu"  # of the feed-forward network
    positions: Positions = "sinusoidal"  # sine and cosine in turn, all sines first, a learned table, or none
    attention_bias: bool = True  # biases in the four attention projections
    shared_vocabulary: bool = True  # one vocabulary for both languages
    tying: Tying = "all"  # one matrix for: nothing; target and output; source, target and output
    start: Start = "bos"  # the piece that decoding starts from: one of its own, or the padding piece
    pad_id: int = 0  # the tokenizer's padding id

    def __post_init__(self):
        for field, choices in CHOICES.items():
            if getattr(self, field) not in get_args(choices):
                raise ValueError(f"{field} must be one of {get_args(choices)}, not {getattr(self, field)!r}")
        for field in ("src_vocab_size", "tgt_vocab_size", "n_layers", "n_heads", "d_model", "d_ff", "max_len"):
            if getattr(self, field) < 1:
                raise ValueError(f"{field} must be at least 1, not {getattr(self, field)}")
        for field in ("n_decoder_layers", "d_head", "d_value"):
            if getattr(self, field) < 0:
                raise ValueError(f"{field} must be at least 0, not {getattr(self, field)}")
        for field, largest in LARGEST.items():
            if getattr(self, field) > largest:
                raise ValueError(f"{field} must be at most {largest}, not {getattr(self, field)}")
        if not 0 <= self.pad_id < min(self.src_vocab_size, self.tgt_vocab_size):
            raise ValueError(f"pad_id {self.pad_id} is not in the vocabulary")
        if self.d_model % 2:
            raise ValueError(f"d_model must be even, for pairs of sine and cosine, not {self.d_model}")
        if not self.d_head and self.d_model % self.n_heads:
            raise ValueError(f"d_model {self.d_model} is not divisible by n_heads {self.n_heads}; set d_head")
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout must be at least 0 and below 1, not {self.dropout}")
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
    def preset(cls, name: str, **changes) -> "ModelConfig":
        """A named configuration, `small`, `base` or `seed`, with changes."""
        if name not in PRESETS:
            raise ValueError(f"there is no preset {name!r}, only {', '.join(PRESETS)}")
        return cls(**{**PRESETS[name], **changes})


CONFIGS = TypeAdapter(ModelConfig)  # strict: no text, fraction or truth value for a number
