"""Train one now: a small model that a visitor trains on the page, and what can be seen of it meanwhile."""

from explorer.ui.translations import Translations

words = Translations(__file__)
