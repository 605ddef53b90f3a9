"""The whole page: its tabs, how it looks, how it is served, and its endpoints for programs."""

from explorer.ui.translations import Translations

words = Translations(__file__)
