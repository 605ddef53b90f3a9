"""The rooms of the house, a folder each, in the order of their tabs.

Adding a room is a folder and a line in ROOMS. A room imports no other room; what two need lies in `shared/`,
`recording/` or `attention_view/`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from explorer.recording.opened import Opened
from explorer.rooms.architecture.tab import architecture_tab
from explorer.rooms.architecture.words import TAB as ARCHITECTURE
from explorer.rooms.catalogue.tab import catalogue_tab
from explorer.rooms.catalogue.words import TAB as CATALOGUE
from explorer.rooms.explore.tab import explore_tab
from explorer.rooms.explore.words import TAB as EXPLORE
from explorer.rooms.glossary.tab import glossary_tab
from explorer.rooms.glossary.words import TAB as GLOSSARY
from explorer.rooms.inside.tab import inside_tab
from explorer.rooms.inside.words import TAB as INSIDE
from explorer.rooms.lab.tab import lab_tab
from explorer.rooms.lab.words import TAB as LAB
from explorer.rooms.masks.tab import masks_tab
from explorer.rooms.masks.words import TAB as MASKS
from explorer.rooms.positions.tab import positions_tab
from explorer.rooms.positions.words import TAB as POSITIONS
from explorer.rooms.predictions.tab import predictions_tab
from explorer.rooms.predictions.words import TAB as PREDICTIONS
from explorer.rooms.training.tab import training_tab
from explorer.rooms.training.words import TAB as TRAINING


class Room(NamedTuple):
    """A tab of the page."""

    id: str
    label: str
    build: Callable[[Opened], Any]  # makes its components, inside the tab


ROOMS = (
    Room("explore", EXPLORE, explore_tab),
    Room("lab", LAB, lab_tab),
    Room("inside", INSIDE, inside_tab),
    Room("masks", MASKS, masks_tab),
    Room("positions", POSITIONS, positions_tab),
    Room("predictions", PREDICTIONS, predictions_tab),
    Room("catalogue", CATALOGUE, catalogue_tab),
    Room("architecture", ARCHITECTURE, architecture_tab),
    Room("training", TRAINING, training_tab),
    Room("glossary", GLOSSARY, glossary_tab),
)
TABS = {room.id: room.label for room in ROOMS}
