"""Whether a checkpoint's weights and tokenizer are those that were saved.

`checksums.json` holds a checksum of each of these files; one flipped bit would change translations without a sign.
A checkpoint without it, which is older than it, loads all the same.
"""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from model.files import file_size, read_object

CHECKSUMS = "checksums.json"


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, as 64 digits."""
    file_size(path)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def checksums_json(checksums: Mapping[str, str]) -> bytes:
    """What `checksums.json` holds: a checksum by the name of each file."""
    return (json.dumps(dict(sorted(checksums.items())), indent=1) + "\n").encode()


def verify_checksums(folder: Path, files: Sequence[Path]) -> None:
    """Raises ValueError where one of the files is not what the folder's checksums say; a folder may have none."""
    if not os.path.lexists(folder / CHECKSUMS):  # a link that leads nowhere is no folder without checksums
        return
    said = read_object(folder / CHECKSUMS)
    if missing := {path.name for path in files} ^ said.keys():
        raise ValueError(f"{CHECKSUMS} should name the weights and the tokenizer, but not so {min(missing)}")
    for path in files:
        if sha256_of(path) != said[path.name]:
            raise ValueError(
                f"{path.name} is damaged, or another file than was saved: its checksum is not the one in {CHECKSUMS}; "
                f"where it was changed on purpose, python -m model.checksums {folder} writes that anew"
            )
