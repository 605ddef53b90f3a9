"""Toy tasks that a small Transformer learns in a minute, in a process of its own, while a class looks on."""

from explorer.ui.translations import Translations

words = Translations(__file__)
