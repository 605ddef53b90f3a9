"""The dialog that shares what is shown: the link, its preview's picture, and films; the toolbar's button opens it.

The picture is the one that chat programs fetch with the link (explorer/page/link_preview.py). Videos are made as in the
save dialog, which has them, too.
"""

from dataclasses import dataclass
from pathlib import Path

from explorer.page import words as page_words
from explorer.page.head import base_address
from explorer.page.link_preview import PICTURE
from explorer.page.save.dialog import FOLDER as SAVE
from explorer.page.save.dialog import words as save_words
from explorer.ui.component import Component, file_component
from explorer.ui.language import LANGUAGE_CONTEXT
from explorer.ui.translations import Translations

FOLDER = Path(__file__).parent
words = Translations(__file__)
FROM_SAVE = ("close", "progress", "stop")
# What file_maker.js, flight.js and whole_model.js say.
MAKING = (
    "working",
    "saved",
    "failed",
    "preparing",
    "recording",
    "stopped",
    "noMemory",
    "tooLarge",
    "tooLong",
    "noAnswer",
    "notLoaded",
    "kilobytes",
    "megabytes",
)


@dataclass(frozen=True)
class PreviewPicture:
    """Where the picture of a link's preview is, relative to the page.

    Without a server all links have one, which is of the `sentence`; else it is None, and each link has its own.
    """

    address: str = PICTURE.name
    sentence: str | None = None


def share_dialog(preview: PreviewPicture | None) -> Component:
    """The dialog's component; `preview` is None for a page whose links have no preview."""
    hints = {f"{name}_hint": save_words.ENTRIES[name][1] for name in ("writing", "film")}
    texts = {name: save_words.HTML[name] for name in FROM_SAVE}
    settings = {
        "text": {
            **{name: save_words.TEXT[name] for name in MAKING},
            **words.TEXT,
            "title": page_words.PREVIEW["title"],
            "changed": page_words.PREVIEW["changed"],
        },
        "title": page_words.TITLE,
        "base": base_address(),
        "language": LANGUAGE_CONTEXT.get().language,
        "preview": preview and {"address": preview.address, "sentence": preview.sentence},
    }
    html = {**words.HTML, **hints, **texts, "alt": page_words.PREVIEW["picture"]}
    return file_component(FOLDER / "share", html, settings, [SAVE / "save.css"])
