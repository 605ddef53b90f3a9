"""A panel of the tab: one sort of experiment, with its own words, HTML and questions to the server."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from explorer.recording.app_context import AppContext
from explorer.ui.component import filled
from explorer.ui.translations import Translations

Answer = Callable[..., str]  # of a Laboratory and of what the browser sends


def no_settings(app: AppContext) -> dict[str, Any]:
    return {}


class Panel(NamedTuple):
    """`folder` holds NAME.html, NAME.css and NAME.js, whose class the frame (lab.js) makes; NAME is the folder's."""

    folder: Path
    words: Translations  # LABEL; HINT: what pointing at it says; HTML and TEXT: of its HTML and of its JavaScript
    answers: Mapping[str, Answer] = {}  # by the name with which the browser asks: JSON, or ValueError to refuse
    settings: Callable[[AppContext], dict[str, Any]] = no_settings  # more for its JavaScript

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def page(self) -> str:
        """Its HTML with its words."""
        return filled((self.folder / f"{self.name}.html").read_text(encoding="utf-8"), self.words.HTML)

    @property
    def style(self) -> str:
        return (self.folder / f"{self.name}.css").read_text(encoding="utf-8")
