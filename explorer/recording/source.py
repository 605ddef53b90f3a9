"""Lines of the model's own source, read from it and never retyped."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import model
from model.attention import causal_mask, padding_mask
from model.config import Start
from model.probe import Kind
from model.transformer import Decoder, DecoderLayer, Encoder

ROOT = Path(model.__file__).parent.parent


class Excerpt(NamedTuple):
    """One statement of the source, and the expression in it that matters."""

    file: str  # from the root of the repository
    line: int  # its first line, counted from one
    text: str
    expression: str


def excerpt(function: Callable, expression: str) -> Excerpt:
    """The statement of a function in which an expression is written.

    Raises ValueError unless there is exactly one, so that an explanation cannot outlive the code that it explains.
    """
    lines, first = inspect.getsourcelines(inspect.unwrap(function))
    source = textwrap.dedent("".join(lines))
    found = [(node, text) for node, text in statements(source) if expression in text]
    if len(found) != 1:
        raise ValueError(f"{expression!r} is in {len(found)} statements of {function.__qualname__}, not in one")
    node, text = found[0]
    file = Path(inspect.getfile(inspect.unwrap(function))).relative_to(ROOT).as_posix()
    return Excerpt(file, first + node.lineno - 1, text, expression)


def statements(source: str) -> Iterator[tuple[ast.stmt, str]]:
    """Every simple statement with its text, docstrings left out."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and not hasattr(node, "body") and not docstring:
            yield node, textwrap.dedent("\n".join(lines[node.lineno - 1 : node.end_lineno]))


# How the mask of each kind is built.
MASK_CODE: dict[Kind, tuple[tuple[Callable, str], ...]] = {
    "encoder": ((Encoder.forward, "padding_mask(src, self.pad_id)"), (padding_mask, "ids != pad_id")),
    "decoder": ((Decoder.forward, "padding_mask(fed, self.pad_id) & causal_mask("), (causal_mask, ".tril()")),
    "cross": ((DecoderLayer.forward, "encoded.mask"), (padding_mask, "ids != pad_id")),
}


PAD_START = (Decoder.forward, "mask[..., 0] = True")  # where decoding starts from the padding piece


def mask_excerpts(kind: Kind, start: Start = "bos") -> list[Excerpt]:
    more = (PAD_START,) if kind == "decoder" and start == "pad" else ()
    return [excerpt(function, expression) for function, expression in (*MASK_CODE[kind], *more)]
