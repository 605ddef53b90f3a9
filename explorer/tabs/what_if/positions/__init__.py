"""Positions: off, shuffled or shifted, in the encoder, the decoder or both."""

from explorer.ui.translations import Translations

words = Translations(__file__)
