"""The tab Lessons: cards from which a lesson is begun; the lesson itself stands on the page (explorer/page/lesson)."""

from explorer.ui.translations import Translations

words = Translations(__file__)
