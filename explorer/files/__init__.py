"""Exports of numbers: one matrix as CSV, or a whole translation as JSON or NPZ."""

from explorer.ui.translations import Translations

words = Translations(__file__)
