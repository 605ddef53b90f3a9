"""Hide a piece: what each German piece loses where an English one is not seen."""

from explorer.ui.translations import Translations

words = Translations(__file__)
