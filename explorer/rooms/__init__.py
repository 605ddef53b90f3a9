"""The rooms of the house, a folder each, in the order of their tabs.

Adding a room is a folder and a line in ROOMS. A room imports no other room; what two need lies in `shared/`,
`recording/` or `attention_view/`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from explorer.recording.opened import Opened
from explorer.rooms.architecture.tab import architecture_tab
from explorer.rooms.explore.tab import explore_tab
from explorer.rooms.glossary.tab import glossary_tab
from explorer.rooms.inside.tab import inside_tab
from explorer.rooms.masks.tab import masks_tab
from explorer.rooms.positions.tab import positions_tab
from explorer.rooms.predictions.tab import predictions_tab
from explorer.rooms.training.tab import training_tab


class Room(NamedTuple):
    """A tab of the page."""

    id: str
    label: str
    build: Callable[[Opened], Any]  # makes its components, inside the tab


ROOMS = (
    Room("explore", "Explore", explore_tab),
    Room("inside", "Inside", inside_tab),
    Room("masks", "Masks", masks_tab),
    Room("positions", "Positions", positions_tab),
    Room("predictions", "Predictions", predictions_tab),
    Room("architecture", "Architecture", architecture_tab),
    Room("training", "Training", training_tab),
    Room("glossary", "Glossary", glossary_tab),
)
TABS = {room.id: room.label for room in ROOMS}
