"""Your German: the probability of a translation that the user types."""

from pathlib import Path

from explorer.tabs.what_if.panel import Panel
from explorer.ui.translations import Translations

words = Translations(__file__)

SCORE = Panel(Path(__file__).parent, words)
