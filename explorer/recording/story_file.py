"""Checks on the file that replays a checkpoint's training before browsers may fetch it.

A checkpoint may come from anywhere: a link in it could expose any file of this machine, and a small file can unpack to
gigabytes in a visitor's browser.
"""

import gzip
import logging
import os
import stat
import zlib
from pathlib import Path
from typing import NamedTuple

from explorer.recording import words
from model.checkpoints.checkpoint import MAX_BYTES, STORY
from model.files import is_foreign_link

MAX_FILE_BYTES = MAX_BYTES[STORY]  # compressed
MAX_UNPACKED_BYTES = 64_000_000  # the shipped one has 10 million

logger = logging.getLogger(__name__)


class StoryFile(NamedTuple):
    """The path of the file, or a sentence that says why it is not shown; neither if the checkpoint has no story."""

    path: Path | None = None
    fault: str = ""


def find_story(folder: Path | None) -> StoryFile:
    """The story in a checkpoint's folder; a faulty one is logged, too."""
    if folder is None or not os.path.lexists(folder / STORY):
        return StoryFile()
    fault = story_fault(folder / STORY)
    if not fault:
        return StoryFile(folder / STORY)
    sentence = words.STORY_FAULTS[fault].format(
        file=STORY, largest=MAX_FILE_BYTES // 10**6, unpacked=MAX_UNPACKED_BYTES // 10**6
    )
    logger.warning("%s: %s", folder, sentence)
    return StoryFile(fault=sentence)


def story_fault(path: Path) -> str:
    """The key in STORY_FAULTS of what is wrong with the file; "" if nothing is."""
    if is_foreign_link(path):
        return "link"
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return "irregular"
        if status.st_size > MAX_FILE_BYTES:
            return "large"
        return content_fault(path)
    except OSError:  # which a damaged gzip file raises, too
        return "unreadable"


def content_fault(path: Path) -> str:
    """The same for the content of a regular file. Raises OSError if it cannot be read."""
    try:
        with gzip.open(path) as file:
            first_byte, count = file.read(1), 1
            while chunk := file.read(1_000_000):
                count += len(chunk)
                if count > MAX_UNPACKED_BYTES:
                    return "unpacked"
    except (EOFError, zlib.error):
        return "unreadable"
    return "" if first_byte == b"{" else "unreadable"
