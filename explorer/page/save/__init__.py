"""The dialog Save: pictures, numbers and handouts of the current view."""

from explorer.ui.translations import Translations

words = Translations(__file__)
