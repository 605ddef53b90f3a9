"""Texts of the catalogues as HTML: Markdown with glossary terms, and formulas between dollar signs as MathML.

    prose("the [[embedding]] times $\\sqrt{d_{model}} = 16$")

Formulas are written in the little of LaTeX that they need: names, numbers, brackets, ^, _, \\sqrt, \\sin, \\cos, \\pi
and \\cdot. What a visitor typed must not come here.
"""

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt

from explorer.ui.glossary import linked

PLAIN = MarkdownIt("commonmark", {"html": False}).enable("table")
WITH_HTML = MarkdownIt("commonmark").enable("table")
FORMULA = re.compile(r"\$([^$]+)\$")
TOKEN = re.compile(r"\\[a-z]+|-?\d+(?:\.\d+)?|[A-Za-z]+|\S")
NAMED = {r"\sin": "<mi>sin</mi>", r"\cos": "<mi>cos</mi>", r"\pi": "<mi>π</mi>", r"\cdot": "<mo>·</mo>"}
SCRIPTS = {"^": "msup", "_": "msub"}


def markdown(text: str) -> str:
    """HTML of Markdown; HTML in the text is shown as it is written."""
    return PLAIN.render(text)


def markdown_with_html(text: str) -> str:
    """HTML of Markdown with HTML; texts of a visitor or a checkpoint must be escaped in it."""
    return WITH_HTML.render(text)


def prose(text: str) -> str:
    """HTML of a text in Markdown."""
    return markdown_with_html(FORMULA.sub(lambda found: mathml(found[1]), linked(text)))


def mathml(formula: str) -> str:
    """A formula, which may go on in the next line before every equals sign."""
    return "<wbr>".join(f"<math>{side}</math>" for side in sides(row(iter(TOKEN.findall(formula)))))


def row(tokens: Iterator[str], end: str = "") -> list[str]:
    """Nodes of MathML up to the token that ends them."""
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
    """What begins with a token."""
    if token == "{":
        return f"<mrow>{''.join(row(tokens, '}'))}</mrow>"
    if token in "()":
        return f'<mo stretchy="false">{token}</mo>'
    if token == r"\sqrt":
        return f"<msqrt>{node(next(tokens), tokens)}</msqrt>"
    if token in NAMED:
        return NAMED[token]
    if token.isalpha():
        return f"<mi>{token}</mi>"
    return f"<mn>{token.replace('-', '−')}</mn>" if token[-1].isdigit() else f"<mo>{token}</mo>"


def sides(nodes: list[str]) -> list[str]:
    """The formula in pieces, each from its equals sign on."""
    found = [""]
    for part in nodes:
        if part == "<mo>=</mo>":
            found.append("")
        found[-1] += part
    return found
