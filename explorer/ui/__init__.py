"""Shared code of all tabs: components, words, colours, the glossary, and browser modules."""

from explorer.ui.translations import Translations

words = Translations(__file__)
