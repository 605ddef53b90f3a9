"""Translations on a GPU that is lent for a moment: Hugging Face's ZeroGPU and its package `spaces`.

A function under `spaces.GPU` runs in a process of its own, a copy of this one in which there is a GPU; arguments and
results are pickled on their way. In this process torch only pretends to have one, so nothing can be computed here with
what lies on it. The model is there twice, therefore: on the GPU for translating, and here for everything else.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import gradio as gr

from explorer.recording.trace import Trace, record_together
from model.decoding import Translator

ZERO = "SPACES_ZERO_GPU"
SECONDS = 10  # for which a call asks for the GPU: whoever asks for less waits less
DEVICE = "cuda"

logger = logging.getLogger(__name__)


def lender(environment: Mapping[str, str]) -> Any:
    """The package `spaces` where it lends GPUs, else None.

    Elsewhere its decorator does nothing, and torch is as it is.
    """
    lends = environment.get(ZERO, "").lower() in ("1", "t", "true")  # as the package reads it
    return import_module("spaces") if lends and find_spec("spaces") else None


def lent(translator: Translator, spaces: Any) -> Callable[[Translator, Sequence[str], Sequence[int]], Sequence[Trace]]:
    """What does `record_together` on a GPU that the package lends; to be made before the page is launched.

    Where none is to be had just now (a visitor's quota is used up, say), the given translator does it where it is.
    """
    there = Translator(deepcopy(translator.model).to(DEVICE), translator.tokenizer, translator.record)

    @spaces.GPU(duration=SECONDS)
    def recorded_there(sentences: list[str], max_steps: list[int]) -> list[Trace]:
        return record_together(there, sentences, max_steps)

    def together(here: Translator, sentences: Sequence[str], max_steps: Sequence[int]) -> Sequence[Trace]:
        try:
            return recorded_there([*sentences], [*max_steps])
        except gr.Error as error:  # what the package raises, whatever the reason
            logger.warning("No GPU for a translation: %s", error.message)
            return record_together(here, sentences, max_steps)

    return together
