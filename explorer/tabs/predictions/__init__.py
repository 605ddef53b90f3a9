"""Predictions: the output side of a step."""

from explorer.ui.translations import Translations

words = Translations(__file__)
