"""A cache of converted models, so that only the first start of the explorer converts.

It is in the cache of the Hugging Face Hub's client for what others make of its files (HF_ASSETS_CACHE, by default
~/.cache/huggingface/assets), under the repository's name, its commit and the version of the conversion.
"""

import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from huggingface_hub import cached_assets_path, constants

TEMPORARY_PREFIX = "making-"  # of a folder that is not complete yet
ABANDONED_SECONDS = 86_400  # after this time no process can still be filling a folder
VERSION = 1  # of the conversion; a higher one makes all conversions anew


def cached_conversion(repository: str, commit: str, make: Callable[[Path], None]) -> Path:
    """The folder that `make` fills, called once. It is complete or missing, even if two processes make it together.

    Raises OSError if it cannot be written.
    """
    cache = cached_assets_path("attention-explorer", repository, "opus", assets_dir=constants.HF_ASSETS_CACHE)
    folder = cache / f"{commit}-{VERSION}"
    remove_abandoned(cache.parent.parent)
    if not folder.is_dir():
        with TemporaryDirectory(dir=cache, prefix=TEMPORARY_PREFIX, ignore_cleanup_errors=True) as temporary:
            made = Path(temporary) / folder.name
            make(made)
            with suppress(OSError):  # another process was faster
                made.rename(folder)
    return folder


def remove_abandoned(library: Path) -> None:
    """Removes the folders that killed conversions left behind, about 300 MB each."""
    for folder in library.glob(f"*/*/{TEMPORARY_PREFIX}*"):
        try:
            abandoned = time.time() - folder.stat().st_mtime > ABANDONED_SECONDS
        except FileNotFoundError:
            continue  # another process has just finished it, or removed it
        if abandoned:
            shutil.rmtree(folder, ignore_errors=True)
