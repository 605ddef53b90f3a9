"""The endpoints `/translate` and `/attention` for programs; experiments.py has the others."""

from typing import Any

from explorer.recording.payload import piece_json, step_json
from explorer.recording.recordings import Recordings
from explorer.recording.trace import Trace
from explorer.ui.questions import require_index
from model.probe import Kind


class Api:
    """The functions behind the HTTP endpoints; arguments and results are plain JSON."""

    def __init__(self, recordings: Recordings):
        self.recordings = recordings

    def trace(self, sentence: str) -> Trace:
        """The trace of a sentence. Raises ValueError, with a sentence, if it is refused."""
        return self.recordings.trace(sentence.strip())

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
        attention = self.trace(sentence).map(kind)
        layers, heads = attention.weights.shape[:2]
        for name, value, count in (("layer", layer, layers), ("head", head, heads)):
            require_index(name, value, count)
        return {
            "kind": kind,
            "layer": layer,
            "head": head,
            "queries": [query.label for query in attention.queries],
            "keys": [piece.text for piece in attention.keys],
            "weights": attention.matrix(layer, head).tolist(),
        }
