"""Your German: how probable the model finds a translation of the visitor's own."""

from explorer.ui.translations import Translations

words = Translations(__file__)
