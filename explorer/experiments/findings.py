"""What experiments show of a model over many sentences: the numbers behind docs/findings.md.

    python -m explorer.findings --dev dev.tsv.gz [--swap "A man" "A woman"] > docs/findings.json

Every sentence is translated greedily, and that German is what a change is judged by: how much log-probability it loses
(nats), and whether decoding would still give it. Each number is a mean over the sentences with the bounds of its 95 %
interval (bootstrap). What is compared, and why, stands in docs/findings.md.
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

from explorer.experiments.correlation import rank_correlation
from explorer.experiments.experiment import Experiment, HeadAt
from explorer.experiments.importance import average
from explorer.experiments.measured import fingerprint
from explorer.experiments.measuring import drawn, finished, parsed
from explorer.experiments.omission import omission
from explorer.experiments.patching import cell_places, parting, runs
from explorer.experiments.running import rescored, run
from explorer.recording.head import layers_by_kind
from explorer.recording.trace import Trace
from model import command
from model.decoding import Translator
from model.probe import KINDS
from model.training.data import read_pairs

NAME = "python -m explorer.findings"
DIGITS = 3
ROOM = 8  # steps that a changed translation may be longer than twice the unchanged one
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
    found = average(np.array(values, dtype=float)[:, None], seed)
    return dict(zip(("mean", "low", "high"), (round(float(value[0]), DIGITS) for value in found), strict=True))


def table(rows: Iterable[dict[str, float]], seed: int) -> dict[str, dict[str, float]]:
    """Estimates of every column."""
    found = list(rows)
    return {name: estimate([row[name] for row in found], seed) for name in found[0]}


def lost(translator: Translator, trace: Trace, experiment: Experiment) -> dict[str, float]:
    """What the unchanged German loses, and whether greedy decoding would leave it."""
    forced = rescored(translator, trace.sentence, trace, experiment)
    drop = trace.log_probability - forced.log_probability
    return {"drop": drop, "changed": float(any(step.rank for step in forced.steps))}


def layers_off(translator: Translator, traces: Sequence[Trace], seed: int) -> dict[str, Any]:
    """Every layer's heads of a kind switched off together."""
    config, found = translator.model.config, {}
    for kind in KINDS:
        for layer in range(layers_by_kind(config)[kind]):
            heads = tuple(HeadAt(kind, layer, head) for head in range(config.n_heads))
            rows = (lost(translator, trace, Experiment(off=heads)) for trace in tqdm(traces, f"{kind} {layer}"))
            found[f"{kind} {layer}"] = table(rows, seed)
    return found


def likeness(translator: Translator, trace: Trace, experiment: Experiment) -> dict[str, float]:
    """How alike the changed German is: the same, in its pieces whatever their order, and in its pieces in order.

    Pieces are those in common, twice, by all of both (Dice); in order, those of difflib's matching blocks.
    """
    changed = run(translator, trace.sentence, experiment, max_steps=2 * len(trace.steps) + ROOM)
    first, second = ([step.predicted.id for step in one.steps] for one in (trace, changed))
    common = sum((Counter(first) & Counter(second)).values())
    ordered = SequenceMatcher(a=first, b=second, autojunk=False).ratio()
    return {"same": float(first == second), "pieces": 2 * common / (len(first) + len(second)), "in order": ordered}


def positions_changed(translator: Translator, traces: Sequence[Trace], seed: int) -> dict[str, Any]:
    """The German without positions, with others, and of the same words in another order."""
    return {
        name: table((likeness(translator, trace, experiment) for trace in tqdm(traces, name)), seed)
        for name, experiment in POSITIONS.items()
    }


def looking_and_needing(translator: Translator, traces: Sequence[Trace], seed: int) -> dict[str, Any]:
    """The last layer's cross-attention (mean of heads) beside the effect of hiding the same piece."""
    last = translator.model.config.layers("decoder") - 1

    def row(trace: Trace) -> dict[str, float]:
        effects, weights = omission(translator, trace, range(len(trace.source))), trace.cross.matrix(last, "mean")
        agree = float((weights.argmax(axis=1) == effects.argmin(axis=1)).mean())
        return {"correlation": rank_correlation(weights, np.abs(effects)) or 0.0, "same piece": agree}

    return table((row(trace) for trace in tqdm(traces, "hidden pieces")), seed)


def swapped(files: Sequence[Path], swap: tuple[str, str]) -> list[tuple[str, str]]:
    """Sentences that begin with the first words, and the same with the second ones."""
    sentences = dict.fromkeys(pair.src.strip() for pair in read_pairs(files))
    return [
        (sentence, swap[1] + sentence[len(swap[0]) :]) for sentence in sentences if sentence.startswith(f"{swap[0]} ")
    ]


def where_a_noun_is_told(translator: Translator, pairs: Sequence[tuple[str, str]], seed: int) -> dict[str, Any]:
    """Patching one position's stream of the swapped sentence in, after every layer of the encoder (0: the embedding).

    Only where both sentences have equally many pieces and the German parts at its first piece: the share of the way
    from the one first piece to the other, for the article's position and the noun's.
    """
    rows: list[dict[str, float]] = []
    for sentence, other in tqdm(pairs, "patches"):
        put_into, taken_from = finished(translator, sentence), finished(translator, other)
        if not (put_into and taken_from) or put_into.steps[0].predicted == taken_from.steps[0].predicted:
            continue
        found = parting(translator, taken_from, put_into)
        if len(found.taken_from) != len(found.put_into):
            continue
        patched, places = runs(found), [cell for cell in cell_places(found, "encoder") if cell.position < 2]
        shares = patched.share(patched.patched(places))
        if shares is not None:
            names = (f"{('article', 'noun')[place.position]} {place.layer + 1}" for place in places)
            rows.append(dict(zip(names, map(float, shares), strict=True)))
    return {"sentences": len(rows), **(table(rows, seed) if rows else {})}


def findings(
    translator: Translator, traces: Sequence[Trace], pairs: Sequence[tuple[str, str]], seed: int
) -> dict[str, Any]:
    """All of it."""
    measures: dict[str, Callable[..., dict[str, Any]]] = {
        "layers off": layers_off,
        "positions": positions_changed,
        "looking and needing": looking_and_needing,
    }
    found = {name: measure(translator, traces, seed) for name, measure in measures.items()}
    return {**found, "where a noun is told": where_a_noun_is_told(translator, pairs, seed)}


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(NAME, description="Runs the experiments of docs/findings.md over dev sentences.")
    parser.add_argument("--swap", nargs=2, default=["A man", "A woman"], help="beginnings of the sentences to patch")
    return parsed(parser, arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(arguments)
    with command.exit_on_error(NAME):
        translator = command.load(options)
        traces = drawn(options.dev, options.count, options.seed, translator)
        pairs = swapped(options.dev, tuple(options.swap))[: options.count]
        found = findings(translator, traces, pairs, options.seed)
    about = {"model": fingerprint(translator), "data": [path.name for path in options.dev], "seed": options.seed}
    print(json.dumps({**about, "sentences": len(traces), **found}, indent=1))
