"""Experiments on the translator: what is changed is a small value, and running it gives another trace."""

from explorer.ui.translations import Translations

words = Translations(__file__)
