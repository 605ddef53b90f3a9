"""Heads: every attention head in numbers, measured over many sentences."""

from explorer.ui.translations import Translations

words = Translations(__file__)
