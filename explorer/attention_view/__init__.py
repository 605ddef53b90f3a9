"""The attention view, which Explore, Training and What if share."""

from explorer.ui.translations import Translations

words = Translations(__file__)
