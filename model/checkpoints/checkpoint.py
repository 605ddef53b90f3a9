"""Saving and loading a translator: a checkpoint is one folder, or one repository on the Hugging Face Hub.

It holds `config.json` (ModelConfig), `model*.safetensors` (16-bit weights, in shards small enough for plain git, with
their index), `tokenizer.model` (SentencePiece), `checksums.json` (of weights and tokenizer), `training.json` (how it
was trained, and its scores), `README.md` (the model card) and, optionally, `story.json.gz` (the story of its training),
`heads.json` (what its heads do, measured), `atlas-*.gz` (what makes its neurons fire) and `LICENSE.md` (terms that are
none of the Hub's known licences). No other file is downloaded or read, and nothing is ever unpickled.

A converted OPUS-MT model has its weights in one file, as precise as they were published, and `source.spm`,
`target.spm`, `vocab.json` and perhaps `target_tag.json` instead of `tokenizer.model` (see `model.opus.marian`).

The name of a checkpoint is a folder, `owner/name` (the newest version in that repository) or `owner/name@revision`
(the version at that commit, tag or branch).
"""

import hashlib
import json
import logging
import os
from collections.abc import Iterator
from dataclasses import asdict, replace
from fnmatch import fnmatchcase
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

import torch
from pydantic_core import to_json
from safetensors import SafetensorError

from model.checkpoints.card import LICENCE, model_card
from model.checkpoints.hub import CheckpointError, download, error_reason
from model.checkpoints.integrity import (
    CHECKSUMS,
    check_tokenizer,
    checksums_json,
    reject_lfs_pointers,
    sha256_of,
    verify_checksums,
)
from model.checkpoints.record import Record
from model.checkpoints.weights import (
    INDEX,
    SHARDS,
    WEIGHTS,
    find_weight_files,
    load_weights,
    serialize_weights,
    uninitialized_model,
    verify_headers,
    verify_size,
)
from model.config import CONFIGS
from model.decoding import Translator
from model.errors import UserError
from model.files import named_faults, read_bytes, read_object, shorten, write_atomically, write_together
from model.opus import marian
from model.opus.cache import cached_conversion
from model.opus.tokenizer import FILES as TWO_MODELS
from model.opus.tokenizer import TwoModels
from model.tokenizer import TOKENIZER, Tokenizer

CONFIG, RECORD, CARD, STORY, HEADS = "config.json", "training.json", "README.md", "story.json.gz", "heads.json"
ATLAS = "atlas-*.gz"  # beside the others and not in a folder, so that the Hub, its cache and an installation have them
TOKENIZERS = (TOKENIZER, *TWO_MODELS)  # the files of either kind of tokenizer
FILE_PATTERNS = (CONFIG, *TOKENIZERS, RECORD, CARD, LICENCE, STORY, HEADS, ATLAS, CHECKSUMS, WEIGHTS, INDEX, SHARDS)
# The largest sizes of the files that no translation needs, in bytes; the others are checked where they are read.
MAX_BYTES = {CARD: 4_000_000, LICENCE: 4_000_000, STORY: 8_000_000, HEADS: 16_000_000}
FINAL, MOMENTS = "checkpoint", "moments"  # in a run's folder: its last checkpoint, and the folder of earlier ones
SHARD_SIZE, WHOLE = "9MB", "100GB"
SHIPPED = str(files("assets") / "small")
NAME_HELP = "checkpoint folder, or Hub repository as owner/name or owner/name@revision"

logger = logging.getLogger(__name__)


def save(translator: Translator, folder: Path, precision: torch.dtype = torch.float16) -> None:
    """Writes a checkpoint with weights rounded to `precision`; a tied matrix is written once.

    Raises SaveError if it cannot be written, and leaves an earlier checkpoint in the folder as it was.
    """
    written = write_together(folder, contents(translator, precision))
    for path in checkpoint_files(folder):
        if (is_weights(path.name) or path.name in TOKENIZERS) and path not in written:
            path.unlink()  # left by an earlier checkpoint with more files


def contents(translator: Translator, precision: torch.dtype = torch.float16) -> Iterator[tuple[str, bytes]]:
    """The files of a checkpoint by name; weights of converted models are not meant for git and stay in one file."""
    checksums, size = {}, SHARD_SIZE if "origin" not in translator.record else WHOLE
    for name, data in chain(serialize_weights(translator.model, size, precision), translator.tokenizer.files().items()):
        if name != INDEX:
            checksums[name] = hashlib.sha256(data).hexdigest()
        yield name, data
    yield CHECKSUMS, checksums_json(checksums)
    yield CONFIG, (json.dumps(asdict(translator.model.config), indent=2) + "\n").encode()
    yield from record_files(translator.record)


def record_files(record: dict[str, Any]) -> list[tuple[str, bytes]]:
    """The training record, and the model card made from it.

    Under LC_ALL=C Python reads the command line as ASCII with escapes; they are written as the UTF-8 they stand for.
    Raises ValueError if a number is not finite, since such a record could not be read again.
    """
    text = json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False)
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return [(RECORD, f"{text}\n".encode()), (CARD, model_card(json.loads(text)).encode())]


def save_record(record: dict[str, Any], folder: Path) -> None:
    """Writes the training record and the model card. Raises SaveError if they cannot be written."""
    write_together(folder, record_files(record))


