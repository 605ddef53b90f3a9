"""The stations of the room, in the order of their buttons. Adding one is a folder, a line here, and one in lab.js."""

from explorer.rooms.lab.fork.station import FORK
from explorer.rooms.lab.hide.station import HIDE
from explorer.rooms.lab.patch.station import PATCH
from explorer.rooms.lab.score.station import SCORE
from explorer.rooms.lab.search.station import SEARCH

STATIONS = (FORK, SCORE, PATCH, HIDE, SEARCH)
