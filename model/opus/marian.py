"""Converts a public Marian checkpoint to a Translator: the same numbers under other names.

It reads `config.json`, `tokenizer_config.json` (optional), `source.spm`, `target.spm`, `vocab.json`, the licence in
`README.md`, and the weights (model/opus/weights.py).
"""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from pydantic import BaseModel, ConfigDict

from model.checkpoints.hub import download
from model.checkpoints.integrity import check_tokenizer
from model.checkpoints.record import Origin
from model.checkpoints.weights import INDEX, SHARDS, WEIGHTS, verify_size
from model.config import Activation, ModelConfig
from model.decoding import Translator
from model.errors import UserError
from model.files import named_faults, read_bytes, read_object, shorten
from model.languages import Languages, languages_record
from model.opus.explorer_options import ExplorerOptions, read_explorer_options
from model.opus.origin import languages_of_repository, origin_sentence, read_licence, returned_sentence
from model.opus.tokenizer import DEFAULT_TAG, FILES, SOURCE, TARGET, VOCABULARY, TwoModels, parse_vocabulary, tag_file
from model.opus.weights import PICKLED, max_bytes, model_of, read_weights
from model.tokenizer import MAX_TOKENIZER_BYTES, Tokenizer

CONFIG, TOKENIZER_CONFIG, CARD = "config.json", "tokenizer_config.json", "README.md"
READ = (CONFIG, TOKENIZER_CONFIG, CARD, *(name for name in FILES if name != DEFAULT_TAG))  # and the weights

NOT_IN_NAME = re.compile(r"[^\w.-]")

# What this program lacks for other translators of the transformers package.
PRE_NORM = "pre-norm layers, a norm at the end of each stack, language tokens"
MISSING = {
    "m2m_100": PRE_NORM,
    "mbart": f"{PRE_NORM}, normalised embeddings, learned positions",
    "bart": "normalised embeddings, learned positions, byte-level tokens",
    "fsmt": "a vocabulary and a tokenizer of its own for each language",
    "t5": "pre-norm layers that only scale, relative positions",
}

ACTIVATIONS: dict[str, Activation] = {"swish": "silu", "silu": "silu", "relu": "relu", "gelu": "gelu"}


class MarianConfig(BaseModel):
    """The part of its `config.json` that decides whether the model can be converted; the rest is ignored."""

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


# What other Marian models have, each with its test; docs/models.md lists them.
DIFFERENCES: dict[str, Callable[[MarianConfig], bool]] = {
    "it normalises before every sub-layer, not behind it": lambda marian: marian.normalize_before,
    "it normalises its embeddings": lambda marian: marian.normalize_embedding,
    "it normalises once more at the end of each stack": lambda marian: marian.add_final_layer_norm,
    "its embeddings are not scaled by the root of their width": lambda marian: not marian.scale_embedding,
    "its positions are learned": lambda marian: not marian.static_position_embeddings,
    "it has an embedding for each language": lambda marian: not marian.share_encoder_decoder_embeddings,
    "its output is not tied to its embeddings": lambda marian: not marian.tie_word_embeddings,
    "its two languages have vocabularies of two sizes": lambda marian: (
        marian.decoder_vocab_size not in (None, marian.vocab_size)
    ),
    "its decoder does not start from padding": lambda marian: marian.decoder_start_token_id != marian.pad_token_id,
    "its stacks have different numbers of heads": lambda marian: (
        marian.encoder_attention_heads != marian.decoder_attention_heads
    ),
    "its stacks have feed-forward networks of different widths": lambda marian: (
        marian.encoder_ffn_dim != marian.decoder_ffn_dim
    ),
    "its activation is none that we have": lambda marian: marian.activation_function not in ACTIVATIONS,
}


@dataclass(frozen=True)
class Conversion:
    """A translator, and the type of float that its weights were published in."""

    translator: Translator
    precision: torch.dtype


def fetch(name: str) -> tuple[Path, Origin]:
    """The folder of a Marian model's files, and its origin, by the name of a folder or of a Hub repository.

    Raises UserError or CheckpointError if there is neither.
    """
    folder, commit = Path(name), ""
    if folder.is_absolute() and not folder.is_dir():
        raise UserError(f"There is no folder {name}.")
    if not folder.is_dir():
        name, folder = name.partition("@")[0], download(name, READ)
        commit = folder.name
        reject_other_types(folder)  # before gigabytes are downloaded
        download(f"{name}@{commit}", [WEIGHTS, INDEX, SHARDS])
        if not any(folder.glob("*.safetensors")):
            download(f"{name}@{commit}", [PICKLED])
    name = name if commit else NOT_IN_NAME.sub("-", folder.resolve().name)
    return folder, Origin(repository=name, revision=commit, licence=read_licence(folder))


def published_type(folder: Path) -> str:
    """The type of a model of the transformers package, such as "marian"; empty if the folder holds none."""
    try:
        return str(read_object(folder / CONFIG).get("model_type", ""))
    except (OSError, ValueError):
        return ""


