"""The panels of the tab, in the order of their buttons. A new panel needs a folder, a line here, and one in lab.js."""

from explorer.tabs.what_if.compare.panel import COMPARE
from explorer.tabs.what_if.fork.panel import FORK
from explorer.tabs.what_if.heads.panel import HEADS
from explorer.tabs.what_if.hide.panel import HIDE
from explorer.tabs.what_if.patch.panel import PATCH
from explorer.tabs.what_if.positions.panel import POSITIONS
from explorer.tabs.what_if.score.panel import SCORE
from explorer.tabs.what_if.search.panel import SEARCH

PANELS = (FORK, SCORE, COMPARE, HEADS, HIDE, POSITIONS, PATCH, SEARCH)
