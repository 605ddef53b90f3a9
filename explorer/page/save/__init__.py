"""The dialog Save: pictures, numbers and handouts of what is in front of the user."""

from explorer.ui.translations import Translations

words = Translations(__file__)
