"""What all tabs stand on: components, words, colours, the glossary, and the modules of the browser that tabs use."""

from explorer.ui.translations import Translations

words = Translations(__file__)
