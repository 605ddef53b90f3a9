"""Writes a translator as a folder that the transformers package opens: a MarianMTModel and its MarianTokenizer.

Marian puts all sines before all cosines, the paper puts them in turn. So the channels of the residual stream change
their order in every matrix that reads or writes them, and logits and attention stay what they are. Positions in the
file would do it, too, but transformers leaves them out when it saves a model again. `model.opus.explorer_options` says
how the model comes back.
"""

import json
from collections.abc import Iterator
from typing import Any

import torch
from safetensors.torch import save
from torch import Tensor

from model.checkpoints.weights import WEIGHTS
from model.decoding import Translator
from model.errors import UserError
from model.opus.explorer_options import KEY, explorer_options, marian_options
from model.opus.marian import CONFIG, TOKENIZER_CONFIG
from model.opus.tokenizer import DEFAULT_TAG, SOURCE, TARGET, VOCABULARY, TwoModels
from model.opus.weights import PROJECTION, in_order, marian_name, marian_order
from model.tidying import rules_of
from model.tokenizer import TOKENIZER, Tokenizer
from model.transformer import Transformer

GENERATION_CONFIG = "generation_config.json"
POSITIONS = ("sinusoidal", "sinusoidal halves")


def contents(translator: Translator) -> Iterator[tuple[str, bytes]]:
    """The files of the folder by name, with 32-bit weights. Raises UserError if Marian has no such model."""
    config, tokenizer = translator.model.config, translator.tokenizer
    if config.positions not in POSITIONS:
        raise UserError(f'Marian has sines and cosines as positions, and this model has "{config.positions}"')
    if not config.d_head == config.d_value == config.d_model / config.n_heads:
        raise UserError(
            f"Marian's heads are as wide as d_model / n_heads, and this model's {config.n_heads} are {config.d_head} "
            f"(queries, keys) and {config.d_value} (values) of d_model {config.d_model}"
        )
    yield CONFIG, as_json(marian_config(translator))
    yield GENERATION_CONFIG, as_json(generation_config(translator))
    yield TOKENIZER_CONFIG, as_json(tokenizer_config(translator))
    yield from tokenizer_files(tokenizer).items()
    yield WEIGHTS, save(marian_weights(translator.model), metadata={"format": "pt"})


def losses(translator: Translator) -> list[str]:
    """What the exported model does not do, in sentences."""
    config, tokenizer, rules = translator.model.config, translator.tokenizer, rules_of(translator.record)
    lost = [
        f"A translation ends after {config.max_len - 1} tokens at the latest, not after twice its source and 16.",
        "The model card and the licence of the weights stay here: add them before you pass the folder on.",
        "The measured heads and the story of the training stay here.",
    ]
    if rules != "none":
        lost.insert(0, f'Sources are not tidied by the rules "{rules}": quotes and dashes reach the model as typed.')
    if not isinstance(tokenizer, TwoModels):
        lost.append("A text that begins with >>...<< begins with one unknown piece: it is taken for a tag.")
    elif tokenizer.default_tag:
        lost.insert(0, f"{tokenizer.default_tag} is not put in front of a text: type it.")
    return lost


def as_json(value: dict[str, Any]) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def marian_config(translator: Translator) -> dict[str, Any]:
    """The sizes and options by Marian's names."""
    config, tokenizer = translator.model.config, translator.tokenizer
    return {
        "architectures": ["MarianMTModel"],
        "model_type": "marian",
        "dtype": "float32",
        **marian_options(config),
        "encoder_layerdrop": 0.0,
        "decoder_layerdrop": 0.0,
        "dropout": config.dropout,
        "attention_dropout": config.dropout,
        "activation_dropout": 0.0,
        "is_encoder_decoder": True,
        **special_ids(tokenizer),
        KEY: explorer_options(translator),
    }


def special_ids(tokenizer: Tokenizer) -> dict[str, int | None]:
    ids = {"pad_token_id": tokenizer.pad_id, "eos_token_id": tokenizer.eos_id, "bos_token_id": tokenizer.bos_id}
    return {**ids, "decoder_start_token_id": tokenizer.bos_id, "forced_eos_token_id": None}


def generation_config(translator: Translator) -> dict[str, Any]:
    """Greedy decoding, as ours is, which never chooses the excluded pieces; the length includes the start."""
    never = [[i] for i in translator.excluded_ids]
    length = {"max_length": translator.model.config.max_len, "num_beams": 1, "do_sample": False}
    return {**special_ids(translator.tokenizer), **length, "bad_words_ids": never}


def tokenizer_config(translator: Translator) -> dict[str, Any]:
    """A special piece such as "</s>" in a text stays text, as here."""
    tokenizer, (source, target) = translator.tokenizer, translator.languages
    names = {"unk_token": tokenizer.unk_id, "eos_token": tokenizer.eos_id, "pad_token": tokenizer.pad_id}
    if tokenizer.bos_id != tokenizer.pad_id:
        names["bos_token"] = tokenizer.bos_id
    return {
        "tokenizer_class": "MarianTokenizer",
        "source_lang": source.code,
        "target_lang": target.code,
        "model_max_length": translator.model.config.max_len,
        "split_special_tokens": True,
        "clean_up_tokenization_spaces": False,
        **dict(zip(names, tokenizer.pieces([*names.values()]), strict=True)),
    }


def tokenizer_files(tokenizer: Tokenizer) -> dict[str, bytes]:
    """Marian's three files; those of a SentencePiece model for both languages hold it twice."""
    files = tokenizer.files()
    if isinstance(tokenizer, TwoModels):
        return {name: data for name, data in files.items() if name != DEFAULT_TAG}
    pieces = tokenizer.pieces(range(tokenizer.vocab_size))
    return {
        **dict.fromkeys((SOURCE, TARGET), files[TOKENIZER]),
        VOCABULARY: as_json({piece: i for i, piece in enumerate(pieces)}),
    }


def marian_weights(model: Transformer) -> dict[str, Tensor]:
    """The weights by Marian's names, channels in Marian's order, with zeros for biases that the model does without."""
    config, weights = model.config, {}
    for name, weight in model.named_parameters():
        weight = in_order(name, weight.detach().float().cpu(), marian_order(config))
        key = marian_name(name, config)
        weights[key] = weight[None] if name == "projection.bias" else weight
        if not config.attention_bias and PROJECTION.search(name):
            weights[key.replace("weight", "bias")] = torch.zeros(len(weight))
    return weights
