"""Measures the heads of a checkpoint over sentences of a dev set and writes heads.json into the checkpoint.

    python -m tools.catalogue --dev dev.tsv.gz --pairs train.tsv.gz [--model FOLDER]

Every sentence is translated greedily. On this translation a head's importance is the drop of log-probability without
it (explorer/experiments/ranking.py), and its attention is measured (tools/head_statistics.py). The German of
the dev files is never read; the lexicon, whose links heads may find, is learned from the pairs.
"""

import argparse
import random
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from explorer.experiments.experiment import HeadAt
from explorer.experiments.head_measurements import NUMBERS, HeadMeasurements, Links, MeasuredHead, fingerprint, to_json
from explorer.experiments.ranking import all_heads, head_drops
from explorer.experiments.statistics import average, split_half
from explorer.recording.sentence import check_sentence
from explorer.recording.trace import Trace, record
from model import command
from model.checkpoints.checkpoint import HEADS
from model.decoding import Translator
from model.errors import UserError
from model.files import write_atomically
from model.training.data import encode_pairs, read_pairs
from tools.alignment import learn_aligner, sum_fields
from tools.head_statistics import count_found_links, link_share, measure_heads
from tools.lexicon import Aligner

NAME = "python -m tools.catalogue"
COUNT, SEED = 200, 1
DIGITS = 4  # decimals in the file


def sample_traces(files: Sequence[Path], count: int, seed: int, translator: Translator) -> list[Trace]:
    """The traces of `count` different random sentences, equally many from each file.

    Skips sentences that the page would refuse, and those whose translation does not end. Raises UserError if a file
    has too few sentences.
    """
    rng, traces, seen = random.Random(seed), [], set()
    for number, path in enumerate(files):
        wanted = count // len(files) + (number < count % len(files))
        sentences = list(dict.fromkeys(pair.src.strip() for pair in read_pairs([path])))
        rng.shuffle(sentences)
        for sentence in tqdm(sentences, desc=path.name, leave=False):
            if wanted and sentence not in seen and (trace := complete_trace(translator, sentence)):
                traces.append(trace)
                seen.add(sentence)
                wanted -= 1
            if not wanted:
                break
        if wanted:
            raise UserError(f"{path} has {wanted} sentences too few: ask for fewer with --count")
    return traces


def complete_trace(translator: Translator, sentence: str) -> Trace | None:
    """The trace of a sentence, None if it is refused or its translation does not end."""
    try:
        check_sentence(sentence, translator)
    except UserError:
        return None
    trace = record(translator, sentence)
    return None if trace.stopped_at_limit or len(trace.steps) < 2 else trace


def measure(translator: Translator, traces: Sequence[Trace], aligner: Aligner, seed: int) -> dict[str, Any]:
    """The measured fields of the file, over the model's own translations."""
    tokenizer = translator.tokenizer
    lost, whole = [], []
    for trace in tqdm(traces, desc="heads off", leave=False):
        ids = [piece.id for piece in trace.source], [step.predicted.id for step in trace.steps]
        lost.append(head_drops(translator, *ids).sum(axis=1))
        whole.append(sum(step.log_probability for step in trace.steps))
    lost_by = average(np.array(lost), seed)
    total = sum_fields([count_found_links(tokenizer, trace, aligner) for trace in traces])
    numbers = measure_heads(tokenizer, traces)
    numbers["cross"]["links"] = link_share(total)
    heads = [
        MeasuredHead.model_validate(
            {
                **head._asdict(),
                **{name: round(float(column[i]), DIGITS) for name, column in lost_by._asdict().items()},
                **{name: round_at(numbers[head.kind].get(name), head) for name in NUMBERS},
            }
        )
        for i, head in enumerate(all_heads(translator.model.config))
    ]
    shares = {"by_chance": total.by_chance, "on_diagonal": total.on_diagonal}
    return {
        "log_probability": round(float(np.mean(whole)), DIGITS),
        "split_half": round(split_half(np.array(lost), seed), DIGITS),
        "links": Links(count=total.links, **{name: round(n / total.links, DIGITS) for name, n in shares.items()}),
        "heads": heads,
    }


def round_at(values: np.ndarray | None, head: HeadAt) -> float | None:
    return None if values is None else round(float(values[head.layer, head.head]), DIGITS)


def parse_sample_options(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> argparse.Namespace:
    """Adds the options for a sample of dev sentences to a parser, and parses the arguments."""
    parser.add_argument("--dev", nargs="+", type=Path, required=True, help="TSV or TSV.gz files of sentences")
    parser.add_argument("--count", type=int, default=COUNT, help=f"sentences, as many of each file (default {COUNT})")
    parser.add_argument("--seed", type=int, default=SEED, help=f"of what is random (default {SEED})")
    command.add_model(parser)
    command.add_device(parser)
    options = parser.parse_args(arguments)
    if options.count < 2:
        parser.error(f"--count must be at least 2, not {options.count}")
    return options


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        NAME, description="Measures every attention head over dev sentences and writes heads.json into the checkpoint."
    )
    parser.add_argument("--pairs", nargs="+", type=Path, required=True, help="training pairs, to learn a lexicon from")
    options = parse_sample_options(parser, arguments)
    with command.exit_on_error(NAME):
        folder = Path(options.model)
        # A Hub repository's files are in a shared cache, which must not be written to.
        if not folder.is_dir():
            raise UserError(f"the numbers are written into a local checkpoint folder, which {options.model} is not")
        translator = command.load(options)
        longest, tidy = translator.model.config.max_len, translator.tidy
        pairs = encode_pairs(read_pairs(options.pairs), translator.tokenizer, longest, tidy=tidy)
        traces = sample_traces(options.dev, options.count, options.seed, translator)
        aligner = learn_aligner(pairs, translator.tokenizer)
        measurements = HeadMeasurements(
            command=repeat_command(sys.argv[1:] if arguments is None else arguments),
            seed=options.seed,
            sentences=len(traces),
            data=[path.name for path in options.dev],
            pairs=[path.name for path in options.pairs],
            model=fingerprint(translator),
            **measure(translator, traces, aligner, options.seed),
        )
        write_atomically(folder / HEADS, to_json(measurements).encode())
    print(f"{len(traces)} sentences, split-half rank correlation {measurements.split_half:.2f}: {folder / HEADS}")


def repeat_command(arguments: Sequence[str]) -> str:
    """The command line that repeats the measurement, with file names instead of paths."""
    names = (Path(text).name if Path(text).is_file() else text for text in arguments)
    return f"{NAME} {shlex.join(names)}"


if __name__ == "__main__":
    main()
