"""The words to the steps of the shape trace."""

from explorer.ui.translations import Translations

words = Translations(__file__)
