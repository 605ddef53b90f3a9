"""Explore: a sentence, its translation, and all its attention."""

from explorer.ui.translations import Translations

words = Translations(__file__)
