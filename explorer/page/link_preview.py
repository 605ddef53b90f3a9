"""What chat programs and search engines show of a link to the page: title, description and picture (Open Graph)."""

from collections.abc import Mapping
from html import escape
from pathlib import Path
from urllib.parse import quote, urlencode

from explorer.page import words
from explorer.recording import MAX_CHARACTERS
from explorer.ui.language import LANGUAGE_CONTEXT

PICTURE = Path(__file__).parent / "preview.png"  # from `python -m tools.pictures`
WIDTH_PX, HEIGHT_PX = 1200, 630
MAX_SENTENCE_LETTERS = 100
MAX_CHANGE_CHARACTERS = 1000  # of a change in the address of a picture


def shows_change(query: Mapping[str, str]) -> bool:
    """Whether a link shows the run under a change."""
    return bool(query.get("change")) and query.get("run") != "unchanged"


def picture_url(query: Mapping[str, str]) -> str:
    """The picture of a link, given by the names in its query, relative to the page: its own if it has a sentence.

    It is in the language in use (explorer/server/previews.py).
    """
    named = {name: query.get(name, "") for name in ("sentence", "change", "step")}
    if not shows_change(query):
        named["change"] = ""
    sentence, change = named["sentence"].strip(), named["change"]
    if not sentence or len(sentence) > MAX_CHARACTERS or len(change) > MAX_CHANGE_CHARACTERS:
        return PICTURE.name
    named["lang"] = LANGUAGE_CONTEXT.get().language
    return f"{PICTURE.name}?{urlencode({name: text for name, text in named.items() if text}, quote_via=quote)}"


def link_preview(picture: str, sentence: str = "", *, is_changed: bool = False) -> str:
    """The title of the page and the tags of its preview in the current language, with the sentence that a link shows.

    It says so where the link shows a changed run (`is_changed`). `picture` is its address. Most programs need
    a whole one.
    """
    sentence = " ".join(sentence.split())
    if len(sentence) > MAX_SENTENCE_LETTERS:
        sentence = f"{sentence[: MAX_SENTENCE_LETTERS - 1].rstrip()}…"
    name = words.PREVIEW["changed" if is_changed else "title"]
    title = name.format(sentence=sentence, title=words.TITLE) if sentence else words.TITLE
    texts = {
        "og:type": "website",
        "og:title": title,
        "og:description": words.PREVIEW["description"],
        "og:image": picture,
        "og:image:width": str(WIDTH_PX),
        "og:image:height": str(HEIGHT_PX),
        "og:image:alt": words.PREVIEW["picture"],
    }
    tags = [f'<meta property="{name}" content="{escape(text)}">' for name, text in texts.items()]
    return f'<title>{escape(title)}</title>{"".join(tags)}<meta name="twitter:card" content="summary_large_image">'
