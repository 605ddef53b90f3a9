"""What a translation computed, recorded as plain arrays and words: the border between tensors and pictures."""

from explorer.ui.translations import Translations

words = Translations(__file__)

MAX_CHARACTERS = 400  # of a text to translate
MAX_PIECES = 128  # of a text, and of its translation
