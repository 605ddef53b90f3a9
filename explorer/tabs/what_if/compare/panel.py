"""The panel Another sentence."""

from pathlib import Path

from explorer.tabs.what_if.compare import words
from explorer.tabs.what_if.panel import Panel

COMPARE = Panel(Path(__file__).parent, words)
