"""What an export adds to Marian's `config.json`, so that our own model comes back as it was, bit for bit.

Marian's configuration has no place for the paper's order of positions, for languages or for rules of tidying. The
transformers package keeps the added key, even if it trains the model further and saves it anew.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic_core import to_json

from model.checkpoints.record import Origin
from model.config import ModelConfig
from model.decoding import Translator
from model.errors import UserError
from model.files import named_faults
from model.languages import NamedLanguages, languages_record
from model.opus.tokenizer import TwoModels
from model.tidying import RulesName, rules_of

KEY = "attention_explorer"


class ExplorerOptions(BaseModel):
    """The value of the key."""

    model_config = ConfigDict(strict=True, extra="forbid")

    config: ModelConfig
    languages: NamedLanguages
    tidying: RulesName
    target: str = ""  # as python -m model.opus takes it: the tag of sources without one
    origin: Origin | None = None  # of a model that was converted itself

    @property
    def is_trained_here(self) -> bool:
        """Whether the model has our own kind of tokenizer, which starts from a piece of its own."""
        return self.config.start == "bos"


def explorer_options(translator: Translator) -> dict[str, Any]:
    """The value of the key for a translator, as JSON."""
    tokenizer, record = translator.tokenizer, translator.record
    target = tokenizer.default_tag[2:-2] or "none" if isinstance(tokenizer, TwoModels) else ""
    return {
        "config": asdict(translator.model.config),
        "languages": languages_record(translator.languages),
        "tidying": rules_of(record),
        "target": target,
        "origin": record.get("origin"),
    }


def read_explorer_options(fields: Mapping[str, Any]) -> ExplorerOptions | None:
    """The value of the key in a `config.json`; None without one.

    Raises UserError if it is invalid, or the rest of the file names other sizes or options.
    """
    if KEY not in fields:
        return None
    with named_faults(f"config.json, {KEY}"):  # as JSON again, because from a dict a strict dataclass takes nothing
        options = ExplorerOptions.model_validate_json(to_json(fields[KEY]))
    for name, value in marian_options(options.config).items():
        if fields.get(name) != value:
            raise UserError(f"config.json: {name} is {fields.get(name)!r}, and {value!r} by what {KEY} says there")
    return options


def marian_options(config: ModelConfig) -> dict[str, Any]:
    """The sizes and options that Marian has, by its names."""
    return {
        "vocab_size": config.src_vocab_size,
        "decoder_vocab_size": config.tgt_vocab_size,
        "d_model": config.d_model,
        "encoder_layers": config.n_layers,
        "decoder_layers": config.n_decoder_layers,
        **dict.fromkeys(("encoder_attention_heads", "decoder_attention_heads"), config.n_heads),
        **dict.fromkeys(("encoder_ffn_dim", "decoder_ffn_dim"), config.d_ff),
        "max_position_embeddings": config.max_len,
        "activation_function": config.activation,
        "scale_embedding": True,
        "static_position_embeddings": True,
        "share_encoder_decoder_embeddings": config.tying == "all",
        "tie_word_embeddings": config.tying != "none",
    }
