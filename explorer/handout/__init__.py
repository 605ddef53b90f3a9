"""What leaves the page: a report in one file, a worksheet to be printed, a folder of plain files."""

from explorer.ui.translations import Translations

words = Translations(__file__)
