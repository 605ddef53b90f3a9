"""What chat programs and search engines show of a link to the page: title, description and picture (Open Graph)."""

from html import escape
from pathlib import Path

from explorer.page import words

PICTURE = Path(__file__).parent / "preview.png"  # from `python -m tools.pictures`
WIDTH_PX, HEIGHT_PX = 1200, 630
MAX_SENTENCE_LETTERS = 100


def link_preview(address: str, sentence: str = "", *, is_changed: bool = False) -> str:
    """The title of the page and the tags of its preview in the current language, with the sentence that a link shows.

    It says so where the link shows a changed run (`is_changed`). `address` is that of the folder with the picture, and
    ends with a slash. Most programs need a whole one.
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
        "og:image": address + PICTURE.name,
        "og:image:width": str(WIDTH_PX),
        "og:image:height": str(HEIGHT_PX),
        "og:image:alt": words.PREVIEW["picture"],
    }
    tags = [f'<meta property="{name}" content="{escape(text)}">' for name, text in texts.items()]
    return f'<title>{escape(title)}</title>{"".join(tags)}<meta name="twitter:card" content="summary_large_image">'