def save_checksums(folder: Path) -> None:
    """Writes the checksums of a checkpoint anew. Raises CheckpointError if it does not load without them."""
    read(folder, verify=False)
    names = [path.name for path in checkpoint_files(folder) if path.suffix == ".safetensors"]
    checksums = {name: sha256_of(folder / name) for name in (*names, *tokenizer_files(folder))}
    write_atomically(folder / CHECKSUMS, checksums_json(checksums))


def is_weights(name: str) -> bool:
    """Whether a file of this name belongs to the weights."""
    return name.endswith(".safetensors") or name == INDEX


def is_checkpoint_file(name: str) -> bool:
    """Whether a checkpoint may have a file of this name."""
    return any(fnmatchcase(name, pattern) for pattern in FILE_PATTERNS)


def checkpoint_files(folder: Path) -> list[Path]:
    """The files in a folder that belong to a checkpoint; all others are ignored."""
    return sorted(path for path in folder.iterdir() if is_checkpoint_file(path.name))


def tokenizer_files(folder: Path) -> list[str]:
    """The names of the tokenizer's files in a folder."""
    return [path.name for path in checkpoint_files(folder) if path.name in TOKENIZERS]


def read_optional(folder: Path, name: str) -> bytes | None:
    """The bytes of a file that no translation needs; None if the checkpoint has none.

    Raises OSError or UserError if it is a foreign link, no regular file or too large.
    """
    return read_bytes(folder / name, MAX_BYTES[name]) if os.path.lexists(folder / name) else None


def load_tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer of a checkpoint. Raises OSError or UserError if there is none, or more than one."""
    if {*tokenizer_files(folder)} <= {TOKENIZER}:
        return Tokenizer.load(folder / TOKENIZER)
    if TOKENIZER in tokenizer_files(folder):
        raise UserError(f"it has two tokenizers, {TOKENIZER} and {tokenizer_files(folder)[0]}")
    return TwoModels.load(folder)


def locate(name: str) -> Path:
    """The local folder of a checkpoint; a Hub repository is downloaded, or taken from the cache when offline.

    A Marian model from the Hub is converted once. Logs the commit if the name has no revision. Raises CheckpointError
    if there is no such checkpoint, or a model that cannot be converted.
    """
    folder = Path(name)
    if folder.is_dir():
        if kind := marian.published_type(folder):
            raise CheckpointError(
                f"{name} holds a {shorten(kind)} model: python -m model.opus {name} FOLDER converts it, "
                "or says what is missing."
            )
        return folder
    folder = download(name, [CONFIG])
    if "@" not in name:
        logger.warning("%s is taken at its newest known version; %s@%s keeps to it.", name, name, folder.name)
    repo_id, commit = name.partition("@")[0], folder.name
    if marian.published_type(folder):
        return convert_repository(repo_id, commit)
    return download(f"{repo_id}@{commit}", FILE_PATTERNS)


def convert_repository(repo_id: str, commit: str) -> Path:
    """The checkpoint made from a Marian model's repository, now or earlier."""

    def make(folder: Path) -> None:
        logger.warning("%s is converted once, and kept.", repo_id)
        conversion = marian.convert(*marian.fetch(f"{repo_id}@{commit}"))
        save(conversion.translator, folder, conversion.precision)

    try:
        return cached_conversion(repo_id, commit, make)
    except (OSError, ValueError) as error:
        raise CheckpointError(
            f"{repo_id} cannot be converted ({error_reason(error)}). Name another with --model."
        ) from error


def load(name: str | Path = SHIPPED, device: torch.device | str = "cpu", threads: int = 1) -> Translator:
    """Loads a checkpoint by name, or from a folder that `locate` returned, as 32-bit floats, in eval mode.

    Raises CheckpointError if it is missing, incomplete, inconsistent or not what was saved.
    """
    folder = name if isinstance(name, Path) else locate(name)
    translator = read(folder)
    return replace(translator, model=translator.model.to(device).eval(), threads=threads)


def read(folder: Path, verify: bool = True) -> Translator:
    """The content of a checkpoint's folder, every file checked; `verify` compares the checksums, too.

    Memory for the weights is allocated last, when all else is in order. Raises CheckpointError otherwise.
    """
    try:
        reject_lfs_pointers(checkpoint_files(folder))
        weights = find_weight_files(folder, {p.name for p in checkpoint_files(folder) if p.suffix == ".safetensors"})
        with named_faults(CONFIG):  # as JSON again, because from a dict a strict dataclass takes nothing
            config = CONFIGS.validate_json(to_json(read_object(folder / CONFIG)))
        verify_size(config)
        tokenizer = load_tokenizer(folder)
        check_tokenizer(tokenizer, config)
        record = read_object(folder / RECORD)
        with named_faults(RECORD):
            Record.model_validate_json(to_json(record))
        verify_headers(weights, config)
        if verify:
            verify_checksums(folder, [*weights, *(folder / name for name in tokenizer.files())])
        model = uninitialized_model(config)
        load_weights(model, weights)
    except (OSError, ValueError, RuntimeError, SafetensorError) as error:
        raise CheckpointError(
            f"The checkpoint in {folder} cannot be read ({error_reason(error)}). "
            "Restore it, or name another with --model."
        ) from error
    return Translator(model, tokenizer, record)
