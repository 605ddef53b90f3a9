"""What a start costs: the page against an empty page of Gradio with torch imported, and one translated sentence."""

import math
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

EMPTY_PAGE = """
import gradio
import torch
with gradio.Blocks() as page:
    pass
_, url, _ = page.launch(prevent_thread_lock=True, quiet=True)
print(url, flush=True)
page.block_thread()
"""
COMMANDS = {
    "empty page": ("-c", EMPTY_PAGE),
    "page": ("-m", "explorer"),
    "translate": ("-m", "model.translate", "A man is riding a bicycle."),
}
ENVIRONMENT = {"GRADIO_ANALYTICS_ENABLED": "False", "PYTHONUNBUFFERED": "1"}
PEAK = re.compile(r"VmHWM:\s+(\d+) kB")  # in /proc/PID/status


class Cost(NamedTuple):
    """What a process took until its first line: seconds by the clock, seconds of CPUs, and its memory at most."""

    wall: float
    cpu: float
    megabytes: float


def start_cost(arguments: Sequence[str]) -> Cost:
    """Starts Python with these arguments, and ends it once it prints a line, which a page does when it is served."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *arguments], stdout=subprocess.PIPE, env={**os.environ, **ENVIRONMENT}, text=True
    )
    assert process.stdout
    with process.stdout:
        line = process.stdout.readline()
        wall, memory = time.perf_counter() - began, peak_bytes(process.pid)
        process.kill()
        _, _, usage = os.wait4(process.pid, 0)
    if not line:
        sys.exit(f"python {' '.join(arguments)} has printed nothing")
    return Cost(wall, usage.ru_utime + usage.ru_stime, memory / 1e6)


def peak_bytes(pid: int) -> float:
    """The memory that a running process had at most; not a number where the system is not Linux.

    What the system tells of ended processes counts the memory of this one, which started them.
    """
    status = Path(f"/proc/{pid}/status")
    found = PEAK.search(status.read_text(encoding="utf-8")) if status.exists() else None
    return int(found[1]) * 1024 if found else math.nan


def median_costs(runs: int) -> Mapping[str, Cost]:
    """The medians over starts of all commands in turn, so that changes of the machine's speed affect all."""
    costs: dict[str, list[Cost]] = {name: [] for name in COMMANDS}
    for _ in range(runs):
        for name, arguments in COMMANDS.items():
            costs[name].append(start_cost(arguments))
    return {name: Cost(*map(statistics.median, zip(*found, strict=True))) for name, found in costs.items()}


def compare_starts(runs: int) -> None:
    medians = median_costs(runs)
    for name, cost in medians.items():
        print(f"  {name:14} {cost.wall:8.2f} s {cost.cpu:8.2f} s of CPU {cost.megabytes:8.0f} MB")
    wall, cpu, memory = (
        measured / empty for measured, empty in zip(medians["page"], medians["empty page"], strict=True)
    )
    print(f"  ratio          {wall:8.2f}   {cpu:8.2f}          {memory:8.2f}")
