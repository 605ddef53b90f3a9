"""A cache of converted models, so that only the first start of the explorer converts.

It is in the cache of the Hugging Face Hub's client for what others make of its files (HF_ASSETS_CACHE, by default
~/.cache/huggingface/assets), under the repository's name, its commit and the version of the conversion.
"""

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from huggingface_hub import cached_assets_path, constants

from model.files import save_error

TEMPORARY_PREFIX = "making-"  # of a folder that is not complete yet
ABANDONED_SECONDS = 86_400  # after this time no process can still be filling a folder
VERSION = 1  # of the conversion; a higher one makes all conversions anew


def cached_conversion(repository: str, commit: str, make: Callable[[Path], None]) -> Path:
    """The folder that `make` fills, called once. It is complete or missing, even if two processes make it together.

    Raises SaveError if it cannot be written.
    """
    try:
        cache = cached_assets_path("attention-explorer", repository, "opus", assets_dir=constants.HF_ASSETS_CACHE)
        folder = cache / f"{commit}-{VERSION}"
        remove_abandoned(cache.parent.parent)
        if folder.is_dir():
            return folder
        temporary = TemporaryDirectory(dir=cache, prefix=TEMPORARY_PREFIX, ignore_cleanup_errors=True)
    except OSError as error:
        raise save_error(Path("the converted model"), error) from error
    with temporary as parent:
        made = Path(parent) / folder.name
        make(made)
        try:
            made.rename(folder)
        except OSError as error:
            if not folder.is_dir():  # otherwise another process was faster
                raise save_error(folder, error) from error
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
