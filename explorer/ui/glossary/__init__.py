"""The glossary: technical terms with definitions, and links to them in texts.

    link_terms("A [[softmax]] over the [[score|scores]].")

gives HTML in which both words show their definition to a mouse, a finger or the keyboard; its look is in
explorer/page/page.css. The facts are those of "Attention Is All You Need" (Vaswani et al. 2017, arXiv:1706.03762).
"""

import html
import re
import unicodedata

from explorer.ui.translations import Translations

words = Translations(__file__)


MATRIX = re.compile(r"\b(W)_([A-Z0-9])\b", re.ASCII)
LINK = re.compile(r"\[\[([^]|]+)(?:\|([^]]+))?\]\]")


def term_name(term: str) -> str:
    """The name of a term in the language of the page."""
    return words.NAMES.get(term, term)


def write_formulas(text: str) -> str:
    """An HTML text in which the name of a matrix, as "W_Q", is written as in a formula (ui/formula.js)."""
    return MATRIX.sub(r"\1<sub>\2</sub>", text)


def link_terms(text: str) -> str:
    """The HTML of a plain text in which `[[term]]` or `[[term|label]]` shows the definition of the term.

    Raises KeyError if the glossary has no such term.
    """

    def link(match: re.Match[str]) -> str:
        term, label = match[1], match[2] or term_name(match[1])
        definition = write_formulas(html.escape(words.GLOSSARY[term]))
        return f'<span class="term" tabindex="0">{label}<span role="note">{definition}</span></span>'

    return LINK.sub(link, write_formulas(html.escape(text, quote=False)))


def sort_key(name: str) -> bytes:
    """The sort key of a name: without accents and case, so that "Länge" precedes "Layer"; Chinese by its sound.

    The encoding lists common Chinese letters in the order of Pinyin.
    """
    letters = unicodedata.normalize("NFD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).encode("gb18030")


def glossary_list() -> str:
    """The HTML of all terms with their definitions, in alphabetical order."""
    items = (
        f"<div><dt>{html.escape(term_name(term))}</dt>"
        f"<dd>{write_formulas(html.escape(words.GLOSSARY[term]))}</dd></div>"
        for term in sorted(words.GLOSSARY, key=lambda term: sort_key(term_name(term)))
    )
    return f'<dl class="glossary">{"".join(items)}</dl>'
