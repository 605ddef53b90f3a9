"""What a tab is built from."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from explorer.recording.examples import examples, primary, recorded, told
from explorer.recording.recordings import Recordings
from explorer.recording.story_file import FoundStory, found_story
from explorer.ui.questions import Questions
from explorer.ui.queue import Scheduler
from model.decoding import Translator

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class AppContext:
    """A checkpoint that was opened to be looked at, the page's tabs by their ids, and what a teacher brought along."""

    recordings: Recordings
    folder: Path | None  # of the checkpoint
    tabs: Mapping[str, str] = field(default_factory=dict)  # their labels
    examples: Path | None = None  # a file of sentences instead of our own
    lessons: Path | None = None  # a folder of lessons instead of our own
    absent_tabs: Collection[str] = ()  # ids of the tabs that this page lacks
    about: Callable[[], str] | None = None  # says of a model that was trained here what it is, for the top of its page
    max_trainings: int = 0  # toys that visitors may train at once, in the page's own process
    questions: Questions = field(default_factory=Questions)  # that the page may ask
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
    def queue(self) -> Scheduler:
        """In which all work on the model waits."""
        return self.shared(queue_of)

    @property
    def sentences(self) -> list[dict[str, str]]:
        """The clickable sentences: a teacher's, the checkpoint's own, ours in its language, or its story's, or none."""
        if self.examples:
            return examples(self.examples)
        return recorded(self.translator.record) or examples() or told(self.story)

    @property
    def reads_english(self) -> bool:
        """Whether our own sentences, which are English, can be offered to it."""
        return primary(self.translator.languages.source) == "en"

    @property
    def story(self) -> Path | None:
        """The story of the checkpoint's training, where it has one that may be shown."""
        return self.found_story.path

    @property
    def found_story(self) -> FoundStory:
        """The same, or why it is not shown; looked for once."""
        if found_story not in self.made:
            self.made[found_story] = found_story(self.folder)
        return self.made[found_story]


def queue_of(recordings: Recordings) -> Scheduler:
    return Scheduler(recordings.translate_batch)
