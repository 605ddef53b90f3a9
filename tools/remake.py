"""Regenerates the assets of the shipped checkpoint, and reports what needs review.

    python -m tools.remake --dev dev.tsv.gz --pairs train.tsv.gz [--run runs/mine] [--model FOLDER]

It runs one command after the other, each of which can also be run alone, and skips those whose output already belongs
to the checkpoint: a second call continues where the first one stopped. It changes no lesson and no text; the report at
the end lists what in them is not true of the checkpoint.
"""

import argparse
import gzip
import json
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from tqdm import tqdm

from explorer.experiments.head_measurements import fingerprint, read
from explorer.experiments.laboratory import Laboratory
from explorer.lessons.lesson import Lesson
from explorer.lessons.running import CheckOutcome, run_checks, shipped_lessons
from explorer.recording.recordings import Recordings
from explorer.recording.story_file import find_story
from explorer.recording.trace import record
from model import command
from model.checkpoints import checkpoint
from model.decoding import Translator
from model.errors import UserError
from model.files import write_atomically
from tools.catalogue import COUNT

NAME = "python -m tools.remake"
BY_HAND = """
By hand:
  assets/examples.json         pytest tests/explorer/test_examples.py says at which step each of them opens
  assets/lessons/*.yaml        whatever is listed above; python -m explorer.lessons says when all of it holds
  docs/findings.md           pytest tests/tools/test_findings.py names the numbers and sentences that changed
  docs/held-neurons.tsv        python -m tools.held_neurons docs/held-neurons.tsv; read each German with a ?
  training.json, likelihood    python -m tools.likelihood, without news, as docs/likelihood.md says
  tests/verdicts.tsv           pytest tests/explorer/test_warnings.py; judge by reading the new German
  tests/never-right.tsv, everyday.tsv    the same; docs/likelihood.md has the figures
  tests/shown-sentences.tsv    pytest tests/explorer/test_shown_sentences.py; read the German, or choose another
  assets/classroom-read.tsv    python -m tools.sentence_lists --all, also with --beam 5: read it as classroom.md says
  docs/*.png                   look at them
  docs/experiments.md, guide*.md, articles.md, courses.md, README.md    numbers and German words of the model
then the whole suite: python -m pytest"""


class Job(NamedTuple):
    """A command and its output."""

    name: str
    command: tuple[str, ...]  # behind `python -m`
    is_done: Callable[[], bool]
    prints_into: Path | None = None  # a file for its standard output


def has_heads(folder: Path, translator: Translator) -> bool:
    try:
        return read(folder, translator) is not None
    except UserError:  # they belong to another checkpoint
        return False


def has_findings(path: Path, translator: Translator) -> bool:
    return path.exists() and json.loads(path.read_text(encoding="utf-8"))["model"] == fingerprint(translator)


def has_story(folder: Path, translator: Translator) -> bool:
    """Whether the story ends with the translations of this checkpoint."""
    path = find_story(folder).path
    if path is None:
        return False
    story = json.loads(gzip.decompress(path.read_bytes()))
    return all(record(translator, item["sentence"]).translation == item["translation"] for item in story["sentences"])


def never() -> bool:
    """For jobs that are quick, or whose output does not show which checkpoint it belongs to."""
    return False


def list_jobs(options: argparse.Namespace, folder: Path, translator: Translator) -> list[Job]:
    """The jobs, in order."""
    findings_path = options.docs / "findings.json"
    model = ("--model", str(folder))
    sample = (*model, "--count", str(options.count), "--dev", *map(str, options.dev))
    jobs = [
        Job(
            "the heads, measured",
            ("tools.catalogue", *sample, "--pairs", *map(str, options.pairs)),
            lambda: has_heads(folder, translator),
        ),
        Job(
            "the numbers of the findings",
            ("tools.findings", *sample),
            lambda: has_findings(findings_path, translator),
            findings_path,
        ),
        Job("the pictures", ("tools.pictures", *model, "--into", str(options.docs)), never),
    ]
    if options.run:
        runs = (*map(str, options.run), "--checkpoint", str(folder))
        jobs.insert(1, Job("the story", ("tools.story", *runs), lambda: has_story(folder, translator)))
    return jobs


def run_job(job: Job) -> None:
    """Runs a job's command, unless it is done. Raises UserError if it fails."""
    if job.is_done():
        print(f"{job.name}: already those of this checkpoint", flush=True)
        return
    print(f"{job.name}: python -m {shlex.join(job.command)}", flush=True)
    started_at = time.monotonic()
    arguments = [sys.executable, "-m", *job.command]
    result = subprocess.run(arguments, stdout=subprocess.PIPE if job.prints_into else None, check=False)
    if result.returncode:
        raise UserError(f"{job.name} could not be made: python -m {job.command[0]} ended with {result.returncode}")
    if job.prints_into:
        write_atomically(job.prints_into, result.stdout)
    print(f"{job.name}: {time.monotonic() - started_at:.0f} s", flush=True)


def format_report(outcomes: Sequence[CheckOutcome], lessons: dict[str, Lesson]) -> str:
    """What needs review."""
    wrong = [outcome for outcome in outcomes if not outcome.holds]
    steps = {(one.lesson, one.step) for one in wrong}
    lines = [f"\nLessons: {len(wrong)} of {len(outcomes)} checks do not hold, in {len(steps)} steps."]
    for lesson, step in sorted(steps):
        lines.append(f"  {lesson}, step {step}: {lessons[lesson].sentences[step - 1]}")
        here = [one for one in wrong if (one.lesson, one.step) == (lesson, step)]
        lines += [f"    {one.claim}\n      found: {one.actual}" for one in here]
    return "\n".join(lines) + "\n" + BY_HAND


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(NAME, description="Regenerates the assets of the shipped checkpoint.")
    parser.add_argument("--dev", nargs="+", type=Path, required=True, help="dev pairs: heads and findings")
    parser.add_argument("--pairs", nargs="+", type=Path, required=True, help="training pairs: the lexicon of the heads")
    parser.add_argument("--run", nargs="+", type=Path, help="runs with their moments, for the story")
    parser.add_argument("--count", type=int, default=COUNT, help=f"dev sentences; fewer to rehearse (default {COUNT})")
    parser.add_argument("--docs", type=Path, default=Path("docs"), help="where findings and pictures lie")
    parser.add_argument("--only-report", action="store_true", help="print the report and make nothing")
    command.add_model(parser)
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(arguments)
    with command.exit_on_error(NAME):
        folder = checkpoint.locate(options.model)
        translator = checkpoint.load(folder)
        if not options.only_report:
            for job in list_jobs(options, folder, translator):
                run_job(job)
        lessons = shipped_lessons()
        outcomes = list(tqdm(run_checks(lessons, Laboratory(Recordings(translator))), "checks of lessons", leave=False))
    print(format_report(outcomes, lessons))


if __name__ == "__main__":
    main()
