"""What follows from the model's results, in the browser, and what Python tells it of the languages in use."""

from explorer.ui.translations import Translations

words = Translations(__file__)
