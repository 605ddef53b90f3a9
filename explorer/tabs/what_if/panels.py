"""The panels of the tab, in the order of their buttons. A new panel needs a folder, a line here, and one in lab.js."""

from pathlib import Path

from explorer.tabs.what_if.heads.panel import HEADS
from explorer.tabs.what_if.hide.panel import HIDE
from explorer.tabs.what_if.panel import Panel
from explorer.tabs.what_if.patch.panel import PATCH
from explorer.tabs.what_if.positions.panel import POSITIONS
from explorer.tabs.what_if.search.panel import SEARCH

FORK, SCORE, COMPARE = (Panel(Path(__file__).parent / name) for name in ("fork", "score", "compare"))
PANELS = (FORK, SCORE, COMPARE, HEADS, HIDE, POSITIONS, PATCH, SEARCH)
