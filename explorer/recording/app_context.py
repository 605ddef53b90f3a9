"""Everything loaded for one page, passed to every tab."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakSet

from explorer.recording.examples import checkpoint_examples, examples, primary_subtag, story_examples
from explorer.recording.recordings import Recordings
from explorer.recording.story_file import StoryFile, find_story
from explorer.ui.questions import Questions
from explorer.ui.scheduler import Scheduler
from model.decoding import Translator

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class AppContext:
    """An opened checkpoint, the page's tabs, and the files and limits that the command line sets."""

    recordings: Recordings
    folder: Path | None  # of the checkpoint
    tabs: Mapping[str, str] = field(default_factory=dict)  # labels by id
    examples: Path | None = None  # a file of sentences that replaces ours
    lessons: Path | None = None  # a folder of lessons that replaces ours
    begins_class: bool = False  # whether a class begins with the server, led by the link in the terminal
    absent_tabs: Collection[str] = ()  # ids of the tabs that this page lacks
    about: Callable[[], str] | None = None  # describes a model trained on the page, for the top of its own page
    max_trainings: int = 0  # toy models that visitors may train at once, in the page's own process
    questions: Questions = field(default_factory=Questions)  # functions that the page may call
    toys: "WeakSet[AppContext]" = field(default_factory=WeakSet)  # of models trained on the page, while they are open
    shared_values: dict[Callable[..., Any], Any] = field(default_factory=dict)  # what `get_shared` has, by function

    @property
    def translator(self) -> Translator:
        return self.recordings.translator

    def get_shared(self, make: Callable[["AppContext"], T]) -> T:
        """`make(self)`, computed once and shared by all visitors of this checkpoint."""
        if make not in self.shared_values:
            self.shared_values[make] = make(self)
        return self.shared_values[make]

    @property
    def scheduler(self) -> Scheduler:
        """Does all work on the model."""
        return self.get_shared(make_scheduler)

    def close(self) -> None:
        """Ends the work, also on toys: who waits is told so."""
        for app in [self, *self.toys]:
            app.scheduler.close()

    @property
    def sentences(self) -> list[dict[str, str]]:
        """The clickable sentences, from the first source that has any.

        The sources: the teacher's file, the checkpoint's record, our own file, the story of the checkpoint's training.
        """
        if self.examples:
            return examples(self.examples)
        return checkpoint_examples(self.translator.record) or examples() or story_examples(self.story)

    @property
    def first_sentence(self) -> str:
        """What the page opens with."""
        return self.sentences[0]["sentence"] if self.sentences else ""

    @property
    def subjects(self) -> dict[str, str]:
        """The words that clickable sentences are about, by sentence."""
        return {example["sentence"]: example["subject"] for example in self.sentences if example["subject"]}

    @property
    def reads_english(self) -> bool:
        """Whether the model reads English, the language of our own sentences."""
        return primary_subtag(self.translator.languages.source) == "en"

    @property
    def story(self) -> Path | None:
        """The file that replays the checkpoint's training, if there is one that may be shown."""
        return self.story_file.path

    @property
    def story_file(self) -> StoryFile:
        """The same file, or the reason why it is not shown. Searched once."""
        return self.get_shared(checked_story)


def make_scheduler(app: AppContext) -> Scheduler:
    return Scheduler(app.recordings.translate_batch)


def checked_story(app: AppContext) -> StoryFile:
    return find_story(app.folder)
