"""The panel Your German."""

from pathlib import Path

from explorer.tabs.what_if.panel import Panel
from explorer.tabs.what_if.score import words

SCORE = Panel(Path(__file__).parent, words)
