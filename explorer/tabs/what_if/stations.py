"""The stations of the room, in the order of their buttons. Adding one is a folder, a line here, and one in lab.js."""

from explorer.tabs.what_if.compare.station import COMPARE
from explorer.tabs.what_if.fork.station import FORK
from explorer.tabs.what_if.heads.station import HEADS
from explorer.tabs.what_if.hide.station import HIDE
from explorer.tabs.what_if.patch.station import PATCH
from explorer.tabs.what_if.positions.station import POSITIONS
from explorer.tabs.what_if.score.station import SCORE
from explorer.tabs.what_if.search.station import SEARCH

STATIONS = (FORK, SCORE, COMPARE, HEADS, HIDE, POSITIONS, PATCH, SEARCH)
