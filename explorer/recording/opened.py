"""What a room is built from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from explorer.recording.recordings import Recordings
from model.checkpoint import STORY
from model.decoding import Translator

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Opened:
    """A checkpoint that was opened to be looked at, and the page's tabs by their ids."""

    recordings: Recordings
    folder: Path | None  # of the checkpoint
    tabs: Mapping[str, str] = field(default_factory=dict)  # their labels
    made: dict[Callable[..., Any], Any] = field(default_factory=dict)  # what `shared` has made

    @property
    def translator(self) -> Translator:
        return self.recordings.translator

    def shared(self, make: Callable[[Recordings], T]) -> T:
        """What is made of the recordings once, for all who look at this checkpoint."""
        if make not in self.made:
            self.made[make] = make(self.recordings)
        return self.made[make]

    @property
    def reads_english(self) -> bool:
        """Whether our own sentences, which are English, can be offered to it."""
        return self.translator.languages.source.code.partition("-")[0] == "en"

    @property
    def story(self) -> Path | None:
        """The story of the checkpoint's training, where it has one."""
        path = self.folder / STORY if self.folder else None
        return path if path and path.exists() else None
