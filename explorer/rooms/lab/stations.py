"""The stations of the room, in the order of their buttons. Adding one is a folder, a line here, and one in lab.js."""

from explorer.rooms.lab.fork.station import FORK
from explorer.rooms.lab.score.station import SCORE

STATIONS = (FORK, SCORE)
