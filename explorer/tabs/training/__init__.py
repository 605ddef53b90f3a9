"""Training: how the checkpoint was trained."""

from explorer.ui.translations import Translations

words = Translations(__file__)
