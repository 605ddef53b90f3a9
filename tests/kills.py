"""Kills a training again and again, and compares its end with that of one which nobody disturbed.

A tiny model is trained in a process of its own, which saves after every step and is killed (SIGKILL) at random moments:
while it starts, learns or saves. Each time the run is resumed by the command that the README names.
"""

import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import torch

ROOT = Path(__file__).parents[1]
WORKER = """
import sys, torch
from model.config import PRESETS
from model.train import main
torch.set_num_threads(1)
PRESETS["tiny"] = {"n_layers": 2, "n_heads": 4, "d_model": 32, "d_ff": 48, "max_len": 64}
main(sys.argv[1:])
"""
# With everything that is drawn at random: dropout, sampled pieces, joined and roughened sentences, a part of a file.
RECIPE = (
    *("--preset", "tiny", "--vocab-size", "48", "--max-pieces", "40", "--batch-tokens", "120", "--warmup-steps", "20"),
    *("--average-count", "5", "--log-steps", "1", "--dev-steps", "25", "--sampling", "0.3", "--as-typed", "0.3"),
    *("--joined", "0.3", "--moments", "--save-minutes", "1e-9", "--precision", "float32", "--device", "cpu"),
)
STARTING = 0.2  # share of the kills that come while the process still starts
TIMES = ("seconds", "tokens_per_s", "tflops_per_s")
LONGEST = 300  # seconds that anything may take


def write_pairs(folder: Path) -> list[str]:
    """Files of made-up sentences, and the flags that name them."""
    rng = random.Random(0)
    nouns = [("dog", "Hund"), ("cook", "Koch"), ("teacher", "Lehrer"), ("bird", "Vogel"), ("table", "Tisch")]
    verbs = [("sees", "sieht"), ("hears", "hört"), ("finds", "findet"), ("paints", "malt")]

    def line() -> str:
        (one, eins), (two, zwei), (verb, tut) = rng.choice(nouns), rng.choice(nouns), rng.choice(verbs)
        return f"The {one} {verb} the {two}.\tDer {eins} {tut} den {zwei}.\n"

    for name, count in (("pairs.tsv", 60), ("dev.tsv", 4)):
        (folder / name).write_text("".join(line() for _ in range(count)), encoding="utf-8")
    return ["--pairs", f"{folder / 'pairs.tsv'}=1.5", "--dev", str(folder / "dev.tsv")]


def started(run: Path, words: list[str], output: Any) -> subprocess.Popen:
    """A process that trains, or goes on where there is something to go on with."""
    flags = ["--resume"] if (run / "state.pt").exists() else words
    command = [sys.executable, "-c", WORKER, "--run", str(run), *flags]
    return subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT)


def wait_until_it_learns(process: subprocess.Popen, run: Path) -> bool:
    """Waits for the first save of a process; False where it ended before."""
    before, deadline = stamp(run / "state.pt"), time.monotonic() + LONGEST
    while stamp(run / "state.pt") == before and process.poll() is None:
        if time.monotonic() > deadline:
            raise TimeoutError("the training does not begin")
        time.sleep(0.002)
    return process.poll() is None


def stamp(path: Path) -> int:
    return path.stat().st_mtime_ns if path.exists() else 0


def lines_of(run: Path) -> list[dict[str, Any]]:
    """The log's lines that are whole."""
    text = (run / "log.jsonl").read_bytes() if (run / "log.jsonl").exists() else b""
    return [json.loads(line) for line in text.split(b"\n")[:-1]]


def is_killed(run: Path, words: list[str], rng: random.Random, longest: float, output: Any) -> bool:
    """Starts the training and kills it at a random moment; False where it ended by itself."""
    process = started(run, words, output)
    try:
        starting = rng.random() < STARTING
        if not starting and not wait_until_it_learns(process, run):
            return False
        time.sleep(rng.uniform(0, 3 if starting else longest))
        return process.poll() is None
    finally:
        process.kill()
        process.wait()


def finish(run: Path, words: list[str], output: Any) -> None:
    """Lets the run come to its end."""
    if started(run, words, output).wait(LONGEST):
        raise RuntimeError((run.parent / "output.txt").read_text(encoding="utf-8"))


def differences(run: Path, other: Path) -> list[str]:
    """What two finished runs do not have in common, bit for bit; only what the clock told may differ."""
    found = []
    states = [torch.load(folder / "state.pt", weights_only=True) for folder in (run, other)]
    for state in states:
        state["position"] = state["position"][:4]
        for process in state["processes"]:
            process["rng"] = process["rng"].tolist()
    for name in states[0]:
        if not alike(states[0][name], states[1][name]):
            found.append(f"state.pt: {name}")
    logs = [[{k: v for k, v in line.items() if k not in TIMES} for line in lines_of(folder)] for folder in (run, other)]
    if logs[0] != logs[1]:
        found.append("log.jsonl")
    kept = [
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if is_compared(path)}
        for folder in (run, other)
    ]
    return found + [str(name) for name in kept[0].keys() | kept[1].keys() if kept[0].get(name) != kept[1].get(name)]


def is_compared(path: Path) -> bool:
    """Whether a file's bytes must be equal: the record and its card tell of times, and so do log and state."""
    return path.is_file() and path.name not in ("training.json", "README.md", "log.jsonl", "state.pt")


def alike(one: Any, other: Any) -> bool:
    """Equality of nested values with tensors in them."""
    if isinstance(one, torch.Tensor):
        return torch.equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    return one == other


def trial(folder: Path, kills: int, steps: int, seed: int, longest: float) -> list[str]:
    """Kills a run so often, lets it end, and tells in what it differs from an undisturbed one."""
    rng = random.Random(seed)
    words = [*write_pairs(folder), *RECIPE, "--steps", str(steps)]
    with (folder / "output.txt").open("wb") as output:
        for number in range(kills):
            assert is_killed(folder / "killed", words, rng, longest, output), f"it ended after {number} kills"
        finish(folder / "killed", words, output)
        finish(folder / "whole", words, output)
    return differences(folder / "killed", folder / "whole")
