"""Architecture: the model, its shapes and its parameters."""

from explorer.ui.translations import Translations

words = Translations(__file__)
