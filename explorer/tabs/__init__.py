"""The rooms of the house, a folder each, in the order of their tabs.

Adding a room is a folder and a line in ROOMS. A room imports no other room; what two need lies in `ui/`,
`recording/` or `attention_view/`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from explorer.recording.app_context import AppContext
from explorer.tabs.architecture import words as architecture_words
from explorer.tabs.architecture.tab import architecture_tab
from explorer.tabs.catalogue import words as catalogue_words
from explorer.tabs.catalogue.tab import catalogue_tab
from explorer.tabs.explore import words as explore_words
from explorer.tabs.explore.tab import explore_tab
from explorer.tabs.glossary import words as glossary_words
from explorer.tabs.glossary.tab import glossary_tab
from explorer.tabs.inside import words as inside_words
from explorer.tabs.inside.tab import inside_tab
from explorer.tabs.lessons import words as lessons_words
from explorer.tabs.lessons.tab import lessons_tab
from explorer.tabs.masks import words as masks_words
from explorer.tabs.masks.tab import masks_tab
from explorer.tabs.positions import words as positions_words
from explorer.tabs.positions.tab import positions_tab
from explorer.tabs.predictions import words as predictions_words
from explorer.tabs.predictions.tab import predictions_tab
from explorer.tabs.training import words as training_words
from explorer.tabs.training.tab import training_tab
from explorer.tabs.what_if import words as lab_words
from explorer.tabs.what_if.tab import lab_tab
from explorer.ui.translations import Translations


class Room(NamedTuple):
    """A tab of the page."""

    id: str
    words: Translations
    build: Callable[[AppContext], Any]  # makes its components, inside the tab

    @property
    def label(self) -> str:
        return self.words.TAB


ROOMS = (
    Room("explore", explore_words, explore_tab),
    Room("lessons", lessons_words, lessons_tab),
    Room("lab", lab_words, lab_tab),
    Room("inside", inside_words, inside_tab),
    Room("masks", masks_words, masks_tab),
    Room("positions", positions_words, positions_tab),
    Room("predictions", predictions_words, predictions_tab),
    Room("catalogue", catalogue_words, catalogue_tab),
    Room("architecture", architecture_words, architecture_tab),
    Room("training", training_words, training_tab),
    Room("glossary", glossary_words, glossary_tab),
)


def tabs() -> dict[str, str]:
    """The labels of the tabs by their ids."""
    return {room.id: room.label for room in ROOMS}
