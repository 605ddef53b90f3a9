"""Another sentence: compares the German of two English sentences, or of one sentence in two word orders."""

from pathlib import Path

from explorer.tabs.what_if.panel import Panel
from explorer.ui.translations import Translations

words = Translations(__file__)

COMPARE = Panel(Path(__file__).parent, words)
