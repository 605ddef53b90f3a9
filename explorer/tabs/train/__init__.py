"""Train one now: a small model that a user trains on the page, and a view of its progress."""

from explorer.ui.translations import Translations

words = Translations(__file__)
