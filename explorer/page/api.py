"""The endpoints for programs, and of them those for translations and for files; experiments.py has the others."""

import base64
from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar, cast

import gradio as gr
from gradio.block_function import BlockFunction

from explorer.files.everything import json_of, npz_of
from explorer.files.matrix import csv_text
from explorer.page.experiments import require_choice
from explorer.page.save.numbers import MatrixRequest, Numbers
from explorer.recording.app_context import AppContext
from explorer.recording.payload import piece_json, step_json
from explorer.recording.trace import Trace, parse_kind
from explorer.ui import words
from explorer.ui.language import LANGUAGE_CONTEXT, use_language
from explorer.ui.questions import require_index, shorten
from explorer.ui.queue import QueueFull, Scheduler
from model.probe import Kind

P = ParamSpec("P")
T = TypeVar("T")
PROGRAMS_VISITOR = "programs"  # all programs are one visitor: their calls have no session to tell them apart by


class Api:
    """The functions behind the HTTP endpoints; arguments and results are plain JSON."""

    def __init__(self, app: AppContext):
        self.recordings, self.numbers = app.recordings, Numbers(app)

    def endpoints(self) -> list[Callable[..., Any]]:
        return [self.translate, self.attention, self.matrix_csv, self.trace_json, self.trace_npz]

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
        require_index("layer", layer, attention.weights.shape[0])
        require_index("head", head, attention.weights.shape[1])
        return {
            "kind": kind,
            "layer": layer,
            "head": head,
            "queries": [query.label for query in attention.queries],
            "keys": [piece.text for piece in attention.keys],
            "weights": attention.matrix(layer, head).tolist(),
        }

    def matrix_csv(
        self,
        sentence: str,
        kind: str = "cross",
        layer: int | str = 0,
        head: int | str = 0,
        measure: str = "weight",
        changes: dict[str, Any] | None = None,
    ) -> str:
        """One matrix as CSV with the labels of rows and columns: zero-based layer and head, or "mean" or "max".

        The layer may be "rollout", the measure "length". `changes` are fields of explorer's Experiment.
        """
        require_choice("measure", measure, ("weight", "length"))
        for name, choice, others in (("layer", layer, ("mean", "max", "rollout")), ("head", head, ("mean", "max"))):
            if type(choice) is not int:
                require_choice(name, choice, others)
        request = {"sentence": sentence, "experiment": changes, "kind": parse_kind(kind), "layer": layer}
        request |= {"head": head, "measure": measure, "specials": True, "words": None}
        return csv_text(self.numbers.matrix(cast(MatrixRequest, request)))

    def trace_json(self, sentence: str, changes: dict[str, Any] | None = None) -> str:
        """Everything of a translation as the text of a JSON file, explained under "readme" in it: for json.loads.

        With `changes`, fields of explorer's Experiment, the changed translation beside the unchanged one.
        """
        return json_of(**self.numbers.content(sentence, changes))

    def trace_npz(self, sentence: str, changes: dict[str, Any] | None = None) -> str:
        """The same as the bytes of an NPZ file in base64, for numpy.load."""
        return base64.b64encode(npz_of(**self.numbers.content(sentence, changes))).decode("ascii")


def queued(queue: Scheduler, function: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """The function as a Gradio endpoint, which waits in the queue and answers in the current language.

    A ValueError of the function, and a full queue, become a gr.Error with the same sentence.
    """
    context = LANGUAGE_CONTEXT.get()

    @wraps(function)
    async def queued_call(*args: P.args, **kwargs: P.kwargs) -> T:
        with use_language(context):
            try:
                return await queue.result_of(partial(function, *args, **kwargs), PROGRAMS_VISITOR)
            except (QueueFull, ValueError) as reason:
                raise gr.Error(shorten(str(reason)), print_exception=False) from reason

    return queued_call


def require_all_inputs(block_fn: BlockFunction, inputs: list[Any]) -> None:
    """Raises gr.Error for a call with too few values. Gradio's own message prints all of them, as typed."""
    if len(inputs) < len(block_fn.inputs):
        refusal = words.REFUSALS["values"].format(needed=len(block_fn.inputs), given=len(inputs))
        raise gr.Error(refusal, print_exception=False)
