"""Positions: how order enters the model."""

from explorer.ui.translations import Translations

words = Translations(__file__)
