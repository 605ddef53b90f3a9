"""Times recording on a busy machine: alone, and beside two processes a core that never rest.

A process that wants as much as it can get deserves the same part of the machine as every other. A sentence's fair share
of the time is therefore what it takes alone, times the processes for each core.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import NamedTuple

from explorer.recording.sentence import examples
from explorer.recording.trace import record
from model.checkpoints import checkpoint
from model.decoding import Translator

BUSY_PER_CORE = 2
N_SENTENCES = 10


class Timing(NamedTuple):
    """Seconds of recording some sentences: of each on the clock, and of all together on all processors."""

    each: list[float]
    processor: float


def time_recording(translator: Translator, sentences: Sequence[str]) -> Timing:
    each, before = [], time.process_time()
    for sentence in sentences:
        start = time.perf_counter()
        record(translator, sentence)
        each.append(time.perf_counter() - start)
    return Timing(each, time.process_time() - before)


@contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """Keeps the processors busy until the block ends."""
    with ExitStack() as stack:
        for _ in range(count):
            process = stack.enter_context(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
            stack.callback(process.kill)
        yield


def compare_busy(runs: int, threads: int) -> None:
    """Prints how long sentences take with one thread and with `threads`, alone and on a busy machine."""
    shipped, sentences = checkpoint.load(), [example["sentence"] for example in examples()][:N_SENTENCES]
    cores = os.cpu_count() or 1
    fair = (1 + BUSY_PER_CORE * cores) / cores
    for count in dict.fromkeys((1, threads)):
        translator = replace(shipped, threads=count)
        time_recording(translator, sentences)  # warms up
        alone = [time_recording(translator, sentences) for _ in range(runs)]
        with busy_processes(BUSY_PER_CORE * cores):
            beside = [time_recording(translator, sentences) for _ in range(runs)]
        print_row(f"{count} thread{'s' * (count > 1)}, alone", alone)
        worst = print_row(f"beside {BUSY_PER_CORE * cores} busy processes", beside)
        share = fair * statistics.median(seconds for run in alone for seconds in run.each)
        print(f"  worst / fair share of {1000 * share:.0f} ms {worst / share:14.1f}", flush=True)


def print_row(name: str, timings: Sequence[Timing]) -> float:
    """Prints the median, the worst and the processors' time; returns the worst, in seconds."""
    each = [seconds for timing in timings for seconds in timing.each]
    processor = statistics.median(timing.processor for timing in timings)
    median, worst = 1000 * statistics.median(each), 1000 * max(each)
    print(f"  {name:27} median {median:6.0f} ms, worst {worst:6.0f} ms, {processor:5.2f} s of processors", flush=True)
    return max(each)
