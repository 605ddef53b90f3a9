"""Kills a training again and again, and sees whether it ends as if nothing had happened.

    python -m tests.kills --kills 20

trains a tiny model in a process of its own, which saves after every step, and kills it (SIGKILL) at random moments:
while it starts, learns or saves. Each time the run is resumed by the command that the README names. In the end the
weights, the optimiser's state, the log, the kept moments and the checkpoint must be, bit for bit, those of a run that
nobody disturbed. Prints a line for each kill, and ends with status 1 where anything differs.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

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


class Kill(NamedTuple):
    """One kill: what the log said then, where the saved state stands, and what it was doing."""

    reached: int
    resumes_at: int
    doing: str


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


def step_of(run: Path) -> int:
    """Where the saved state stands; 0 without one."""
    return torch.load(run / "state.pt", weights_only=True)["position"][0] if (run / "state.pt").exists() else 0


def lines_of(run: Path) -> list[dict[str, Any]]:
    """The log's lines that are whole."""
    text = (run / "log.jsonl").read_bytes() if (run / "log.jsonl").exists() else b""
    return [json.loads(line) for line in text.split(b"\n")[:-1]]


def halves(run: Path) -> dict[Path, int]:
    """What is half written, and when it was."""
    return {path: stamp(path) for path in run.rglob("*.tmp")}


def kill_once(run: Path, words: list[str], rng: random.Random, longest: float, output: Any) -> Kill | None:
    """Starts the training, kills it at a random moment, and looks at what is left; None where it ended by itself."""
    before = halves(run)  # of kills before: they stay, for the run to go on over what a kill really leaves
    process = started(run, words, output)
    try:
        starting = rng.random() < STARTING
        if not starting and not wait_until_it_learns(process, run):
            return None
        time.sleep(rng.uniform(0, 3 if starting else longest))
        if process.poll() is not None:
            return None
    finally:
        process.kill()
        process.wait()
    half = sorted(path.name for path, when in halves(run).items() if when != before.get(path))
    doing = f"saving {half[0].removesuffix('.tmp')}" if half else "starting" if starting else "learning"
    reached = max((line["step"] for line in lines_of(run)), default=0)
    return Kill(reached, step_of(run), doing)


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
    """Kills a run so often, lets it end, and compares it with an undisturbed one; prints the table."""
    rng = random.Random(seed)
    words = [*write_pairs(folder), *RECIPE, "--steps", str(steps)]
    with (folder / "output.txt").open("wb") as output:
        print("kill  step reached  resumed at  it was", flush=True)
        for number in range(1, kills + 1):
            kill = kill_once(folder / "killed", words, rng, longest, output)
            if kill is None:
                print(f"{number:>4}  the run had ended: more --steps are needed for so many kills", flush=True)
                break
            print(f"{number:>4}  {kill.reached:>12}  {kill.resumes_at:>10}  {kill.doing}", flush=True)
        finish(folder / "killed", words, output)
        finish(folder / "whole", words, output)
    return differences(folder / "killed", folder / "whole")


def main() -> None:
    parser = argparse.ArgumentParser("python -m tests.kills", description="Kills a training and resumes it.")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--steps", type=int, default=600, help="length of the run")
    parser.add_argument("--longest", type=float, default=1.0, help="seconds of learning before a kill, at most")
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = trial(Path(folder), options.kills, options.steps, options.seed, options.longest)
    print("Equal bit for bit to a run without kills." if not found else f"These differ: {', '.join(found)}")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
