"""The one view that shows attention, in Explore, in Training and wherever it is wanted."""

from explorer.ui.translations import Translations

words = Translations(__file__)
