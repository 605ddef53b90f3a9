"""What a room is built from."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from explorer.recording.recordings import Recordings
from model.checkpoint import STORY
from model.decoding import Translator


@dataclass(frozen=True, eq=False)
class Opened:
    """A checkpoint that was opened to be looked at, and the page's tabs by their ids."""

    recordings: Recordings
    folder: Path | None  # of the checkpoint
    tabs: Mapping[str, str]  # their labels

    @property
    def translator(self) -> Translator:
        return self.recordings.translator

    @property
    def story(self) -> Path | None:
        """The story of the checkpoint's training, where it has one."""
        path = self.folder / STORY if self.folder else None
        return path if path and path.exists() else None
