"""Events and endpoints of Gradio that need the model: they wait in the same line as everything else."""

from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

import gradio as gr
from gradio.block_function import BlockFunction
from gradio.context import LocalContext

from explorer.ui import words
from explorer.ui.faults import shortened
from explorer.ui.language import LANGUAGE_CONTEXT, in_current_language, use_language
from explorer.ui.queue import Full, Queue

P = ParamSpec("P")
T = TypeVar("T")
PROGRAMS = "programs"  # one visitor: their calls name no page, so that each would be another and get a turn of its own


def queued(queue: Queue, function: Callable[P, T], visitor: str | None = None) -> Callable[P, Awaitable[T]]:
    """The function, as Gradio calls it: it waits for its turn, and answers in the voice that is in force now.

    The turn is the visitor's, by default that of the page that calls.
    What it refuses by a ValueError reaches whoever called as the sentence of a gr.Error.
    """
    answer, voice = in_current_language(function), LANGUAGE_CONTEXT.get()

    @wraps(function)
    async def waits(*args: P.args, **kwargs: P.kwargs) -> T:
        page = getattr(LocalContext.request.get(None), "session_hash", None) or ""
        try:
            return await queue.ask(partial(answer, *args, **kwargs), page if visitor is None else visitor)
        except Full as full:
            with use_language(voice):
                raise gr.Error(full_line(full), print_exception=False) from full
        except ValueError as reason:
            raise gr.Error(shortened(str(reason)), print_exception=False) from reason

    return waits


def require_enough(block_fn: BlockFunction, inputs: list[Any]) -> None:
    """Refuses, by a gr.Error, a call with too few values. Gradio itself prints all of them, as typed."""
    if len(inputs) < len(block_fn.inputs):
        refusal = words.REFUSALS["values"].format(needed=len(block_fn.inputs), given=len(inputs))
        raise gr.Error(refusal, print_exception=False)


def full_line(full: Full) -> str:
    return words.REFUSALS["full"].format(seconds=round(full.seconds))
