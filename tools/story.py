"""The story of a training: a model's traces of a few sentences at moments of its training, in one file for the page.

    python -m model.train --moments --run runs/mine ...
    python -m tools.story runs/mine [--earlier story.json.gz]

Every moment has two traces per sentence: the model's own translation, and the final translation under teacher forcing,
whose rows and columns are the same at every moment. Both share the encoder's attention, which the file has once.
"""

import argparse
import gzip
import json
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from explorer.recording.payload import encode_weights, map_json, piece_json, step_json
from explorer.recording.sentence import examples
from explorer.recording.story_file import MAX_FILE_BYTES
from explorer.recording.trace import Trace, record, record_forced
from explorer.ui.language import FIRST, LanguageContext, use_language
from model import command
from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import FINAL, MOMENTS, STORY
from model.checkpoints.record import joined_log, runs_of, total_over_runs
from model.decoding import Translator
from model.errors import UserError
from model.files import read_json, read_object, write_atomically
from model.languages import languages_of
from model.probe import KINDS, Kind

MAX_SENTENCES = 6  # the first of the examples
MAX_MOMENTS = 12
EXTRA_STEPS = 4  # beyond the final translation's, because an early model may find no end


def checkpoint_folders(folder: Path) -> list[Path]:
    """The checkpoints of a folder: the moments of a run, or the folder itself."""
    if (folder / checkpoint.CONFIG).exists():
        return [folder]
    moment_folders = [path.parent for path in (folder / MOMENTS).glob(f"*/{checkpoint.CONFIG}")]
    if not moment_folders:
        raise UserError(f"{folder} is no checkpoint and holds no moments of a run: train it with --moments")
    return moment_folders


def training_steps(folder: Path) -> int:
    """The steps of all runs before a checkpoint was saved. Raises UserError if its record does not say."""
    try:
        record = read_json(folder / checkpoint.RECORD)
    except (OSError, UserError) as error:
        raise UserError(f"{folder} has no record that can be read ({error})") from error
    if not isinstance(record, dict) or not isinstance(record.get("steps"), int):
        raise UserError(f"the record of {folder} does not say after how many steps it was saved")
    return total_over_runs(runs_of(record), "steps")


def select_moments(folders: Iterable[Path], final: Path, max_count: int) -> list[Path]:
    """At most `max_count` of the folders, spread evenly, in the order of training; the final checkpoint is last.

    Raises UserError if the order is ambiguous.
    """
    end = training_steps(final)
    by_step = {end: final}
    for folder in folders:
        step = training_steps(folder)
        if step > end:
            raise UserError(f"{folder} is of step {step}, after the final checkpoint, which is of step {end}")
        # The last moment of a run has the same step as its checkpoint, which is an average of several.
        if step < end and by_step.setdefault(step, folder) != folder:
            raise UserError(f"{folder} and {by_step[step]} are both of step {step}: name one of them")
    steps = sorted(by_step)
    indices = np.linspace(0, len(steps) - 1, min(max_count, len(steps))).round().astype(int)
    return [by_step[steps[i]] for i in indices]


def losses_at(log: Sequence[dict[str, float | int]], step: int) -> dict[str, float | int | None]:
    """The training and the validation loss of exactly this step; the log's first value counts."""
    lines = [line for line in log if line.get("step") == step]
    return {name: next((line[name] for line in lines if name in line), None) for name in ("loss", "dev_loss")}


def moment_traces(translator: Translator, final: Trace) -> dict[str, Any]:
    """The trace of the model's own translation, and the parts that differ if it is fed the final translation."""
    free = record(translator, final.sentence, max_steps=len(final.steps) + EXTRA_STEPS)
    forced = story_trace(record_forced(translator, final.sentence, [step.predicted.id for step in final.steps]))
    del forced["source"], forced["kinds"]["encoder"]
    return {"own": {**story_trace(free), "stopped": free.stopped_at_limit}, "forced": forced}


def story_trace(trace: Trace) -> dict[str, Any]:
    """A trace whose maps bring their labels; the parts that differ between moments are enough to draw one."""
    return {
        "sentence": trace.sentence,
        "translation": trace.translation,
        "source": [piece_json(piece) for piece in trace.source],
        "steps": [step_json(step) for step in trace.steps],
        "kinds": {kind: story_map(trace, kind) for kind in KINDS},
    }


def story_map(trace: Trace, kind: Kind) -> dict[str, Any]:
    attention = trace.map(kind)
    return {
        **map_json(attention),
        "queries": [query.shown for query in attention.queries],
        "keys": [piece.isolated.text for piece in attention.keys],
        "weights": encode_weights(trace, kind),
    }


