"""Another sentence: two English sentences, or the words of one in another order, and what becomes of the German."""

from explorer.ui.translations import Translations

words = Translations(__file__)
