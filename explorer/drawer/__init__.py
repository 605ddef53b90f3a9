"""The drawer beside all views: panels that change the run of the sentence, and panels that only measure it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from explorer.recording.app_context import AppContext
from explorer.ui.component import fill_words
from explorer.ui.translations import Translations

words = Translations(__file__)


class Panel(NamedTuple):
    """One kind of change or measurement.

    `folder` holds its words, NAME.html and NAME.js, whose class drawer.js instantiates; NAME is the folder's name.
    """

    folder: Path
    settings: Callable[[AppContext], dict[str, Any]] = lambda app: {}  # additional settings for its JavaScript
    is_wide: bool = False  # opens below the view

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def words(self) -> Translations:
        """LABEL; HINT: the tooltip; HTML and TEXT: for its HTML and its JavaScript."""
        return Translations(str(self.folder / "words"))

    @property
    def html(self) -> str:
        """The HTML with its words."""
        return fill_words((self.folder / f"{self.name}.html").read_text(encoding="utf-8"), self.words.HTML)