def convert(folder: Path, origin: Origin, *, target: str = "", languages: Languages | None = None) -> Conversion:
    """The translator of a Marian checkpoint's folder; `target` is the language of a tag, such as "fra".

    Without `languages`, their names come from the files or the repository's name. Raises OSError or UserError, with a
    sentence, if a file is missing or damaged, or the model has another architecture. Memory for the weights is
    allocated last, when all else is in order.
    """
    reject_other_types(folder)
    fields = read_object(folder / CONFIG)
    with named_faults(CONFIG):
        marian = MarianConfig.model_validate(fields)
    options = read_explorer_options(fields)
    tokenizer_config = read_object(folder / TOKENIZER_CONFIG) if os.path.lexists(folder / TOKENIZER_CONFIG) else {}
    if tokenizer_config.get("separate_vocabs"):
        raise UserError("it has a vocabulary for each language: only models with one for both can be shown")
    config = options.config if options else config_of(marian)
    verify_size(config)
    tokenizer = make_tokenizer(folder, tokenizer_config, target, options)
    check_tokenizer(tokenizer, config)
    if marian.eos_token_id != tokenizer.eos_id:
        raise UserError(f"{CONFIG} says {marian.eos_token_id} as the number of the end, not {tokenizer.eos_id}")
    tag = tokenizer.default_tag if isinstance(tokenizer, TwoModels) else ""
    languages = languages or (options.languages if options else languages_of_repository(origin, tokenizer_config, tag))
    model, precision = model_of(config, read_weights(folder, max_bytes(config)))
    parameters = sum(weight.numel() for weight in model.parameters())
    record = {
        "languages": languages_record(languages),
        "tidying": options.tidying if options else "none",
        **origin_record(origin, options),
        "model": {"parameters": parameters, **asdict(config)},
    }
    return Conversion(Translator(model.eval(), tokenizer, record), precision)


def origin_record(origin: Origin, options: ExplorerOptions | None) -> dict[str, Any]:
    """Where the model comes from, for its record: a model of ours that came back is no converted one."""
    if options and options.is_trained_here:
        return {"data_note": returned_sentence(origin)}
    origin = (options and options.origin) or origin
    return {"origin": origin.model_dump(), "data_note": origin_sentence(origin)}


def reject_other_types(folder: Path) -> None:
    """Raises UserError, naming what is missing here if it is known, if a folder holds a model of another type."""
    kind = published_type(folder)
    if kind in MISSING:
        raise UserError(f"{CONFIG}: it is a {kind} model, and here there is no support for {MISSING[kind]}")
    if kind not in ("", "marian"):
        raise UserError(f"{CONFIG}: it is a {shorten(kind)} model, and only those of Marian can be shown here")


def config_of(marian: MarianConfig) -> ModelConfig:
    """The sizes and options of the model. Raises UserError if it has another architecture."""
    for reason, applies in DIFFERENCES.items():
        if applies(marian):
            raise UserError(f"{CONFIG}: {reason}, and that cannot be shown here")
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


def make_tokenizer(
    folder: Path, config: Mapping[str, Any], target: str, options: ExplorerOptions | None = None
) -> Tokenizer:
    """The tokenizer, with the tag that sources get by default if the vocabulary has tags.

    It is the tag of `target` ("none": no tag), or the only one, or that of the language in the tokenizer's
    configuration. Raises UserError if none of these decides.
    """
    if options and options.is_trained_here:
        return explorer_tokenizer(folder, target)
    tokenizer, target = TwoModels.load(folder), target or (options.target if options else "")
    tags, default_tag = tokenizer.tags, f">>{target or config.get('target_lang')}<<"
    if target == "none" or (not tags and not target):
        return tokenizer
    if len(tags) == 1 and not target:
        default_tag = tags[0]
    if default_tag not in tags:
        known = ", ".join(tag[2:-2] for tag in tags) or "it has no tags"
        reason = f"it has no tag {default_tag}" if target else "it translates into several languages"
        raise UserError(
            f"{reason}: choose one with python -m model.opus NAME FOLDER --target CODE (the codes: {known}; "
            "none: nothing is put in front of a text)"
        )
    return TwoModels({**tokenizer.files(), DEFAULT_TAG: tag_file(default_tag)})


def explorer_tokenizer(folder: Path, target: str) -> Tokenizer:
    """The tokenizer of a model of ours, whose three files come from one. Raises UserError if they do not."""
    if target:
        raise UserError(f"it translates into one language, and has no tag for {target}")
    both = [read_bytes(folder / name, MAX_TOKENIZER_BYTES) for name in (SOURCE, TARGET)]
    tokenizer = Tokenizer(both[0])
    pieces = tokenizer.pieces(range(tokenizer.vocab_size))
    vocabulary = parse_vocabulary(read_bytes(folder / VOCABULARY, MAX_TOKENIZER_BYTES))
    if both[0] != both[1] or vocabulary != {piece: i for i, piece in enumerate(pieces)}:
        raise UserError(
            f"{SOURCE}, {TARGET} and {VOCABULARY} are not of one tokenizer, as they are in an export of ours"
        )
    return tokenizer
