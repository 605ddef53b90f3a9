"""Makes anew all that belongs to the shipped checkpoint, and says what a person must still look at.

    python -m explorer.remake --dev dev.tsv.gz --pairs train.tsv.gz [--run runs/mine] [--model FOLDER]

One maker after the other, each the command that stands beside it, so that it can be run alone as well. What already
belongs to the checkpoint is left as it is: a second call goes on where the first one stopped. Nothing here changes a
lesson or a text; the report at the end lists what in them is not true of the checkpoint.
"""

import argparse
import gzip
import json
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from tqdm import tqdm

from explorer.experiments.laboratory import Laboratory
from explorer.experiments.measured import fingerprint, read
from explorer.experiments.measuring import COUNT
from explorer.lessons.lesson import Lesson
from explorer.lessons.running import CheckOutcome, run_checks, shipped_lessons
from explorer.recording.recordings import Recordings
from explorer.recording.trace import record
from explorer.remake.examples import Opening, openings, reopen
from model import command
from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import STORY
from model.decoding import Translator
from model.files import write_atomically

NAME = "python -m explorer.remake"
ASSETS = Path(str(files("assets")))
BY_HAND = """
By hand:
  assets/lessons/*.yaml        whatever is listed above; python -m explorer.lessons says when all of it holds
  docs/findings.md           pytest tests/experiments/test_findings.py names the numbers and sentences that changed
  tests/verdicts.tsv           pytest tests/explorer/test_warnings.py; judge by reading the new German
  assets/classroom-read.tsv    python -m model.classroom --all, also with --beam 5: read it as classroom.md says
  docs/*.png                   look at them
  docs/experiments.md, guide*.md, articles.md, README.md    numbers and German words of the model
then the whole suite: python -m pytest"""


class Job(NamedTuple):
    """Something that is made by a command of its own."""

    name: str
    command: tuple[str, ...]  # behind `python -m`
    is_done: Callable[[], bool]
    prints_into: Path | None = None  # where what it prints belongs


def has_heads(folder: Path, translator: Translator) -> bool:
    try:
        return read(folder, translator) is not None
    except ValueError:  # those of another checkpoint
        return False


def has_findings(path: Path, translator: Translator) -> bool:
    return path.exists() and json.loads(path.read_text(encoding="utf-8"))["model"] == fingerprint(translator)


def has_story(folder: Path, translator: Translator) -> bool:
    """Whether the story in the checkpoint ends with the translations that it makes."""
    if not (folder / STORY).exists():
        return False
    story = json.loads(gzip.decompress((folder / STORY).read_bytes()))
    return all(record(translator, told["sentence"]).translation == told["translation"] for told in story["sentences"])


def never() -> bool:
    """What takes a moment, or cannot be told from an old one, is made each time."""
    return False


def jobs(options: argparse.Namespace, folder: Path, translator: Translator) -> list[Job]:
    """What is made, in this order."""
    found = options.docs / "findings.json"
    model = ("--model", str(folder))
    sample = (*model, "--count", str(options.count), "--dev", *map(str, options.dev))
    made = [
        Job(
            "the heads, measured",
            ("explorer.catalogue", *sample, "--pairs", *map(str, options.pairs)),
            lambda: has_heads(folder, translator),
        ),
        Job(
            "the numbers of the findings",
            ("explorer.findings", *sample),
            lambda: has_findings(found, translator),
            found,
        ),
        Job("the pictures", ("explorer.remake.pictures", *model, "--into", str(options.docs)), never),
    ]
    if options.run:
        runs = (*map(str, options.run), "--checkpoint", str(folder))
        made.insert(1, Job("the story", ("explorer.story", *runs), lambda: has_story(folder, translator)))
    return made


def make(job: Job) -> None:
    """Runs a job's command, unless it is done. Raises ValueError where it fails."""
    if job.is_done():
        print(f"{job.name}: already those of this checkpoint", flush=True)
        return
    print(f"{job.name}: python -m {shlex.join(job.command)}", flush=True)
    started = time.monotonic()
    words = [sys.executable, "-m", *job.command]
    ended = subprocess.run(words, stdout=subprocess.PIPE if job.prints_into else None, check=False)
    if ended.returncode:
        raise ValueError(f"{job.name} could not be made: python -m {job.command[0]} ended with {ended.returncode}")
    if job.prints_into:
        write_atomically(job.prints_into, ended.stdout)
    print(f"{job.name}: {time.monotonic() - started:.0f} s", flush=True)


def told(opened: Sequence[Opening], found: Sequence[CheckOutcome], lessons: dict[str, Lesson]) -> str:
    """What a person must look at."""
    wrong, unclear = [one for one in found if not one.holds], [one for one in opened if not one.is_clear]
    lines = [f"\nExamples: {len(unclear)} of {len(opened)} open at a picture that is not clear."]
    lines += [f"  {one.sentence} -> {one.translation} ({one.word}: {one.weight:.2f})" for one in unclear]
    steps = {(one.lesson, one.step) for one in wrong}
    lines.append(f"\nLessons: {len(wrong)} of {len(found)} checks do not hold, in {len(steps)} steps.")
    for lesson, step in sorted(steps):
        lines.append(f"  {lesson}, step {step}: {lessons[lesson].sentences[step - 1]}")
        here = [one for one in wrong if (one.lesson, one.step) == (lesson, step)]
        lines += [f"    {one.claim}\n      found: {one.actual}" for one in here]
    return "\n".join(lines) + "\n" + BY_HAND


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(NAME, description="Makes anew all that belongs to the shipped checkpoint.")
    parser.add_argument("--dev", nargs="+", type=Path, required=True, help="dev pairs: heads and findings")
    parser.add_argument("--pairs", nargs="+", type=Path, required=True, help="training pairs: the lexicon of the heads")
    parser.add_argument("--run", nargs="+", type=Path, help="runs with their moments, for the story")
    parser.add_argument("--count", type=int, default=COUNT, help=f"dev sentences; fewer to rehearse (default {COUNT})")
    parser.add_argument("--assets", type=Path, default=ASSETS, help="where the examples lie")
    parser.add_argument("--docs", type=Path, default=Path("docs"), help="where findings and pictures lie")
    parser.add_argument("--only-report", action="store_true", help="make nothing and print the report")
    command.add_model(parser)
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(arguments)
    with command.exit_on_error(NAME):
        folder = checkpoint.locate(options.model)
        translator = checkpoint.load(folder)
        examples = options.assets / "examples.json"
        opened = openings(translator, examples)
        if not options.only_report:
            reopen(translator, examples, opened)  # first: the story and the pictures read where they open
            for job in jobs(options, folder, translator):
                make(job)
        lessons = shipped_lessons()
        found = list(tqdm(run_checks(lessons, Laboratory(Recordings(translator))), "checks of lessons", leave=False))
    print(told(opened, found, lessons))


if __name__ == "__main__":
    main()
