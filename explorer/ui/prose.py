"""Texts of the catalogues as HTML: Markdown with glossary terms, and formulas between dollar signs as MathML.

    prose("the [[embedding]] times $\\sqrt{d_{model}} = 16$")

Formulas are in a subset of LaTeX: names, numbers, brackets, ^, _, \\sqrt, \\sin, \\cos, \\pi
and \\cdot. Input of users must not be passed here.
"""

import re
from collections.abc import Iterator
from html import escape
from typing import Any, NamedTuple

from markdown_it import MarkdownIt

from explorer.ui.glossary import link_terms

PLAIN = MarkdownIt("commonmark", {"html": False}).enable("table")
WITH_HTML = MarkdownIt("commonmark").enable("table")
FORMULA = re.compile(r"\$([^$]+)\$")
TOKEN = re.compile(r"\\[a-z]+|-?\d+(?:[.,]\d+)?|⟦.*?⟧|[A-Za-z]+|\S")
SYMBOLS = {r"\sin": "<mi>sin</mi>", r"\cos": "<mi>cos</mi>", r"\pi": "<mi>π</mi>", r"\cdot": "<mo>·</mo>"}
SCRIPTS = {"^": "msup", "_": "msub"}


def markdown(text: str) -> str:
    """The HTML of Markdown; HTML in the text is escaped."""
    return PLAIN.render(text)


def markdown_with_html(text: str) -> str:
    """The HTML of Markdown with HTML; texts of a user or a checkpoint must be escaped before."""
    return WITH_HTML.render(text)


def folded(summary: str, text: str) -> str:
    """Text below a line that opens it; `text` is HTML, or Markdown for `markdown_with_html`. Prints are unfolded."""
    return f'<details class="fold">\n<summary>{escape(summary)}</summary>\n\n{text}\n\n</details>'


def prose(text: str) -> str:
    """The HTML of Markdown with glossary terms and formulas."""
    return markdown_with_html(FORMULA.sub(lambda found: mathml(found[1]), link_terms(text)))


class Slot(NamedTuple):
    """A name that stays in a text, with the format that the text gives it: ⟦angle:.4f⟧."""

    name: str

    def __format__(self, spec: str) -> str:
        return f"⟦{self.name}:{spec}⟧" if spec else f"⟦{self.name}⟧"


class Slots(dict[str, Any]):
    """Values for `str.format_map`; a missing one is a slot."""

    def __missing__(self, name: str) -> Slot:
        return Slot(name)


def prose_template(text: str, **values: str) -> str:
    """The HTML of a text whose names in braces stay, but for `values`: the page fills them in (format_text.js)."""
    return prose(text.format_map(Slots(values))).replace("⟦", "{").replace("⟧", "}")


def mathml(formula: str) -> str:
    """The MathML of a formula, which may break before every equals sign."""
    return "<wbr>".join(f"<math>{side}</math>" for side in sides(row(iter(TOKEN.findall(formula)))))


def row(tokens: Iterator[str], end: str = "") -> list[str]:
    """The MathML nodes up to the token `end`."""
    nodes: list[str] = []
    for token in tokens:
        if token == end:
            break
        script = SCRIPTS.get(token)
        if script:
            nodes.append(f"<{script}>{nodes.pop()}{node(next(tokens), tokens)}</{script}>")
        else:
            nodes.append(node(token, tokens))
    return nodes


def node(token: str, tokens: Iterator[str]) -> str:
    """The MathML node that begins with a token."""
    if token == "{":
        return f"<mrow>{''.join(row(tokens, '}'))}</mrow>"
    if token in "()":
        return f'<mo stretchy="false">{token}</mo>'
    if token == r"\sqrt":
        return f"<msqrt>{node(next(tokens), tokens)}</msqrt>"
    if token in SYMBOLS:
        return SYMBOLS[token]
    if token.isalpha():
        return f"<mi>{token}</mi>"
    if token[-1].isdigit() or token[0] == "⟦":
        return f"<mn>{token.replace('-', '−')}</mn>"
    return f"<mo>{token}</mo>"


def sides(nodes: list[str]) -> list[str]:
    """The formula in parts that begin at its equals signs."""
    parts = [""]
    for part in nodes:
        if part == "<mo>=</mo>":
            parts.append("")
        parts[-1] += part
    return parts
