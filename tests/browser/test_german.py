"""The German page in a real browser: every room, in its main states, and no English in it but what is marked as such."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page
from reading import labels_of, parts_of, plain, read
from serving import served
from visiting import needs_browser

from explorer.rooms import tabs
from explorer.shared.language import Voice, speaking
from model import checkpoint
from model.decoding import Translator

pytestmark = needs_browser
ENGLISH = re.compile(r"\b(the|of|and|is|are|this|with|which|that|to)\b", re.IGNORECASE)
# Names that are not translated: of the page, of functions, articles and files.
NAMES = re.compile(r"Attention Explorer|[\w.-]+\.(py|tsv|json|gz)|W_[QKVO]")


@pytest.fixture(scope="module")
def address(shipped: Translator) -> Iterator[str]:
    """With its story and its measured heads."""
    for address in served(shipped, Path(checkpoint.SHIPPED)):
        yield f"{address}de"


def in_german() -> dict[str, str]:
    with speaking(Voice("de")):
        return tabs()


def english_in(page: Page) -> dict[str, str]:
    """What is read on the page and is English, with what betrays it."""
    parts, labels = parts_of("en", "de"), labels_of("en", "de")
    found = {}
    for language, text in read(page):
        if language == "de":
            said = plain(NAMES.sub("", text))
            betrayed = [part for part in parts if part in said] or ([text] if text in labels else [])
            functions = ENGLISH.findall(said)
            if betrayed or len(functions) > 0:
                found[text] = (betrayed or functions)[0]
    return found
