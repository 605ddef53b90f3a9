"""The public functions of the running app, for programs: `/translate` and `/attention`; the others: experiments.py."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gradio as gr

from explorer.recording.payload import piece_json, step_json
from explorer.recording.sentence import check
from explorer.recording.trace import Trace, kind_named, record
from model.decoding import Translator
from model.probe import Kind


@contextmanager
def refusals() -> Iterator[None]:
    """Makes of a ValueError the gr.Error whose sentence reaches the caller."""
    try:
        yield
    except ValueError as error:
        raise gr.Error(str(error), print_exception=False) from error


class Api:
    """What the HTTP endpoints call; every argument and result is plain JSON."""

    def __init__(self, translator: Translator):
        self.translator = translator

    def trace(self, sentence: str) -> Trace:
        """Raises gr.Error, whose message reaches the caller, where the sentence is refused."""
        with refusals():
            return record(self.translator, check(sentence, self.translator))

    def translate(self, sentence: str) -> dict[str, Any]:
        """Translates a sentence greedily: the text, the pieces of both sides, every decoding step."""
        trace = self.trace(sentence)
        return {
            "sentence": trace.sentence,
            "translation": trace.translation,
            "source": [piece_json(piece) for piece in trace.source],
            "target": [piece_json(piece) for piece in trace.target],
            "steps": [step_json(step) for step in trace.steps],
            "stopped_at_limit": trace.stopped_at_limit,
        }

    def attention(self, sentence: str, kind: Kind = "cross", layer: int = 0, head: int = 0) -> dict[str, Any]:
        """The attention weights of one zero-based layer and head: rows are queries, columns are keys."""
        attention = self.trace(sentence).map(self.known_kind(kind))
        layers, heads = attention.weights.shape[:2]
        for name, value, count in (("layer", layer, layers), ("head", head, heads)):
            if not 0 <= value < count:
                raise gr.Error(f"{name} must be from 0 to {count - 1}, not {value}.", print_exception=False)
        return {
            "kind": kind,
            "layer": layer,
            "head": head,
            "queries": [query.label for query in attention.queries],
            "keys": [piece.text for piece in attention.keys],
            "weights": attention.matrix(layer, head).tolist(),
        }

    def known_kind(self, kind: str) -> Kind:
        try:
            return kind_named(kind)
        except ValueError as error:
            raise gr.Error(f"{error}.", print_exception=False) from error
