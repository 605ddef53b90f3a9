"""A checkpoint: one folder, or one repository on the Hugging Face Hub, that holds all a Translator needs.

`config.json` (ModelConfig), `model*.safetensors` (16-bit weights, in shards small enough for plain git, with
their index), `tokenizer.model` (SentencePiece), `checksums.json` (of weights and tokenizer), `training.json` (how it
was trained, and its scores), `README.md` (the model card) and, where there are such, `story.json.gz` (the story of
its training) and `heads.json` (what its heads do, measured). No other file is downloaded or read, and nothing of it
is ever unpickled. A converted OPUS-MT model has weights in one file, as precise as they were published, and
`source.spm`, `target.spm`, `vocab.json` and perhaps `target_tag.json` instead of `tokenizer.model`; what is read when
it is converted stands in model/opus/marian.py.

A checkpoint's name is a folder, `owner/name` (the newest version in that repository) or `owner/name@revision`
(the version at that commit, tag or branch).
"""

import hashlib
import json
import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from fnmatch import fnmatchcase
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

import torch
from huggingface_hub import snapshot_download
from huggingface_hub.errors import HTTPError, RepositoryNotFoundError, RevisionNotFoundError
from safetensors import SafetensorError

from model.checkpoints.card import model_card
from model.checkpoints.integrity import CHECKSUMS, checksums_json, sha256_of, verify_checksums
from model.checkpoints.record import Record
from model.checkpoints.weights import (
    INDEX,
    WEIGHTS,
    find_weight_files,
    lay_out_for_decoding,
    load_weights,
    serialize_weights,
    uninitialized_model,
    verify_headers,
    verify_size,
)
from model.config import CONFIGS, ModelConfig
from model.decoding import Translator
from model.files import make_folder, read_object, validate_file, write_atomically, write_together
from model.languages import languages_of
from model.opus import marian
from model.opus.cache import cached_conversion
from model.opus.marian import is_marian
from model.opus.origin import Origin, read_licence
from model.opus.tokenizer import FILES as TWO_MODELS
from model.opus.tokenizer import TwoModels
from model.opus.weights import PICKLED, SAFE
from model.tidying import rules_of
from model.tokenizer import TOKENIZER, Tokenizer

CONFIG, RECORD, CARD, STORY, HEADS = (
    "config.json",
    "training.json",
    "README.md",
    "story.json.gz",
    "heads.json",
)
SHARDS = f"model-{'[0-9]' * 5}-of-{'[0-9]' * 5}.safetensors"
TOKENIZERS = (TOKENIZER, *TWO_MODELS)  # the files of one tokenizer or the other
FILE_PATTERNS = (CONFIG, *TOKENIZERS, RECORD, CARD, STORY, HEADS, CHECKSUMS, WEIGHTS, INDEX, SHARDS)
# In the folder of a run: the checkpoint at its end, and the folder of those kept on the way.
FINAL, MOMENTS = "checkpoint", "moments"
SHARD_SIZE, WHOLE = "9MB", "100GB"
SHIPPED = str(files("assets") / "small")
NAME_HELP = "checkpoint folder, or Hub repository as owner/name or owner/name@revision"
REVISION = re.compile(r"\w[\w.+-]*(/\w[\w.+-]*)*")  # no "..": the Hub's client makes a file name of it
NO_WORD = re.compile(r"[^\w.-]")
LFS_POINTER = b"version https://git-lfs.github.com/spec/"
# HTTPError is that of the HTTP library which the Hub's client uses, another one in its version 2 than in 1;
# RuntimeError is what its transfer library raises where a download or an upload breaks off.
HUB_ERRORS = (HTTPError, OSError, RuntimeError, ValueError)

logger = logging.getLogger(__name__)


class CheckpointError(Exception):
    """A checkpoint that is missing or damaged; the message says what is wrong and what to do."""


def save(translator: Translator, folder: Path, precision: torch.dtype = torch.float16) -> None:
    """Writes a checkpoint; weights are rounded to 16 bits unless they shall keep more, a tied matrix is written once.

    Raises SaveError where it cannot be written; a checkpoint that was there before is then as it was.
    """
    make_folder(folder)
    saved = write_together(folder, contents(translator, precision))
    for path in checkpoint_files(folder):
        if (is_weights(path.name) or path.name in TOKENIZERS) and path not in saved:
            path.unlink()  # of a checkpoint that was there before and had more of them


