"""Experiments over many sentences: the numbers behind docs/findings.md.

    python -m tools.findings --dev dev.tsv.gz [--swap "A man" "A woman"] > docs/findings.json

Every sentence is translated greedily. A change is judged by the log-probability that this translation loses (nats), and
by whether decoding would still give it. Each number is a mean over the sentences with the bounds of its 95 % interval
(bootstrap). docs/findings.md explains the comparisons.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from explorer.experiments.experiment import Experiment, HeadAt
from explorer.experiments.head_measurements import fingerprint
from explorer.experiments.omission import omission
from explorer.experiments.patching import cell_targets, find_divergence, runs
from explorer.experiments.running import rescored, run
from explorer.experiments.statistics import average, rank_correlation
from explorer.recording.head import layers_by_kind
from explorer.recording.trace import Trace
from model import command
from model.decoding import Translator
from model.probe import KINDS
from model.training.data import read_pairs
from tools.catalogue import complete_trace, parse_sample_options, sample_traces

NAME = "python -m tools.findings"
DIGITS = 3
EXTRA_STEPS = 8  # that a changed translation may have beyond twice the unchanged length
POSITIONS = {
    "encoder off": Experiment(encoder_positions="off"),
    "decoder off": Experiment(decoder_positions="off"),
    "both off": Experiment(encoder_positions="off", decoder_positions="off"),
    "encoder shifted by 5": Experiment(encoder_positions="shifted"),
    "decoder shifted by 5": Experiment(decoder_positions="shifted"),
    "both shifted by 5": Experiment(encoder_positions="shifted", decoder_positions="shifted"),
    "words shuffled": Experiment(word_order=1),
}


def estimate(values: Sequence[float], seed: int) -> dict[str, float]:
    """The mean, and the bounds of its 95 % interval."""
    bounds = average(np.array(values, dtype=float)[:, None], seed)
    return dict(zip(("mean", "low", "high"), (round(float(value[0]), DIGITS) for value in bounds), strict=True))


def table(rows: Iterable[dict[str, float]], seed: int) -> dict[str, dict[str, float]]:
    """Estimates of every column."""
    listed = list(rows)
    return {name: estimate([row[name] for row in listed], seed) for name in listed[0]}


def drop_and_change(translator: Translator, trace: Trace, experiment: Experiment) -> dict[str, float]:
    """The drop of the unchanged translation's log-probability, and whether greedy decoding would differ from it."""
    forced = rescored(translator, trace.sentence, trace, experiment)
    drop = trace.log_probability - forced.log_probability
    return {"drop": drop, "changed": float(any(step.rank for step in forced.steps))}


def ablate_layers(translator: Translator, traces: Sequence[Trace], seed: int) -> dict[str, Any]:
    """The effect of switching off all heads of a kind in one layer."""
    config, effects = translator.model.config, {}
    for kind in KINDS:
        for layer in range(layers_by_kind(config)[kind]):
            heads = tuple(HeadAt(kind, layer, head) for head in range(config.n_heads))
            rows = (
                drop_and_change(translator, trace, Experiment(off=heads)) for trace in tqdm(traces, f"{kind} {layer}")
            )
            effects[f"{kind} {layer}"] = table(rows, seed)
    return effects


def similarity(translator: Translator, trace: Trace, experiment: Experiment) -> dict[str, float]:
    """How similar the changed translation is: identical, by its pieces in any order, and by its pieces in order.

    "pieces" is the Dice coefficient of the two bags of pieces; "in order" is difflib's ratio.
    """
    changed = run(translator, trace.sentence, experiment, max_steps=2 * len(trace.steps) + EXTRA_STEPS)
    first, second = ([step.predicted.id for step in one.steps] for one in (trace, changed))
    common = sum((Counter(first) & Counter(second)).values())
    ordered = SequenceMatcher(a=first, b=second, autojunk=False).ratio()
    return {"same": float(first == second), "pieces": 2 * common / (len(first) + len(second)), "in order": ordered}


