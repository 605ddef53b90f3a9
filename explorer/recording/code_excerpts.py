"""Excerpts of the model's source code, read from its files."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import model
from model.attention import causal_mask, padding_mask
from model.config import Start
from model.probe import Kind
from model.transformer import Decoder, DecoderLayer, Encoder

ROOT = Path(model.__file__).parent.parent


class Excerpt(NamedTuple):
    """One statement of the source, and the expression in it to emphasize."""

    file: str  # relative to the root of the repository
    line: int  # its first line, one-based
    text: str
    expression: str


@cache  # the page shows them in every language
def excerpt(function: Callable, expression: str) -> Excerpt:
    """The statement of a function that contains an expression.

    Raises ValueError unless there is exactly one, so that an explanation cannot outlive its code.
    """
    lines, first = inspect.getsourcelines(inspect.unwrap(function))
    source = textwrap.dedent("".join(lines))
    matches = [(node, text) for node, text in statements(source) if expression in text]
    if len(matches) != 1:
        raise ValueError(f"{expression!r} is in {len(matches)} statements of {function.__qualname__}, not in one")
    node, text = matches[0]
    file = Path(inspect.getfile(inspect.unwrap(function))).relative_to(ROOT).as_posix()
    return Excerpt(file, first + node.lineno - 1, text, expression)


def statements(source: str) -> Iterator[tuple[ast.stmt, str]]:
    """Every simple statement with its text, docstrings left out."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and not hasattr(node, "body") and not docstring:
            yield node, textwrap.dedent("\n".join(lines[node.lineno - 1 : node.end_lineno]))


# The expressions that build the mask of each kind, with their functions.
MASK_CODE: dict[Kind, tuple[tuple[Callable, str], ...]] = {
    "encoder": ((Encoder.forward, "padding_mask(src, self.pad_id)"), (padding_mask, "ids != pad_id")),
    "decoder": ((Decoder.forward, "padding_mask(fed, self.pad_id) & causal_mask("), (causal_mask, ".tril()")),
    "cross": ((DecoderLayer.forward, "encoded.mask"), (padding_mask, "ids != pad_id")),
}
PAD_START_CODE = (Decoder.forward, "mask[..., 0] = True")  # for models whose decoder starts with the padding piece


def mask_excerpts(kind: Kind, start: Start = "bos") -> list[Excerpt]:
    more = (PAD_START_CODE,) if kind == "decoder" and start == "pad" else ()
    return [excerpt(function, expression) for function, expression in (*MASK_CODE[kind], *more)]