def contents(translator: Translator, precision: torch.dtype = torch.float16) -> Iterator[tuple[str, bytes]]:
    """The files of a checkpoint by their names; one of converted weights is for no git, and is not cut into shards."""
    checksums, size = {}, SHARD_SIZE if "origin" not in translator.record else WHOLE
    for name, data in chain(serialize_weights(translator.model, size, precision), translator.tokenizer.files().items()):
        if name != INDEX:
            checksums[name] = hashlib.sha256(data).hexdigest()
        yield name, data
    yield CHECKSUMS, checksums_json(checksums)
    yield CONFIG, (json.dumps(asdict(translator.model.config), indent=2) + "\n").encode()
    yield from record_files(translator.record)


def record_files(record: dict[str, Any]) -> list[tuple[str, bytes]]:
    """The training record, and the model card that is made from it.

    Words of the command line, which Python takes for ASCII under LC_ALL=C, are written as the UTF-8 that they were.
    Raises ValueError where a number is none: no such record would be read again.
    """
    told = json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False)
    written = told.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return [(RECORD, f"{written}\n".encode()), (CARD, model_card(json.loads(written)).encode())]


def save_record(record: dict[str, Any], folder: Path) -> None:
    """Writes the training record and the model card. Raises SaveError where they cannot be written."""
    write_together(folder, record_files(record))


def save_checksums(folder: Path) -> None:
    """Writes checksums of the weights and the tokenizer of a checkpoint that loads, whatever it had before."""
    read(folder, unchanged=False)
    names = [path.name for path in checkpoint_files(folder) if path.suffix == ".safetensors"]
    written = checksums_json({name: sha256_of(folder / name) for name in (*names, *tokenizer_files(folder))})
    write_atomically(folder / CHECKSUMS, written)


def tokenizer_files(folder: Path) -> list[str]:
    """The names of those files in a folder that belong to its tokenizer."""
    return [path.name for path in checkpoint_files(folder) if path.name in TOKENIZERS]


def load_tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer of a checkpoint. Raises OSError or ValueError where there is none, or more than one."""
    if {*tokenizer_files(folder)} <= {TOKENIZER}:
        return Tokenizer.load(folder / TOKENIZER)
    if TOKENIZER in tokenizer_files(folder):
        raise ValueError(f"it has two tokenizers, {TOKENIZER} and {tokenizer_files(folder)[0]}")
    return TwoModels.load(folder)


def is_weights(name: str) -> bool:
    """Whether a file of this name belongs to the weights."""
    return name.endswith(".safetensors") or name == INDEX


def error_reason(error: BaseException) -> str:
    """Why something failed, in a line: what the error says first, or its name where it says nothing."""
    if isinstance(error, RevisionNotFoundError):
        return "the repository has no such commit, tag or branch"
    if isinstance(error, RepositoryNotFoundError):
        return "there is no such repository, or you may not read it"
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def is_checkpoint_file(name: str) -> bool:
    """Whether a checkpoint has a file of this name."""
    return any(fnmatchcase(name, pattern) for pattern in FILE_PATTERNS)


def checkpoint_files(folder: Path) -> list[Path]:
    """The files of a checkpoint that are in a folder; whatever else lies there is left alone."""
    return sorted(path for path in folder.iterdir() if is_checkpoint_file(path.name))


def locate(name: str) -> Path:
    """The local folder of a checkpoint; a Hub repository is downloaded, or taken from the cache when offline.

    One that holds a Marian model is converted, unless that was done before. Logs the commit of a repository that was
    named without a revision. Raises CheckpointError where there is none.
    """
    folder = Path(name)
    if folder.is_dir():
        if is_marian(folder):
            raise CheckpointError(f"{name} holds a Marian model: python -m model.opus {name} FOLDER converts it.")
        return folder
    folder = downloaded(name, FILE_PATTERNS)
    if "@" not in name:
        logger.warning("%s is taken at its newest known version; %s@%s keeps to it.", name, name, folder.name)
    return converted(name.partition("@")[0], folder.name) if is_marian(folder) else folder


def downloaded(name: str, patterns: Sequence[str]) -> Path:
    """The files of a Hub repository whose names are of these patterns; the folder is named by their commit."""
    repo_id, at, revision = name.partition("@")
    if Path(name).is_absolute() or repo_id.count("/") != 1 or name.startswith("."):
        raise CheckpointError(
            f"There is no checkpoint folder at {name}. Restore it with git checkout, train one with "
            "python -m model.train, or name another with --model."
        )
    if at and not REVISION.fullmatch(revision):
        raise CheckpointError(f"In {name}, {revision!r} after the @ is not the name of a commit, tag or branch.")
    try:
        return Path(snapshot_download(repo_id, revision=revision or None, allow_patterns=list(patterns)))
    except HUB_ERRORS as error:
        raise CheckpointError(
            f"There is no local folder {name}, and it cannot be loaded from the Hugging Face Hub: {error_reason(error)}"
        ) from error


def marian_files(name: str) -> tuple[Path, Origin]:
    """The files of a Marian model, by the name of a folder or of a Hub repository, and where they come from."""
    folder, commit = Path(name), ""
    if not folder.is_dir():
        name, folder = name.partition("@")[0], downloaded(name, (*marian.READ, SAFE))
        commit = folder.name
        if not (folder / SAFE).exists():
            downloaded(f"{name}@{commit}", [PICKLED])
    return folder, Origin(name if commit else NO_WORD.sub("-", folder.resolve().name), commit, read_licence(folder))


def converted(repo_id: str, commit: str) -> Path:
    """The checkpoint that was made of a Marian model's repository, now or before."""

    def make(folder: Path) -> None:
        logger.warning("%s is converted once, and kept.", repo_id)
        found = marian.convert(*marian_files(f"{repo_id}@{commit}"))
        save(found.translator, folder, found.precision)

    try:
        return cached_conversion(repo_id, commit, make)
    except (OSError, ValueError) as error:
        raise CheckpointError(
            f"{repo_id} cannot be converted ({error_reason(error)}). Name another with --model."
        ) from error


