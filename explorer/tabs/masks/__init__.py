"""Masks: a padded batch, and what its masks do."""

from explorer.ui.translations import Translations

words = Translations(__file__)
