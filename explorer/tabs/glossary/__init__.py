"""Glossary: the words of the field."""

from explorer.ui.translations import Translations

words = Translations(__file__)
