"""Converted models are kept, so that the second start of the explorer need not convert again.

They lie in the cache of the Hugging Face Hub's client for what others make of its files (HF_ASSETS_CACHE, by default
~/.cache/huggingface/assets), under the repository's name, its commit and the version of the conversion.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from huggingface_hub import cached_assets_path, constants

from model.files import save_error

TEMPORARY_PREFIX = "making-"  # begins the name of a folder until it is whole
ABANDONED_SECONDS = 86_400  # seconds after which nobody can still be filling one
VERSION = 1  # of what conversion makes: a higher one converts anew


def cached_conversion(repository: str, commit: str, make: Callable[[Path], None]) -> Path:
    """The folder that `make` fills, made once. It is there wholly or not at all, also where two make it together.

    Raises SaveError where it cannot be written.
    """
    try:
        cache = cached_assets_path("attention-explorer", repository, "opus", assets_dir=constants.HF_ASSETS_CACHE)
        folder = cache / f"{commit}-{VERSION}"
        remove_abandoned(cache.parent.parent)
        if folder.is_dir():
            return folder
        making = Path(tempfile.mkdtemp(dir=folder.parent, prefix=TEMPORARY_PREFIX))
    except OSError as error:
        raise save_error(Path("the converted model"), error) from error
    try:
        make(making)
        making.chmod(0o755)  # as folders are; that of a temporary one is 700
        try:
            os.rename(making, folder)
        except OSError as error:
            if not folder.is_dir():  # else another process was faster
                raise save_error(folder, error) from error
        return folder
    finally:
        shutil.rmtree(making, ignore_errors=True)


def remove_abandoned(library: Path) -> None:
    """Removes what conversions of any repository left that were killed: some 300 MB each."""
    for making in library.glob(f"*/*/{TEMPORARY_PREFIX}*"):
        try:
            abandoned = time.time() - making.stat().st_mtime > ABANDONED_SECONDS
        except FileNotFoundError:
            continue  # another process has just finished it, or removed it
        if abandoned:
            shutil.rmtree(making, ignore_errors=True)
