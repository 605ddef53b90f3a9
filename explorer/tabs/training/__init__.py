"""Training: how the checkpoint came about."""

from explorer.ui.translations import Translations

words = Translations(__file__)