def identity(translator: Translator) -> tuple[dict[str, bytes], int, int, int]:
    """The properties that all moments of a story must share."""
    config = translator.model.config
    return translator.tokenizer.files(), config.layers("encoder"), config.layers("decoder"), config.n_heads


def create_story(moments: Sequence[Path], sentences: Sequence[dict[str, str]]) -> dict[str, Any]:
    """The story as JSON for the page; the last moment is the final checkpoint.

    Raises UserError if a moment is of another model, CheckpointError if it cannot be loaded.
    """
    last = checkpoint.load(moments[-1])
    finals = [record(last, sentence["sentence"]) for sentence in sentences]
    entries = []
    for folder in moments:
        translator = checkpoint.load(folder)
        if identity(translator) != identity(last):
            raise UserError(f"{folder} is of another model than {moments[-1]}: its tokens or its heads differ")
        step, traces = training_steps(folder), [moment_traces(translator, final) for final in finals]
        log = [line for record in (translator.record, last.record) for line in joined_log(runs_of(record))]
        entries.append({"step": step, **losses_at(log, step), "traces": traces})
        print(f"step {step}: {traces[0]['own']['translation']}", flush=True)
    pairs = zip(sentences, finals, strict=True)
    sentence_entries = [{**sentence, "translation": final.translation} for sentence, final in pairs]
    return {"sentences": sentence_entries, "moments": entries}


def continue_story(earlier: dict[str, Any], story: dict[str, Any]) -> dict[str, Any]:
    """A story with the moments of an earlier one before its own, when their checkpoints are gone.

    It keeps the sentences whose final translation, which is fed at every moment, is the same in both. Raises UserError
    if there is none.
    """
    indices = {(item["sentence"], item["translation"]): index for index, item in enumerate(earlier["sentences"])}
    keys = [(item["sentence"], item["translation"]) for item in story["sentences"]]
    kept_indices = [index for index, key in enumerate(keys) if key in indices]
    if not kept_indices:
        raise UserError("no sentence of the earlier story ends with the same translation as in this one")
    earlier_indices, first = [indices[keys[index]] for index in kept_indices], story["moments"][0]["step"]

    def chosen(moment: dict[str, Any], indices: Sequence[int]) -> dict[str, Any]:
        return {**moment, "traces": [moment["traces"][index] for index in indices]}

    before = [chosen(moment, earlier_indices) for moment in earlier["moments"] if moment["step"] < first]
    return {
        "sentences": [story["sentences"][index] for index in kept_indices],
        "moments": before + [chosen(moment, kept_indices) for moment in story["moments"]],
    }


def compress_story(story: dict[str, Any], max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """The story's file; equal stories give equal bytes. Raises UserError if it is too large."""
    text = json.dumps(story, ensure_ascii=False, separators=(",", ":"))
    data = gzip.compress(text.encode(), mtime=0)
    if len(data) > max_bytes:
        raise UserError(
            f"the story would take {len(data):,} bytes; the page takes {max_bytes:,}: choose fewer moments with --most"
        )
    return data


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        "python -m tools.story",
        description="Writes the story of a training into its checkpoint, for the page.",
    )
    parser.add_argument(
        "folders", nargs="+", type=Path, help="runs that were trained with --moments, or checkpoints saved on the way"
    )
    parser.add_argument("--checkpoint", type=Path, help=f"the final checkpoint (default: {FINAL} in the last folder)")
    parser.add_argument(
        "--earlier", type=Path, metavar="FILE", help="a story whose moments come before those of the folders"
    )
    parser.add_argument("--examples", type=Path, metavar="FILE", help="its sentences, as in assets/examples.json")
    parser.add_argument("--most", type=int, default=MAX_MOMENTS, help=f"number of moments (default {MAX_MOMENTS})")
    options = parser.parse_args(arguments)
    if options.most < 2:
        parser.error(f"--most must be at least 2, not {options.most}")
    final = options.checkpoint or options.folders[-1] / FINAL
    with command.exit_on_error("python -m tools.story", EOFError, zlib.error):  # of a broken --earlier
        languages = languages_of(read_object(final / checkpoint.RECORD))
        with use_language(LanguageContext(FIRST, languages)):
            sentences = examples(options.examples)[:MAX_SENTENCES]
        if not sentences:
            raise UserError(f"there are no sentences of ours in {languages.source.name}: give some with --examples")
        earlier = json.loads(gzip.decompress(options.earlier.read_bytes())) if options.earlier else None
        folders = [path for folder in options.folders for path in checkpoint_folders(folder)]
        story = create_story(select_moments(folders, final, options.most), sentences)
        if earlier:
            story = continue_story(earlier, story)
        data = compress_story(story)
        write_atomically(final / STORY, data)
    print(f"The story is in {final / STORY} ({len(data) / 1e6:.1f} MB).")


if __name__ == "__main__":
    main()
