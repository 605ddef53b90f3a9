"""What leaves the page as numbers: one matrix as CSV, or everything of a translation as JSON or NPZ."""

from explorer.ui.translations import Translations

words = Translations(__file__)