def load(name: str | Path = SHIPPED, device: torch.device | str = "cpu") -> Translator:
    """Loads the checkpoint of a name, or in a folder that was located before, as 32-bit floats, in eval mode.

    Raises CheckpointError where it is missing, incomplete, inconsistent or not what was saved.
    """
    folder = name if isinstance(name, Path) else locate(name)
    translator = read(folder)
    lay_out_for_decoding(translator.model)
    return Translator(translator.model.to(device).eval(), translator.tokenizer, translator.record)


def read(folder: Path, unchanged: bool = True) -> Translator:
    """What a folder holds, every file of it checked; `unchanged`: against the checksums, too.

    Memory is taken for the weights only after all else was found in order. Raises CheckpointError where it was not.
    """
    try:
        reject_lfs_pointers(folder)
        files = find_weight_files(
            folder, {path.name for path in checkpoint_files(folder) if path.suffix == ".safetensors"}
        )
        config = validate_file(CONFIGS.validate_json, read_object(folder / CONFIG), CONFIG)
        verify_size(config)
        tokenizer = load_tokenizer(folder)
        check_tokenizer(tokenizer, config)
        record = read_object(folder / RECORD)
        validate_file(Record.model_validate_json, record, RECORD)
        languages_of(record)  # which refuses what the page could not say
        rules_of(record)
        verify_headers(files, config)
        if unchanged:
            verify_checksums(folder, [*files, *(folder / name for name in tokenizer.files())])
        model = uninitialized_model(config)
        load_weights(model, files)
    except (OSError, ValueError, RuntimeError, SafetensorError) as error:
        raise CheckpointError(
            f"The checkpoint in {folder} cannot be read ({error_reason(error)}). "
            "Restore it, or name another with --model."
        ) from error
    return Translator(model, tokenizer, record)


def reject_lfs_pointers(folder: Path) -> None:
    """Raises ValueError where git left a pointer in the place of a large file."""
    for path in filter(Path.is_file, checkpoint_files(folder)):  # what is none is refused where it is read
        with path.open("rb") as file:
            if file.read(len(LFS_POINTER)) == LFS_POINTER:
                raise ValueError(f"{path.name} is a Git LFS pointer, not the file itself: git lfs pull fetches it")


def check_tokenizer(tokenizer: Tokenizer, config: ModelConfig) -> None:
    """Raises ValueError where tokenizer and model cannot belong together."""
    for side, size in (("source", config.src_vocab_size), ("target", config.tgt_vocab_size)):
        if tokenizer.vocab_size != size:
            raise ValueError(f"its tokenizer has {tokenizer.vocab_size} pieces, its model's {side} side {size}")
    if tokenizer.pad_id != config.pad_id:
        raise ValueError(f"its tokenizer pads with id {tokenizer.pad_id}, its model with {config.pad_id}")
    for piece, number in (("start", tokenizer.bos_id), ("end", tokenizer.eos_id)):
        if number < 0:
            raise ValueError(f"its tokenizer has no {piece} piece")
    if (config.start == "pad") != (tokenizer.bos_id == tokenizer.pad_id):
        starts = "its padding piece" if tokenizer.bos_id == tokenizer.pad_id else "a piece of its own"
        raise ValueError(f'its tokenizer starts from {starts}, its model from "{config.start}"')
