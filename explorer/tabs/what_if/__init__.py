"""What if: experiments on the translation of Explore's sentence, each in a panel of its own."""

from explorer.ui.translations import Translations

words = Translations(__file__)
