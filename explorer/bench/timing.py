"""Timing that a busy machine does not fool: competitors take turns, and medians count."""

import statistics
import time
from collections.abc import Callable, Mapping

WARM_UP = 3


def interleaved(functions: Mapping[str, Callable[[], object]], runs: int) -> dict[str, float]:
    """Median seconds of each function, measured in turn so that a change of the machine's speed meets all."""
    seconds: dict[str, list[float]] = {name: [] for name in functions}
    for run in range(runs + WARM_UP):
        for name, function in functions.items():
            start = time.perf_counter()
            function()
            if run >= WARM_UP:
                seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in seconds.items()}
