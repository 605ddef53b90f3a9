"""Training as a story: what a model made of a few sentences at moments of its training, in one file for the page.

    python -m model.train --moments --run runs/mine ...
    python -m explorer.story runs/mine

Every moment holds two traces of a sentence: the model's own translation, and the final translation fed as if the model
had said it (teacher forcing), whose rows and columns stay the same from the first moment to the last. The encoder's
attention is the same in both and is kept once.
"""

import argparse
import gzip
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from explorer.recording.payload import trace_json
from explorer.recording.sentence import examples
from explorer.recording.story_file import MAX_FILE_BYTES
from explorer.recording.trace import Trace, record, record_forced
from explorer.ui.language import FIRST, LanguageContext, use_language
from model import command
from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import FINAL, MOMENTS, STORY
from model.checkpoints.record import joined_log, runs_of, total_over_runs
from model.decoding import Translator
from model.files import read_json, read_object, write_atomically
from model.languages import languages_of

SENTENCES = 6  # the first of the examples
MOST_MOMENTS = 12
SPARE_STEPS = 4  # beyond the final translation's: an early model finds no end


def kept(folder: Path) -> list[Path]:
    """The checkpoints that a folder stands for: the moments of a run, or itself."""
    if (folder / checkpoint.CONFIG).exists():
        return [folder]
    found = [path.parent for path in (folder / MOMENTS).glob(f"*/{checkpoint.CONFIG}")]
    if not found:
        raise ValueError(f"{folder} is no checkpoint and holds no moments of a run: train it with --moments")
    return found


def steps_of(folder: Path) -> int:
    """After how many steps of all its runs a checkpoint was saved. Raises ValueError where its record does not say."""
    try:
        record = read_json(folder / checkpoint.RECORD)
    except (OSError, ValueError) as error:
        raise ValueError(f"{folder} has no record that can be read ({error})") from error
    if not isinstance(record, dict) or not isinstance(record.get("steps"), int):
        raise ValueError(f"the record of {folder} does not say after how many steps it was saved")
    return total_over_runs(runs_of(record), "steps")


def in_order(folders: Iterable[Path], final: Path, most: int) -> list[Path]:
    """At most so many of the folders, spread evenly, in the order of training; the final checkpoint ends them.

    Raises ValueError where the order is not clear.
    """
    end = steps_of(final)
    by_step = {end: final}
    for folder in folders:
        step = steps_of(folder)
        if step > end:
            raise ValueError(f"{folder} is of step {step}, after the final checkpoint, which is of step {end}")
        # The last moment of a run is as old as its checkpoint, which holds the average of several.
        if step < end and by_step.setdefault(step, folder) != folder:
            raise ValueError(f"{folder} and {by_step[step]} are both of step {step}: name one of them")
    steps = sorted(by_step)
    chosen = np.linspace(0, len(steps) - 1, min(most, len(steps))).round().astype(int)
    return [by_step[steps[i]] for i in chosen]


def losses(log: Sequence[dict[str, float | int]], step: int) -> dict[str, float | int | None]:
    """The training and the validation loss that the log has at exactly this step, its first lines before later ones."""
    lines = [line for line in log if line.get("step") == step]
    return {name: next((line[name] for line in lines if name in line), None) for name in ("loss", "dev_loss")}


def both_traces(translator: Translator, final: Trace) -> dict[str, Any]:
    """The model's own translation, stopped or with its end, and what differs where it is fed the final one."""
    own = record(translator, final.sentence, max_steps=len(final.steps) + SPARE_STEPS)
    forced = trace_json(record_forced(translator, final.sentence, [step.predicted.id for step in final.steps]), [])
    del forced["source"], forced["kinds"]["encoder"]
    return {"own": {**trace_json(own, []), "stopped": own.stopped_at_limit}, "forced": forced}


def identity(translator: Translator) -> tuple[dict[str, bytes], int, int, int]:
    """What all moments of a story have in common."""
    config = translator.model.config
    return translator.tokenizer.files(), config.layers("encoder"), config.layers("decoder"), config.n_heads


def tell(moments: Sequence[Path], sentences: Sequence[dict[str, str]]) -> dict[str, Any]:
    """The story as the page reads it; the last of the moments is the final checkpoint.

    Raises ValueError where a moment is of another model, CheckpointError where it cannot be loaded.
    """
    last = checkpoint.load(moments[-1])
    finals = [record(last, sentence["sentence"]) for sentence in sentences]
    told = []
    for folder in moments:
        translator = checkpoint.load(folder)
        if identity(translator) != identity(last):
            raise ValueError(f"{folder} is of another model than {moments[-1]}: its pieces or its heads differ")
        step, traces = steps_of(folder), [both_traces(translator, final) for final in finals]
        log = [line for record in (translator.record, last.record) for line in joined_log(runs_of(record))]
        told.append({"step": step, **losses(log, step), "traces": traces})
        print(f"step {step}: {traces[0]['own']['translation']}", flush=True)
    named = [{**sentence, "translation": final.translation} for sentence, final in zip(sentences, finals, strict=True)]
    return {"sentences": named, "moments": told}


def packed(story: dict[str, Any], largest: int = MAX_FILE_BYTES) -> bytes:
    """The story's file, always the same for the same story. Raises ValueError where it is too large."""
    text = json.dumps(story, ensure_ascii=False, separators=(",", ":"))
    data = gzip.compress(text.encode(), mtime=0)
    if len(data) > largest:
        raise ValueError(
            f"the story would take {len(data):,} bytes; the page takes {largest:,}: choose fewer moments with --most"
        )
    return data


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m explorer.story",
        description="Writes the story of a training into its checkpoint, for the page.",
    )
    parser.add_argument(
        "folders", nargs="+", type=Path, help="runs that were trained with --moments, or checkpoints saved on the way"
    )
    parser.add_argument("--checkpoint", type=Path, help=f"the final checkpoint (default: {FINAL} in the last folder)")
    parser.add_argument("--examples", type=Path, metavar="FILE", help="its sentences, as in assets/examples.json")
    parser.add_argument("--most", type=int, default=MOST_MOMENTS, help=f"moments told (default {MOST_MOMENTS})")
    options = parser.parse_args(arguments)
    if options.most < 2:
        parser.error(f"--most must be at least 2, not {options.most}")
    return options


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(arguments)
    final = options.checkpoint or options.folders[-1] / FINAL
    with command.exit_on_error("python -m explorer.story"):
        languages = languages_of(read_object(final / checkpoint.RECORD))
        with use_language(LanguageContext(FIRST, languages)):
            given = examples(options.examples)[:SENTENCES]
        if not given:
            raise ValueError(f"there are no sentences of ours in {languages.source.name}: give some with --examples")
        folders = [path for folder in options.folders for path in kept(folder)]
        data = packed(tell(in_order(folders, final, options.most), given))
        write_atomically(final / STORY, data)
    print(f"The story is in {final / STORY} ({len(data) / 1e6:.1f} MB).")


if __name__ == "__main__":
    main()
