"""Patch: a part of another sentence's run is put into this one's."""

from explorer.ui.translations import Translations

words = Translations(__file__)
