"""The whole page: its tabs, its look, and its endpoints for programs."""

from explorer.ui.translations import Translations

words = Translations(__file__)