def change_positions(translator: Translator, traces: Sequence[Trace], seed: int) -> dict[str, Any]:
    """The similarity of translations without positions, with shifted positions, and of shuffled words."""
    return {
        name: table((similarity(translator, trace, experiment) for trace in tqdm(traces, name)), seed)
        for name, experiment in POSITIONS.items()
    }


def compare_attention_with_omission(translator: Translator, traces: Sequence[Trace], seed: int) -> dict[str, Any]:
    """How far the last layer's cross-attention (mean of heads) agrees with the effect of hiding the same piece."""
    last = translator.model.config.layers("decoder") - 1

    def row(trace: Trace) -> dict[str, float]:
        effects, weights = omission(translator, trace, range(len(trace.source))), trace.cross.matrix(last, "mean")
        agree = float((weights.argmax(axis=1) == effects.argmin(axis=1)).mean())
        return {"correlation": rank_correlation(weights, np.abs(effects)) or 0.0, "same piece": agree}

    return table((row(trace) for trace in tqdm(traces, "hidden pieces")), seed)


def swap_beginnings(files: Sequence[Path], swap: tuple[str, str]) -> list[tuple[str, str]]:
    """Pairs of a sentence that begins with swap[0], and the same sentence with swap[1] instead."""
    sentences = dict.fromkeys(pair.src.strip() for pair in read_pairs(files))
    return [
        (sentence, swap[1] + sentence[len(swap[0]) :]) for sentence in sentences if sentence.startswith(f"{swap[0]} ")
    ]


def patch_swapped_nouns(translator: Translator, pairs: Sequence[tuple[str, str]], seed: int) -> dict[str, Any]:
    """Patches one position's stream from the swapped sentence, after every encoder layer (0: the embedding).

    Uses sentences of equally many pieces whose translations differ in the first piece. Each number is the share of the
    way from one first piece to the other, for the article's and the noun's position.
    """
    rows: list[dict[str, float]] = []
    for sentence, other in tqdm(pairs, "patches"):
        recipient, donor = complete_trace(translator, sentence), complete_trace(translator, other)
        if not (recipient and donor) or recipient.steps[0].predicted == donor.steps[0].predicted:
            continue
        divergence = find_divergence(translator, donor, recipient)
        if len(divergence.donor) != len(divergence.recipient):
            continue
        patched, places = runs(divergence), [cell for cell in cell_targets(divergence, "encoder") if cell.position < 2]
        shares = patched.share(patched.patched(places))
        if shares is not None:
            names = (f"{('article', 'noun')[place.position]} {place.layer + 1}" for place in places)
            rows.append(dict(zip(names, map(float, shares), strict=True)))
    return {"sentences": len(rows), **(table(rows, seed) if rows else {})}


def findings(
    translator: Translator, traces: Sequence[Trace], pairs: Sequence[tuple[str, str]], seed: int
) -> dict[str, Any]:
    """All measures by name."""
    measures: dict[str, Callable[..., dict[str, Any]]] = {
        "layers off": ablate_layers,
        "positions": change_positions,
        "looking and needing": compare_attention_with_omission,
    }
    results = {name: measure(translator, traces, seed) for name, measure in measures.items()}
    return {**results, "where a noun is told": patch_swapped_nouns(translator, pairs, seed)}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(NAME, description="Runs the experiments of docs/findings.md over dev sentences.")
    parser.add_argument("--swap", nargs=2, default=["A man", "A woman"], help="beginnings of the sentences to patch")
    options = parse_sample_options(parser, arguments)
    with command.exit_on_error(NAME):
        translator = command.load(options)
        traces = sample_traces(options.dev, options.count, options.seed, translator)
        pairs = swap_beginnings(options.dev, tuple(options.swap))[: options.count]
        results = findings(translator, traces, pairs, options.seed)
    about = {"model": fingerprint(translator), "data": [path.name for path in options.dev], "seed": options.seed}
    print(json.dumps({**about, "sentences": len(traces), **results}, indent=1))


if __name__ == "__main__":
    main()
