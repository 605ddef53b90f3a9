"""Masks: a padded batch and the effect of its masks."""

from explorer.ui.translations import Translations

words = Translations(__file__)
