"""HTML files for download: a report of one translation, and a worksheet to print."""

from explorer.ui.translations import Translations

words = Translations(__file__)
