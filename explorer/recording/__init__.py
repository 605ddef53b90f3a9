"""What a translation computed, recorded as plain arrays and words: the border between tensors and pictures."""

from explorer.ui.translations import Translations

words = Translations(__file__)
