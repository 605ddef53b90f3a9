"""Beam and sampling: other ways to find a translation than taking the most probable piece at every step."""

from explorer.ui.translations import Translations

words = Translations(__file__)
