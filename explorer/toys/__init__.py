"""Toy tasks that a small Transformer learns within a minute, in a separate process, while users watch."""

from explorer.ui.translations import Translations

words = Translations(__file__)
