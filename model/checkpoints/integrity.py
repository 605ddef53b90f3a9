"""Whether a checkpoint's weights and tokenizer are those that were saved.

`checksums.json` holds a checksum of each of these files; one flipped bit would change translations without a sign.
A checkpoint without it, which is older than it, loads all the same.
"""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from model.files import read_object, size_of

CHECKSUMS = "checksums.json"


def checksum(path: Path) -> str:
    """SHA-256 of a file, as 64 digits."""
    size_of(path)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def as_file(checksums: Mapping[str, str]) -> bytes:
    """What `checksums.json` holds: a checksum by the name of each file."""
    return (json.dumps(dict(sorted(checksums.items())), indent=1) + "\n").encode()


def require_unchanged(folder: Path, files: Sequence[Path]) -> None:
    """Raises ValueError where one of the files is not what the folder's checksums say; a folder may have none."""
    if not os.path.lexists(folder / CHECKSUMS):  # a link that leads nowhere is no folder without checksums
        return
    said = read_object(folder / CHECKSUMS)
    if missing := {path.name for path in files} ^ said.keys():
        raise ValueError(f"{CHECKSUMS} should name the weights and the tokenizer, but not so {min(missing)}")
    for path in files:
        if checksum(path) != said[path.name]:
            raise ValueError(
                f"{path.name} is damaged, or another file than was saved: its checksum is not the one in {CHECKSUMS}; "
                f"where it was changed on purpose, python -m model.checksums {folder} writes that anew"
            )
