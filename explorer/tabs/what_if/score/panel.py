"""Your German: how probable the model finds a translation of the visitor's own."""

from pathlib import Path

from explorer.tabs.what_if.panel import Panel
from explorer.ui.translations import Translations

words = Translations(__file__)

SCORE = Panel(Path(__file__).parent, words)
