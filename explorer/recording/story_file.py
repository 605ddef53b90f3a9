"""The story of a checkpoint's training as a file that browsers may fetch: whether it is one, and the checkpoint's.

A checkpoint may come from anywhere. Through a link in it somebody could read any file of this machine, and a small file
can unpack to gigabytes in a visitor's browser.
"""

import gzip
import logging
import os
import stat
import zlib
from pathlib import Path
from typing import NamedTuple

from explorer.recording import words
from model.checkpoints.checkpoint import STORY

LARGEST = 8_000_000  # bytes of the file
MOST_UNPACKED = 64_000_000  # bytes; the shipped one has 10 million

logger = logging.getLogger(__name__)


class FoundStory(NamedTuple):
    """The file, or why there is none to be shown, as a sentence; a checkpoint without a story has neither."""

    path: Path | None = None
    fault: str = ""


def found_story(folder: Path | None) -> FoundStory:
    """The story in a checkpoint's folder; what cannot be shown is told in the log, too."""
    if folder is None or not os.path.lexists(folder / STORY):
        return FoundStory()
    fault = fault_of(folder / STORY)
    if not fault:
        return FoundStory(folder / STORY)
    sentence = words.STORY_FAULTS[fault].format(file=STORY, largest=LARGEST // 10**6, unpacked=MOST_UNPACKED // 10**6)
    logger.warning("%s: %s", folder, sentence)
    return FoundStory(fault=sentence)


def fault_of(path: Path) -> str:
    """What is wrong with a story's file, by its name among the words, or nothing."""
    if path.is_symlink() and not is_of_the_hub(path):
        return "link"
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            return "irregular"
        if found.st_size > LARGEST:
            return "large"
        return fault_inside(path)
    except OSError:  # which a damaged gzip file raises, too
        return "unreadable"


def is_of_the_hub(path: Path) -> bool:
    """Whether a link leads where the Hub's cache keeps its files: from snapshots/REVISION to blobs beside snapshots."""
    repository = path.parent.parent.parent.resolve()
    return path.parent.parent.name == "snapshots" and path.resolve().parent == repository / "blobs"


def fault_inside(path: Path) -> str:
    """The same of what is in a regular file. Raises OSError where it cannot be read."""
    try:
        with gzip.open(path) as file:
            begins, count = file.read(1), 1
            while chunk := file.read(1_000_000):
                count += len(chunk)
                if count > MOST_UNPACKED:
                    return "unpacked"
    except (EOFError, zlib.error):
        return "unreadable"
    return "" if begins == b"{" else "unreadable"
