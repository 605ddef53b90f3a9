"""Another piece: the decoding continues from a piece that greedy decoding would not have chosen."""

from pathlib import Path

from explorer.tabs.what_if.panel import Panel
from explorer.ui.translations import Translations

words = Translations(__file__)

FORK = Panel(Path(__file__).parent, words)
