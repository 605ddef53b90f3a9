"""The panel Another piece."""

from pathlib import Path

from explorer.tabs.what_if.fork import words
from explorer.tabs.what_if.panel import Panel

FORK = Panel(Path(__file__).parent, words)
