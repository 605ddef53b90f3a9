"""Whether the files of a checkpoint are those that were saved, and belong together.

`checksums.json` holds a checksum of each weight and tokenizer file, since a flipped bit changes translations
unnoticed. Checkpoints from before there were checksums load without it.
"""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from model.config import ModelConfig
from model.errors import UserError
from model.files import file_size, is_foreign_link, read_object
from model.tokenizer import Tokenizer

CHECKSUMS = "checksums.json"
LFS_POINTER = b"version https://git-lfs.github.com/spec/"


def sha256_of(path: Path) -> str:
    """The SHA-256 checksum of a file, as 64 hexadecimal digits."""
    file_size(path)  # raises unless it is a regular file
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def checksums_json(checksums: Mapping[str, str]) -> bytes:
    """The content of `checksums.json`: a checksum by file name."""
    return (json.dumps(dict(sorted(checksums.items())), indent=1) + "\n").encode()


def verify_checksums(folder: Path, files: Sequence[Path]) -> None:
    """Raises UserError if a file's checksum differs from that in the folder's `checksums.json`, if it has one."""
    if not os.path.lexists(folder / CHECKSUMS):  # a dangling link is an error, not a missing file
        return
    expected = read_object(folder / CHECKSUMS)
    if different := {path.name for path in files} ^ expected.keys():
        raise UserError(f"{CHECKSUMS} should name the weights and the tokenizer, but not so {min(different)}")
    for path in files:
        if sha256_of(path) != expected[path.name]:
            raise UserError(
                f"{path.name} is damaged, or another file than was saved: its checksum is not the one in {CHECKSUMS}; "
                f"where it was changed on purpose, python -m model.checksums {folder} writes that anew"
            )


def reject_lfs_pointers(files: Sequence[Path]) -> None:
    """Raises UserError if git left a pointer in place of a large file."""
    for path in files:
        if is_foreign_link(path) or not path.is_file():
            continue  # what needs it says so
        with path.open("rb") as file:
            if file.read(len(LFS_POINTER)) == LFS_POINTER:
                raise UserError(f"{path.name} is a Git LFS pointer, not the file itself: git lfs pull fetches it")


def check_tokenizer(tokenizer: Tokenizer, config: ModelConfig) -> None:
    """Raises UserError if tokenizer and model do not belong together."""
    for side, size in (("source", config.src_vocab_size), ("target", config.tgt_vocab_size)):
        if tokenizer.vocab_size != size:
            raise UserError(f"its tokenizer has {tokenizer.vocab_size} tokens, its model's {side} side {size}")
    if tokenizer.pad_id != config.pad_id:
        raise UserError(f"its tokenizer pads with id {tokenizer.pad_id}, its model with {config.pad_id}")
    for piece, number in (("start", tokenizer.bos_id), ("end", tokenizer.eos_id)):
        if number < 0:
            raise UserError(f"its tokenizer has no {piece} token")
    if (config.start == "pad") != (tokenizer.bos_id == tokenizer.pad_id):
        starts = "its padding token" if tokenizer.bos_id == tokenizer.pad_id else "a token of its own"
        raise UserError(f'its tokenizer starts from {starts}, its model from "{config.start}"')
