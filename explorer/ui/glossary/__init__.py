"""The words of the field, one definition each, and how a text links them.

    linked("A [[softmax]] over the [[score|scores]].")

gives HTML in which both words show their definition to a mouse, a finger or the keyboard; its look is in
explorer/page/page.css. The facts are those of "Attention Is All You Need" (Vaswani et al. 2017, arXiv:1706.03762).
"""

import html
import re
import unicodedata
from collections.abc import Iterable

from explorer.ui.translations import Translations

words = Translations(__file__)


LINK = re.compile(r"\[\[([^]|]+)(?:\|([^]]+))?\]\]")


def named(term: str) -> str:
    """What a term is called in the language of the page."""
    return words.NAMES[term]


def linked(text: str) -> str:
    """HTML of a plain text in which `[[term]]`, or `[[term|as it is written]]`, shows its definition.

    Raises KeyError where the glossary has no such term.
    """

    def link(match: re.Match[str]) -> str:
        term, shown = match[1], match[2] or named(match[1])
        definition = html.escape(words.GLOSSARY[term])
        return f'<span class="term" tabindex="0">{shown}<span role="note">{definition}</span></span>'

    return LINK.sub(link, html.escape(text, quote=False))


def unlinked(text: str) -> str:
    """The same text as it is read, without links."""
    return LINK.sub(lambda match: match[2] or named(match[1]), text)


def terms_in(texts: Iterable[str]) -> set[str]:
    """The terms that some texts link."""
    return {match[1] for text in texts for match in LINK.finditer(text)}


def alphabetical(name: str) -> str:
    """What names are sorted by: letters without accents and case, so that "Länge" stands before "Layer"."""
    letters = unicodedata.normalize("NFD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def glossary_list() -> str:
    """HTML of all terms with their definitions, in alphabetical order."""
    items = (
        f"<div><dt>{html.escape(named(term))}</dt><dd>{html.escape(words.GLOSSARY[term])}</dd></div>"
        for term in sorted(words.GLOSSARY, key=lambda term: alphabetical(named(term)))
    )
    return f'<dl class="glossary">{"".join(items)}</dl>'
