"""What all rooms stand on: components, words, colours, the glossary, and the modules of the browser that rooms use."""

from explorer.ui.translations import Translations

words = Translations(__file__)
