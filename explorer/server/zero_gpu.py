"""Translations on Hugging Face's ZeroGPU, which lends a GPU for the duration of a call (its package is `spaces`).

A function under `spaces.GPU` runs in a forked process that has the GPU; arguments and results are pickled. In this
process torch only pretends to have one, so that nothing on it can be computed here. The model exists twice, therefore:
on the GPU for translating, and on the CPU for everything else.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import gradio as gr

from explorer.recording.trace import Trace, record_batch
from model.decoding import Translator

VARIABLE = "SPACES_ZERO_GPU"
CALL_SECONDS = 10  # that a call asks for: short calls wait less
DEVICE = "cuda"

logger = logging.getLogger(__name__)


def zero_gpu(environment: Mapping[str, str]) -> Any:
    """The package `spaces` on a Space with ZeroGPU, else None."""
    is_zero = environment.get(VARIABLE, "").lower() in ("1", "t", "true")  # as the package reads it
    return import_module("spaces") if is_zero and find_spec("spaces") else None


def on_zero_gpu(
    translator: Translator, spaces: Any
) -> Callable[[Translator, Sequence[str], Sequence[int]], Sequence[Trace]]:
    """`record_batch` on a GPU of the package; call it before the page is launched.

    If no GPU is available (because a visitor's quota is used up, for example), the translator runs on the CPU.
    """
    on_gpu = replace(translator, model=deepcopy(translator.model).to(DEVICE))

    @spaces.GPU(duration=CALL_SECONDS)
    def record_on_gpu(sentences: list[str], max_steps: list[int]) -> list[Trace]:
        return record_batch(on_gpu, sentences, max_steps)

    def record(on_cpu: Translator, sentences: Sequence[str], max_steps: Sequence[int]) -> Sequence[Trace]:
        try:
            return record_on_gpu([*sentences], [*max_steps])
        except gr.Error as error:  # the package raises it for any reason
            logger.warning("No GPU for a translation: %s", error.message)
            return record_batch(on_cpu, sentences, max_steps)

    return record
