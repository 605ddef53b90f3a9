"""The tabs of the page in their order, each in its own folder; those of a group share one tab of the page.

A new tab needs a folder and a line in PAGE. A tab imports no other tab; shared code is in `ui/`, `recording/` or
`attention_view/`.
"""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from explorer.recording.app_context import AppContext
from explorer.tabs import glossary
from explorer.tabs.explore import tab as explore
from explorer.tabs.lessons import tab as lessons
from explorer.tabs.model_training import tab as model_training
from explorer.tabs.positions import tab as positions
from explorer.tabs.train_one import tab as train_one
from explorer.tabs.whole import tab as whole
from explorer.ui import words
from explorer.ui.component import Component
from explorer.ui.translations import Translations


class Tab(NamedTuple):
    """A tab: `components` creates its components for a checkpoint and registers the questions that they ask."""

    id: str
    words: Translations
    components: Callable[[AppContext], Sequence[Component]]
    is_view: bool = False  # of the sentence in the box above

    @property
    def levels(self) -> dict[str, str]:
        """The labels of a tab that has a button for each of its levels."""
        return {"picture": self.words.PICTURE, "heads": self.words.HEADS} if self.id == "explore" else {}

    @property
    def label(self) -> str:
        return self.words.TAB

    @property
    def tabs(self) -> tuple["Tab", ...]:
        """Itself, as a group has its tabs."""
        return (self,)


class TabGroup(NamedTuple):
    """Tabs that share one tab of the page."""

    id: str
    tabs: tuple[Tab, ...]

    @property
    def is_view(self) -> bool:
        return False

    @property
    def levels(self) -> dict[str, str]:
        return {}

    @property
    def label(self) -> str:
        return words.GROUPS[self.id]


PAGE = (
    Tab("explore", explore.words, explore.explore_tab, is_view=True),
    Tab("whole", whole.words, whole.whole_tab, is_view=True),
    Tab("positions", positions.words, positions.positions_tab, is_view=True),
    Tab("lessons", lessons.words, lessons.lessons_tab),
    Tab("train", train_one.words, train_one.train_tab),
    TabGroup(
        "about",
        (
            Tab("training", model_training.words, model_training.training_tab),
            Tab("glossary", glossary.words, glossary.glossary_tab),
        ),
    ),
)
TABS = tuple(tab for entry in PAGE for tab in entry.tabs)


def tab_labels() -> dict[str, str]:
    return {tab.id: tab.label for tab in TABS}


def present_entries(absent: Collection[str]) -> list[Tab | TabGroup]:
    """The tabs and groups of a page that lacks the tabs with these ids; a group of one tab is that tab."""
    entries: list[Tab | TabGroup] = []
    for entry in PAGE:
        tabs = tuple(tab for tab in entry.tabs if tab.id not in absent)
        if len(tabs) > 1 and isinstance(entry, TabGroup):
            entries.append(entry._replace(tabs=tabs))
        else:
            entries += tabs
    return entries
