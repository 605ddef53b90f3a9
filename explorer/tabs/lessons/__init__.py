"""The tab Lessons: cards that start a lesson; the lesson itself is part of the page (explorer/page/lesson)."""

from explorer.ui.translations import Translations

words = Translations(__file__)
