"""The stations of the room, in the order of their buttons. Adding one is a folder, a line here, and one in lab.js."""

from explorer.rooms.lab.compare.station import COMPARE
from explorer.rooms.lab.fork.station import FORK
from explorer.rooms.lab.heads.station import HEADS
from explorer.rooms.lab.hide.station import HIDE
from explorer.rooms.lab.patch.station import PATCH
from explorer.rooms.lab.positions.station import POSITIONS
from explorer.rooms.lab.score.station import SCORE
from explorer.rooms.lab.search.station import SEARCH

STATIONS = (FORK, SCORE, COMPARE, HEADS, HIDE, POSITIONS, PATCH, SEARCH)
