"""How visitors are served: one line for all work on the model, and the route by which the page asks."""

from explorer.ui.translations import Translations

words = Translations(__file__)
