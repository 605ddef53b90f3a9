"""Inside: the arithmetic of one cell."""

from explorer.ui.translations import Translations

words = Translations(__file__)
