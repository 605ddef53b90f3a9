"""Another piece: the decoding goes on from a piece that greedy decoding would not have taken."""

from explorer.ui.translations import Translations

words = Translations(__file__)
