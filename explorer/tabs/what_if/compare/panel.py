"""Another sentence: two English sentences, or the words of one in another order, and what becomes of the German."""

from pathlib import Path

from explorer.tabs.what_if.panel import Panel
from explorer.ui.translations import Translations

words = Translations(__file__)

COMPARE = Panel(Path(__file__).parent, words)
