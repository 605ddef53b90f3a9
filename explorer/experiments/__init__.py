"""Experiments on the translator: an experiment is a small value, and running it gives another trace."""

from explorer.ui.translations import Translations

words = Translations(__file__)
