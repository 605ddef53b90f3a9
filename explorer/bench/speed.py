"""Measures training, recording, batching and experiments, each against a reference in the same run.

- training: a step against `torch.nn.Transformer` (training.py); growth: time and memory as sentences grow.
- recording: greedy decoding with the full trace of 20 pieces against `MarianMTModel` of the same sizes, `generate` with
  all attentions, random weights.
- batching: several sentences recorded in batches against one by one.
- experiments: every experiment of What if against a plain translation.
- start: the page until it is served against an empty page of Gradio (start.py).
"""

import argparse
import importlib
import random
import sys
from collections.abc import Callable, Sequence

import torch

from explorer.bench.start import compare_starts
from explorer.bench.training import compare_training, measure_medians, print_growth
from explorer.experiments.experiment import Experiment, HeadAt
from explorer.experiments.omission import omission
from explorer.experiments.patching import cell_places, parting, runs
from explorer.experiments.ranking import all_heads, rank_heads
from explorer.experiments.running import run as run_experiment
from explorer.recording.sentence import examples
from explorer.recording.trace import Trace, record, record_batch
from model.beam import beam_tree
from model.checkpoints import checkpoint
from model.checkpoints.weights import lay_out_for_decoding
from model.config import ModelConfig
from model.decoding import Translator
from model.sampling import Sampling, draw
from model.transformer import Transformer

N_PIECES = 20
MAX_BATCH = 16  # sentences that are decoded together
N_SENTENCES = 30
EXPERIMENT_SENTENCE = "A man in a blue shirt is standing on a ladder cleaning a window of the old house."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", choices=PARTS, nargs="+", default=[*PARTS], help="parts to measure (default: all)")
    parser.add_argument("--runs", type=int, default=15, help="counted runs of each (default 15)")
    parser.add_argument("--threads", type=int, default=2, help="threads of torch (default 2)")
    parser.add_argument("--model", help="recording: the sizes and the tokenizer of a checkpoint (default: the shipped)")
    parser.add_argument("--preset", default="small", help="training: model sizes (default small)")


def run(options: argparse.Namespace) -> int:
    torch.set_num_threads(options.threads)
    for name in options.only:
        print(f"{name}, medians of {options.runs}", flush=True)
        PARTS[name](options)
    return 0


def marian_translation(config: ModelConfig, bos_id: int, eos_id: int) -> Callable[[], object]:
    """A function that translates random pieces with the peer, a MarianMTModel of the same sizes."""
    try:
        transformers = importlib.import_module("transformers")  # optional dependency
    except ModuleNotFoundError:
        sys.exit('The benchmark needs transformers: pip install -e ".[bench]"')
    model = transformers.MarianMTModel(
        transformers.MarianConfig(
            vocab_size=config.src_vocab_size,
            d_model=config.d_model,
            encoder_layers=config.layers("encoder"),
            decoder_layers=config.layers("decoder"),
            encoder_attention_heads=config.n_heads,
            decoder_attention_heads=config.n_heads,
            encoder_ffn_dim=config.d_ff,
            decoder_ffn_dim=config.d_ff,
            activation_function=config.activation,
            pad_token_id=config.pad_id,
            decoder_start_token_id=bos_id,
            bos_token_id=bos_id,
            eos_token_id=eos_id,
            forced_eos_token_id=None,
            attn_implementation="eager",
        )
    ).eval()
    ids = torch.randint(10, config.src_vocab_size, (1, N_PIECES))
    options = {"min_new_tokens": N_PIECES, "max_new_tokens": N_PIECES, "num_beams": 1, "do_sample": False}

    def translate() -> object:
        with torch.inference_mode():
            return model.generate(input_ids=ids, output_attentions=True, return_dict_in_generate=True, **options)

    return translate


def make_sentence(translator: Translator) -> str:
    """A repeated one-piece word; with its end, the sentence has N_PIECES pieces."""
    vocabulary = translator.tokenizer.pieces(range(translator.tokenizer.vocab_size))
    words = ["a", *(piece[1:] for piece in vocabulary if piece[1:].isalpha() and piece[1:].isascii())]
    sentences = (" ".join([word] * (N_PIECES - 1)) for word in words)
    return next(text for text in sentences if len(translator.source_ids(text)) == N_PIECES)


def compare_recording(options: argparse.Namespace) -> None:
    shipped = checkpoint.load(options.model) if options.model else checkpoint.load()
    model = Transformer(shipped.model.config).eval()
    lay_out_for_decoding(model)
    translator, tokenizer = Translator(model, shipped.tokenizer), shipped.tokenizer
    sentence = make_sentence(translator)
    peer = marian_translation(model.config, tokenizer.bos_id, tokenizer.eos_id)
    ours = lambda: record(translator, sentence, min_steps=N_PIECES, max_steps=N_PIECES)  # noqa: E731
    medians = measure_medians({"record": ours, "MarianMTModel": peer}, options.runs)
    for name, median in medians.items():
        print(f"  {name:14} {1000 * median:8.1f} ms")
    print(f"  ratio          {medians['record'] / medians['MarianMTModel']:8.2f}")


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
    ids, pair = translator.source_ids(sentence), parting(translator, other, trace)
    cells = [*cell_places(pair, "encoder"), *cell_places(pair, "decoder")]
    functions: dict[str, Callable[[], object]] = {
        "a plain translation": lambda: record(translator, sentence),
        "one head off": lambda: run_experiment(translator, sentence, Experiment(off=(HeadAt("cross", 3, 4),))),
        "ranking all heads": lambda: rank_heads(translator, trace),
        "patching, every head": lambda: runs(pair).patched(all_heads(translator.model.config)),
        "patching, every cell": lambda: runs(pair).patched(cells),
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
    "batching": compare_batching,
    "experiments": compare_experiments,
    "start": lambda options: compare_starts(max(1, options.runs // 3)),
}
