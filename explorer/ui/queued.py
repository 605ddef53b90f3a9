"""Gradio endpoints for programs, which use the same queue as the page."""

from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

import gradio as gr
from gradio.block_function import BlockFunction

from explorer.ui import words
from explorer.ui.faults import shorten
from explorer.ui.language import LANGUAGE_CONTEXT, in_current_language, use_language
from explorer.ui.queue import QueueFull, Scheduler

P = ParamSpec("P")
T = TypeVar("T")
PROGRAMS_VISITOR = "programs"  # all programs are one visitor: their calls have no session to tell them apart by


def queued(queue: Scheduler, function: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """The function as a Gradio endpoint, which waits in the queue and answers in the current language.

    A ValueError of the function, and a full queue, become a gr.Error with the same sentence.
    """
    answer, context = in_current_language(function), LANGUAGE_CONTEXT.get()

    @wraps(function)
    async def queued_call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await queue.result_of(partial(answer, *args, **kwargs), PROGRAMS_VISITOR)
        except QueueFull as full:
            with use_language(context):
                raise gr.Error(queue_full_message(full), print_exception=False) from full
        except ValueError as reason:
            raise gr.Error(shorten(str(reason)), print_exception=False) from reason

    return queued_call


def require_all_inputs(block_fn: BlockFunction, inputs: list[Any]) -> None:
    """Raises gr.Error for a call with too few values. Gradio's own message prints all of them, as typed."""
    if len(inputs) < len(block_fn.inputs):
        refusal = words.REFUSALS["values"].format(needed=len(block_fn.inputs), given=len(inputs))
        raise gr.Error(refusal, print_exception=False)


def queue_full_message(full: QueueFull) -> str:
    return words.REFUSALS["full"].format(seconds=round(full.seconds))
