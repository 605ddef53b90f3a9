"""Timing that is robust on a busy machine: functions take turns, and medians count."""

import statistics
import time
from collections.abc import Callable, Mapping

WARM_UP_RUNS = 3


def measure_medians(functions: Mapping[str, Callable[[], object]], runs: int) -> dict[str, float]:
    """Measures functions in turn, so that changes of the machine's speed affect all; returns median seconds of each."""
    seconds: dict[str, list[float]] = {name: [] for name in functions}
    for run in range(runs + WARM_UP_RUNS):
        for name, function in functions.items():
            start = time.perf_counter()
            function()
            if run >= WARM_UP_RUNS:
                seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in seconds.items()}
