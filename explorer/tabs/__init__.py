"""The tabs of the page in their order, each in its own folder; those of a group share one tab of the page.

A new tab needs a folder and a line in PAGE. A tab imports no other tab; shared code is in `ui/`, `recording/` or
`attention_view/`.
"""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from explorer.recording.app_context import AppContext
from explorer.tabs.architecture.tab import architecture_tab
from explorer.tabs.architecture.tab import words as architecture_words
from explorer.tabs.explore.tab import explore_tab
from explorer.tabs.explore.tab import words as explore_words
from explorer.tabs.glossary.tab import glossary_tab
from explorer.tabs.glossary.tab import words as glossary_words
from explorer.tabs.inside.tab import inside_tab
from explorer.tabs.inside.tab import words as inside_words
from explorer.tabs.lessons.tab import lessons_tab
from explorer.tabs.lessons.tab import words as lessons_words
from explorer.tabs.masks.tab import masks_tab
from explorer.tabs.masks.tab import words as masks_words
from explorer.tabs.positions.tab import positions_tab
from explorer.tabs.positions.tab import words as positions_words
from explorer.tabs.predictions.tab import predictions_tab
from explorer.tabs.predictions.tab import words as predictions_words
from explorer.tabs.train.tab import train_tab
from explorer.tabs.train.tab import words as train_words
from explorer.tabs.training.tab import training_tab
from explorer.tabs.training.tab import words as training_words
from explorer.tabs.what_if.tab import what_if_tab
from explorer.tabs.what_if.tab import words as what_if_words
from explorer.ui.component import Component
from explorer.ui.translations import Translations

words = Translations(__file__)


class Tab(NamedTuple):
    """A tab: `components` creates its components for a checkpoint and registers the questions that they ask."""

    id: str
    words: Translations
    components: Callable[[AppContext], Sequence[Component]]

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
    def label(self) -> str:
        return words.GROUPS[self.id]


PAGE = (
    Tab("explore", explore_words, explore_tab),
    Tab("lessons", lessons_words, lessons_tab),
    Tab("lab", what_if_words, what_if_tab),
    Tab("inside", inside_words, inside_tab),
    Tab("train", train_words, train_tab),
    TabGroup(
        "how",
        (
            Tab("architecture", architecture_words, architecture_tab),
            Tab("positions", positions_words, positions_tab),
            Tab("predictions", predictions_words, predictions_tab),
            Tab("masks", masks_words, masks_tab),
        ),
    ),
    TabGroup(
        "about",
        (
            Tab("training", training_words, training_tab),
            Tab("glossary", glossary_words, glossary_tab),
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


def group_labels() -> dict[str, str]:
    """The label of each tab's group, by the tab's label, for the browser."""
    return {tab.label: group.label for group in PAGE if isinstance(group, TabGroup) for tab in group.tabs}
