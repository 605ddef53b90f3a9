"""Measures training, recording, batching and experiments, each against a reference in the same run.

- training: a step against `torch.nn.Transformer` (training.py); growth: time and memory as sentences grow.
- recording: greedy decoding with the full trace, in one thread, against `MarianMTModel` with the same weights:
  `generate` with all attentions, in one thread and in several.
- busy: recording alone, and beside two busy processes for each core.
- batching: several sentences recorded in batches against one by one.
- experiments: every experiment against a plain translation.
- start: the page until it is served against an empty page of Gradio (start.py).
"""

import argparse
import importlib
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch

from explorer.experiments.experiment import Experiment, HeadAt
from explorer.experiments.omission import omission
from explorer.experiments.patching import cell_targets, find_divergence, runs
from explorer.experiments.ranking import all_heads, rank_heads
from explorer.experiments.running import run as run_experiment
from explorer.recording.sentence import examples
from explorer.recording.trace import Trace, record, record_batch
from model.beam import beam_tree
from model.checkpoints import checkpoint
from model.decoding import Translator
from model.opus import export
from model.sampling import Sampling, draw
from tools.bench.busy import compare_busy
from tools.bench.start import compare_starts
from tools.bench.training_steps import compare_training, measure_medians, print_growth

MAX_BATCH = 16  # sentences that are decoded together
N_SENTENCES = 30
EXPERIMENT_SENTENCE = "A man in a blue shirt is standing on a ladder cleaning a window of the old house."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", choices=PARTS, nargs="+", default=[*PARTS], help="parts to measure (default: all)")
    parser.add_argument("--runs", type=int, default=15, help="counted runs of each (default 15)")
    parser.add_argument(
        "--threads", type=int, default=2, help="of training, and of what is compared with one (default 2)"
    )
    parser.add_argument("--model", help="recording: the checkpoint (default: the shipped)")
    parser.add_argument("--preset", default="small", help="training: model sizes (default small)")


def run(options: argparse.Namespace) -> int:
    torch.set_num_threads(options.threads)
    for name in options.only:
        print(f"{name}, medians of {options.runs}", flush=True)
        PARTS[name](options)
    return 0


def marian_model(translator: Translator) -> Any:
    """The peer: a MarianMTModel with the translator's own weights, from our export."""
    try:
        transformers = importlib.import_module("transformers")  # optional dependency
    except ModuleNotFoundError:
        sys.exit('The benchmark needs transformers: pip install -e ".[bench]"')
    transformers.utils.logging.disable_progress_bar()
    with TemporaryDirectory() as folder:
        for name, content in export.contents(translator):
            (Path(folder) / name).write_bytes(content)
        return transformers.MarianMTModel.from_pretrained(folder, attn_implementation="eager").eval()


def marian_translation(model: Any, src: list[int], threads: int) -> Callable[[], list[int]]:
    """A function that translates greedily with all attentions, as `record` does, and returns the ids."""
    options = {"num_beams": 1, "do_sample": False, "output_attentions": True, "return_dict_in_generate": True}

    def translate() -> list[int]:
        torch.set_num_threads(threads)
        with torch.inference_mode():
            return model.generate(input_ids=torch.tensor([src]), **options).sequences[0].tolist()

    return translate


def compare_recording(options: argparse.Namespace) -> None:
    translator = checkpoint.load(options.model or checkpoint.SHIPPED)
    src, marian = translator.source_ids(EXPERIMENT_SENTENCE), marian_model(translator)
    ours = [step.predicted.id for step in record(translator, EXPERIMENT_SENTENCE).steps]
    functions: dict[str, Callable[[], object]] = {"record, 1 thread": lambda: record(translator, EXPERIMENT_SENTENCE)}
    for threads in dict.fromkeys((1, options.threads)):
        translate = functions[f"MarianMTModel, {threads}"] = marian_translation(marian, src, threads)
        if translate()[1:] != ours:  # behind the piece that decoding starts from
            sys.exit("MarianMTModel translates the sentence differently: the two cannot be compared.")
    medians = measure_medians(functions, options.runs)
    for name, median in medians.items():
        print(f"  {name:18} {1000 * median:8.1f} ms")
    best = min(median for name, median in medians.items() if name.startswith("Marian"))
    print(f"  ratio to the better {medians['record, 1 thread'] / best:7.2f}")


def random_sentences(translator: Translator, count: int) -> list[str]:
    """Distinct random sentences of 8 to 25 pieces, the same in every run."""
    words = sorted({word.strip(".,?") for example in examples() for word in example["sentence"].split()})
    generator, texts = random.Random(15), dict[str, None]()
    while len(texts) < count:
        sentence = " ".join(generator.choices(words, k=generator.randint(6, 20))) + "."
        if 8 <= len(translator.source_ids(sentence)) <= 25:
            texts[sentence] = None
    return [*texts]


def record_in_batches(translator: Translator, texts: Sequence[str], limits: Sequence[int]) -> list[Trace]:
    parts = [slice(start, start + MAX_BATCH) for start in range(0, len(texts), MAX_BATCH)]
    return [trace for part in parts for trace in record_batch(translator, texts[part], limits[part])]


def compare_batching(options: argparse.Namespace) -> None:
    translator = checkpoint.load()
    texts = random_sentences(translator, N_SENTENCES)
    limits = [translator.limit(len(translator.source_ids(text))) for text in texts]
    medians = measure_medians(
        {
            "one by one": lambda: [
                record(translator, text, max_steps=limit) for text, limit in zip(texts, limits, strict=True)
            ],
            "in batches": lambda: record_in_batches(translator, texts, limits),
        },
        max(1, options.runs // 3),
    )
    for name, median in medians.items():
        print(f"  {name:14} {median:8.2f} s for {N_SENTENCES} sentences")
    print(f"  ratio          {medians['in batches'] / medians['one by one']:8.2f}")


def compare_experiments(options: argparse.Namespace) -> None:
    translator = checkpoint.load()
    sentence = EXPERIMENT_SENTENCE
    trace, other = record(translator, sentence), record(translator, sentence.replace("blue", "green"))
    ids, divergence = translator.source_ids(sentence), find_divergence(translator, other, trace)
    cells = [*cell_targets(divergence, "encoder"), *cell_targets(divergence, "decoder")]
    functions: dict[str, Callable[[], object]] = {
        "a plain translation": lambda: record(translator, sentence),
        "one head off": lambda: run_experiment(translator, sentence, Experiment(off=(HeadAt("cross", 3, 4),))),
        "ranking all heads": lambda: rank_heads(translator, trace),
        "patching, every head": lambda: runs(divergence).patched(all_heads(translator.model.config)),
        "patching, every cell": lambda: runs(divergence).patched(cells),
        "leave one out": lambda: omission(translator, trace, range(len(trace.source))),
        "beam of 4, as a tree": lambda: beam_tree(translator, ids, 4),
        "five samples": lambda: draw(translator, ids, Sampling(), range(5)),
    }
    medians = measure_medians(functions, max(1, options.runs // 3))
    plain = medians["a plain translation"]
    for name, median in medians.items():
        print(f"  {name:22} {1000 * median:8.1f} ms  {median / plain:6.1f} x plain")


PARTS: dict[str, Callable[[argparse.Namespace], None]] = {
    "training": lambda options: compare_training(options.runs, options.preset),
    "growth": lambda options: print_growth(options.runs),
    "recording": compare_recording,
    "busy": lambda options: compare_busy(max(1, options.runs // 3), options.threads),
    "batching": compare_batching,
    "experiments": compare_experiments,
    "start": lambda options: compare_starts(max(1, options.runs // 3)),
}
