"""A public Marian checkpoint as a translator of ours: the same numbers under our names.

Read are `config.json`, `tokenizer_config.json` (where there is one), `source.spm`, `target.spm`, `vocab.json`, the
licence in `README.md`, and the weights: `model.safetensors` or, where there is none, `pytorch_model.bin`. That one is
a pickle; `torch.load(weights_only=True)` takes tensors and nothing else from it, so that no code in it runs.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, Literal

import torch
from pydantic import BaseModel, ConfigDict, TypeAdapter
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from model.config import Activation, ModelConfig
from model.decoding import Translator
from model.faults import checked
from model.languages import Languages, as_recorded
from model.layers import sinusoidal_halves
from model.opus.origin import Origin, languages_of_repository
from model.opus.tokenizer import DEFAULT_TAG, FILES, TwoModels, tag_file
from model.reading import read_object, size_of
from model.transformer import Transformer
from model.weights import require_size, weight_shapes

CONFIG, TOKENIZER_CONFIG, CARD = "config.json", "tokenizer_config.json", "README.md"
SAFE, PICKLED = "model.safetensors", "pytorch_model.bin"
READ = (CONFIG, TOKENIZER_CONFIG, CARD, *(name for name in FILES if name != DEFAULT_TAG))  # and the weights

ACTIVATIONS: dict[str, Activation] = {"swish": "silu", "silu": "silu", "relu": "relu", "gelu": "gelu"}
EMBEDDING = "model.shared.weight"
COPIES = ("model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight")
POSITIONS = ("model.encoder.embed_positions.weight", "model.decoder.embed_positions.weight")
# Ours to Marian's, in the order in which they are replaced.
NAMES = {
    "encoder.embedding.tokens.weight": EMBEDDING,
    "projection.bias": "final_logits_bias",
    "encoder.layers": "model.encoder.layers",
    "decoder.layers": "model.decoder.layers",
    "self_attention_norm.norm": "self_attn_layer_norm",
    "cross_attention_norm.norm": "encoder_attn_layer_norm",
    "feed_forward_norm.norm": "final_layer_norm",
    "self_attention.w_": "self_attn.",
    "cross_attention.w_": "encoder_attn.",
    "attn.q.": "attn.q_proj.",
    "attn.k.": "attn.k_proj.",
    "attn.v.": "attn.v_proj.",
    "attn.o.": "attn.out_proj.",
    "feed_forward.w_1": "fc1",
    "feed_forward.w_2": "fc2",
}


class Marian(BaseModel):
    """What its `config.json` must say for the model to be one that we can show; the rest of it is not read."""

    model_config = ConfigDict(strict=True, extra="ignore")

    model_type: Literal["marian"]
    vocab_size: int
    d_model: int
    encoder_layers: int
    decoder_layers: int
    encoder_attention_heads: int
    decoder_attention_heads: int
    encoder_ffn_dim: int
    decoder_ffn_dim: int
    max_position_embeddings: int
    activation_function: str
    pad_token_id: int
    eos_token_id: int
    decoder_start_token_id: int
    decoder_vocab_size: int | None = None
    dropout: float | int = 0.1
    scale_embedding: bool = False
    normalize_before: bool = False
    normalize_embedding: bool = False
    add_final_layer_norm: bool = False
    static_position_embeddings: bool = True
    share_encoder_decoder_embeddings: bool = True
    tie_word_embeddings: bool = True


MARIAN = TypeAdapter(Marian)


@dataclass(frozen=True)
class Converted:
    """A translator, and the floats that its weights are as precise as."""

    translator: Translator
    precision: torch.dtype


def is_marian(folder: Path) -> bool:
    """Whether a folder holds a Marian checkpoint as it is published; what cannot be read is said by who reads it."""
    try:
        return read_object(folder / CONFIG).get("model_type") == "marian"
    except (OSError, ValueError):
        return False


def convert(folder: Path, origin: Origin, *, target: str = "", languages: Languages | None = None) -> Converted:
    """The translator of a Marian checkpoint's folder; `target` is the language of a tag, such as "fra".

    What its languages are called is found out unless it is said.
    Raises OSError or ValueError, with a sentence, where a file is missing or damaged, or the model one that we cannot
    show; memory is taken for the weights only once all else was found in order.
    """
    marian = checked(MARIAN.validate_json, read_object(folder / CONFIG), CONFIG)
    told = read_object(folder / TOKENIZER_CONFIG) if (folder / TOKENIZER_CONFIG).exists() else {}
    if told.get("separate_vocabs"):
        raise ValueError("it has a vocabulary for each language: only models with one for both can be shown")
    config = config_of(marian)
    require_size(config)
    tokenizer = tokenizer_of(folder, told, target)
    require_same_pieces(marian, tokenizer)
    languages = languages or languages_of_repository(origin, told, tokenizer.default_tag)
    model, precision = model_of(config, weights_in(folder))
    parameters = sum(weight.numel() for weight in model.parameters())
    record = {
        "languages": as_recorded(languages),
        "tidying": "none",
        "origin": asdict(origin),
        "model": {"parameters": parameters, **asdict(config)},
        "data_note": origin.sentence,
    }
    return Converted(Translator(model.eval(), tokenizer, record), precision)


def config_of(marian: Marian) -> ModelConfig:
    """Raises ValueError where the model has what ours have not."""
    refusals = {
        "it normalises before every sub-layer, not behind it": marian.normalize_before,
        "it normalises its embeddings": marian.normalize_embedding,
        "it normalises once more at the end of each stack": marian.add_final_layer_norm,
        "its embeddings are not scaled by the root of their width": not marian.scale_embedding,
        "its positions are learned": not marian.static_position_embeddings,
        "it has an embedding for each language": not marian.share_encoder_decoder_embeddings,
        "its output is not tied to its embeddings": not marian.tie_word_embeddings,
        "its two languages have vocabularies of two sizes": marian.decoder_vocab_size not in (None, marian.vocab_size),
        "its decoder does not start from padding": marian.decoder_start_token_id != marian.pad_token_id,
        "its stacks have different numbers of heads": marian.encoder_attention_heads != marian.decoder_attention_heads,
        "its stacks have feed-forward networks of different widths": marian.encoder_ffn_dim != marian.decoder_ffn_dim,
        "its activation is none that we have": marian.activation_function not in ACTIVATIONS,
    }
    for reason, applies in refusals.items():
        if applies:
            raise ValueError(f"{CONFIG}: {reason}, and that cannot be shown here")
    return ModelConfig(
        src_vocab_size=marian.vocab_size,
        tgt_vocab_size=marian.vocab_size,
        n_layers=marian.encoder_layers,
        n_decoder_layers=marian.decoder_layers,
        n_heads=marian.encoder_attention_heads,
        d_model=marian.d_model,
        d_ff=marian.encoder_ffn_dim,
        max_len=marian.max_position_embeddings,
        dropout=float(marian.dropout),
        activation=ACTIVATIONS[marian.activation_function],
        positions="sinusoidal halves",
        start="pad",
        pad_id=marian.pad_token_id,
    )


def tokenizer_of(folder: Path, told: Mapping[str, Any], target: str) -> TwoModels:
    """Its tokenizer, with the tag that a source gets by default where the vocabulary has tags.

    That is the one of `target` ("none": no tag) or else of the language that the repository names, or the only one.
    Raises ValueError where it cannot be told.
    """
    tokenizer = TwoModels.load(folder)
    tags, named = tokenizer.tags, f">>{target or told.get('target_lang')}<<"
    if target == "none" or (not tags and not target):
        return tokenizer
    if len(tags) == 1 and not target:
        named = tags[0]
    if named not in tags:
        known = ", ".join(tag[2:-2] for tag in tags) or "it has no tags"
        reason = f"it has no tag {named}" if target else "it translates into several languages"
        raise ValueError(
            f"{reason}: choose one with python -m model.opus NAME FOLDER --target CODE (the codes: {known}; "
            "none: nothing is put in front of a text)"
        )
    return TwoModels({**tokenizer.files(), DEFAULT_TAG: tag_file(named)})


def require_same_pieces(marian: Marian, tokenizer: TwoModels) -> None:
    """Raises ValueError where the configuration tells of another vocabulary."""
    for name, said, found in (
        ("pieces", marian.vocab_size, tokenizer.vocab_size),
        ("as the number of padding", marian.pad_token_id, tokenizer.pad_id),
        ("as the number of the end", marian.eos_token_id, tokenizer.eos_id),
    ):
        if said != found:
            raise ValueError(f"{CONFIG} says {said} {name}, the vocabulary {found}")


def weights_in(folder: Path) -> dict[str, Tensor]:
    """All that its file of weights holds, by Marian's names."""
    path = folder / SAFE if (folder / SAFE).exists() else folder / PICKLED
    size_of(path)  # which refuses what is no file
    try:
        found = load_file(path) if path.name == SAFE else torch.load(path, map_location="cpu", weights_only=True)
    except (SafetensorError, UnpicklingError, RuntimeError, ValueError, LookupError, AttributeError, EOFError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise ValueError(f"{path.name} holds no weights that can be read: {reason}") from error
    if not isinstance(found, dict) or not all(map(is_weight, found.values())):
        raise ValueError(f"{path.name} must hold tensors of floats by their names, and nothing else")
    return {str(name): weight.detach() for name, weight in found.items()}


def is_weight(value: object) -> bool:
    kinds = (torch.float16, torch.bfloat16, torch.float32)
    return isinstance(value, Tensor) and value.layout == torch.strided and value.dtype in kinds


def model_of(config: ModelConfig, found: dict[str, Tensor]) -> tuple[Transformer, torch.dtype]:
    """A model with these weights, and the floats that keep all of their digits.

    Raises ValueError where one is missing, unknown, of another shape or no finite number.
    """
    found = without_copies(config, found)
    expected = weight_shapes(config)
    theirs = {name: marian_name(name) for name in expected}
    if unknown := found.keys() - theirs.values():
        raise ValueError(f"it has an unknown weight {min(unknown)}")
    kinds = {weight.dtype for weight in found.values()}
    model = Transformer(config)
    for name, parameter in model.named_parameters():
        weight = found.get(theirs[name])
        if weight is None:
            raise ValueError(f"it lacks weight {theirs[name]}")
        weight = weight[0] if name == "projection.bias" and weight.shape[:1] == (1,) else weight
        if weight.shape != expected[name]:
            raise ValueError(f"{theirs[name]} has shape {list(weight.shape)}, not {list(expected[name])}")
        if not weight.isfinite().all():
            raise ValueError(f"{theirs[name]} holds values that are not finite numbers")
        with torch.no_grad():
            parameter.copy_(weight)
    return model, kinds.pop() if len(kinds) == 1 else torch.float32


def marian_name(name: str) -> str:
    for ours, theirs in NAMES.items():
        name = name.replace(ours, theirs)
    return name


def without_copies(config: ModelConfig, found: dict[str, Tensor]) -> dict[str, Tensor]:
    """The weights without those that follow from others: an embedding that is tied stands in some files four times.

    Raises ValueError where they do not follow: a copy that differs, or positions that are not the computed ones.
    """
    rest = dict(found)
    tokens = [rest.pop(name) for name in (EMBEDDING, *COPIES) if name in rest]
    if not all(torch.equal(tokens[0], other) for other in tokens[1:]):
        raise ValueError("its embeddings and its output are not one matrix, and that cannot be shown here")
    computed = sinusoidal_halves(config.max_len, config.d_model)
    for name in POSITIONS:
        positions = rest.pop(name, computed).float()
        if positions.shape != computed.shape or not torch.allclose(positions, computed, rtol=0, atol=1e-3):
            raise ValueError(f"{name} is not the table of sines and cosines, and that cannot be shown here")
    return {**rest, EMBEDDING: tokens[0]} if tokens else rest
