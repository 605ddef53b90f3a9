"""Heads off: any set of heads is switched off, and all of them ranked by what the German loses without each."""

from explorer.ui.translations import Translations

words = Translations(__file__)
