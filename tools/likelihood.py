"""Fits the likelihood that a translation is good on dev pairs, and writes it into the checkpoint's training.json.

    python -m tools.likelihood --pairs dev.tsv.gz ... [--counts 1200 ...] [--model FOLDER]

A pair's label is whether enough words of the greedy translation and of a reference agree. A reader of 150 such
translations called 80 % of the right ones and 43 % of the wrong ones so: the label is noisy, and the fit allows for it
(Natarajan et al. 2013, "Learning with Noisy Labels"). docs/likelihood.md has more. Every third sentence is there a
second time, with a fault that people make. All pairs are fitted; the printed table comes from halves that did not see
each other.
"""

import argparse
import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float
from tqdm import tqdm

from explorer.recording.likelihood import MEASURES, measure
from explorer.recording.recordings import Recordings
from explorer.recording.trace import record_batch
from model import command
from model.checkpoints import checkpoint
from model.decoding import Translator
from model.errors import UserError
from model.training.data import read_pairs

NAME = "python -m tools.likelihood"
MIN_AGREEMENT = 0.6  # F1 of words
LABELLED_RIGHT = {"right": 0.80, "wrong": 0.43}  # shares of a reader's right and wrong ones with that agreement
RIDGE = 0.03  # per pair, on standardized measures: without, one of several that say the same takes all the weight
RIGHT, WRONG = 0.8, 0.35  # bounds of "doubtful"
SEED, BATCH, DIGITS = 1, 32, 4
WORD = re.compile(r"\w+")
INNER_LETTERS = re.compile(r"(?<=[a-z])[a-z]{2}(?=[a-z])")

Numbers = Float[np.ndarray, "pair measure"]
Labels = Bool[np.ndarray, "pair"]


class Labelled(NamedTuple):
    """Measures and labels of some pairs."""

    values: Numbers
    labels: Labels


def agreement(translation: str, reference: str) -> float:
    """The F1 of words, without capitals: 1 if both have the same ones."""
    ours, theirs = (Counter(WORD.findall(text.lower())) for text in (translation, reference))
    total = ours.total() + theirs.total()
    return 2 * (ours & theirs).total() / total if total else 1.0


def mistyped(sentence: str, draw: random.Random) -> str:
    """Two letters of a long word are swapped."""
    positions = [i for i in range(len(sentence) - 1) if INNER_LETTERS.match(sentence, i)]
    if not positions:
        return sentence
    i = draw.choice(positions)
    return f"{sentence[:i]}{sentence[i + 1]}{sentence[i]}{sentence[i + 2 :]}"


def cut(sentence: str, draw: random.Random) -> str:
    """The last third of the words is missing."""
    words = sentence.split()
    return " ".join(words[: max(1, len(words) - len(words) // 3)])


def without_stop(sentence: str, draw: random.Random) -> str:
    return sentence.rstrip(".!?")


def small(sentence: str, draw: random.Random) -> str:
    return sentence.lower()


FAULTS: tuple[Callable[[str, random.Random], str], ...] = (mistyped, cut, without_stop, small)


def with_faults(references: Mapping[str, Sequence[str]], sentences: Sequence[str]) -> dict[str, Sequence[str]]:
    """The sentences with their references, and every third once more with a fault."""
    draw = random.Random(SEED)
    faulty = {draw.choice(FAULTS)(sentence, draw): references[sentence] for sentence in sentences[::3]}
    return {**faulty, **{sentence: references[sentence] for sentence in sentences}}


def label_pairs(translator: Translator, path: Path, count: int) -> Labelled:
    """The measures and labels of up to `count` sentences; one with several references is compared with the closest."""
    references: dict[str, list[str]] = {}
    for pair in read_pairs([path]):
        references.setdefault(pair.src.strip(), []).append(pair.tgt.strip())
    recordings = Recordings(translator)
    sentences = [sentence for sentence in references if recordings.is_accepted(sentence)]
    random.Random(SEED).shuffle(sentences)
    labelled = with_faults(references, sentences[:count])
    sentences = sorted(filter(recordings.is_accepted, labelled), key=len)  # batches of similar lengths
    values, labels = [], []
    for start in tqdm(range(0, len(sentences), BATCH), path.name, leave=False):
        batch = sentences[start : start + BATCH]
        limits = [translator.limit(len(translator.source_ids(sentence))) for sentence in batch]
        for trace in record_batch(translator, batch, limits):
            values.append(measure(trace))
            scores = [agreement(trace.translation, reference) for reference in labelled[trace.sentence]]
            labels.append(max(scores) >= MIN_AGREEMENT)
    return Labelled(np.array(values), np.array(labels))


def fit_logistic(design: Numbers, targets: Float[np.ndarray, "pair"]) -> Float[np.ndarray, "measure"]:
    """Ridge logistic regression by Newton's method; the first column is the intercept. Targets may be fractions."""
    weights, ridge = np.zeros(design.shape[1]), RIDGE * len(targets) * np.eye(design.shape[1])
    ridge[0, 0] = 0
    for _ in range(25):
        predicted = 1 / (1 + np.exp(-design @ weights))
        curvature = (design.T * (predicted * (1 - predicted))) @ design + ridge
        weights += np.linalg.solve(curvature, design.T @ (targets - predicted) - ridge @ weights)
    return weights


def posterior(prior: Float[np.ndarray, "pair"], labels: Labels) -> Float[np.ndarray, "pair"]:
    """The probability that a translation is right, from that before its label was seen."""
    right, wrong = (np.where(labels, share, 1 - share) for share in LABELLED_RIGHT.values())
    return prior * right / (prior * right + (1 - prior) * wrong)


def fit_hidden_verdicts(design: Numbers, labels: Labels) -> Float[np.ndarray, "measure"]:
    """The weights of a regression on the verdicts behind noisy labels, by expectation-maximization."""
    weights = np.zeros(design.shape[1])
    for _ in range(100):
        targets = posterior(1 / (1 + np.exp(-design @ weights)), labels)
        weights = fit_logistic(design, targets)
    return weights


def fit(pairs: Labelled) -> dict[str, Any]:
    """The fit on standardized measures. A measure whose weight has the wrong sign is left out."""
    means, scales = pairs.values.mean(axis=0), pairs.values.std(axis=0)
    used = scales > 0
    scales = np.where(used, scales, 1.0)
    standard = (pairs.values - means) / scales

    def weigh() -> Float[np.ndarray, "measure"]:
        return fit_hidden_verdicts(np.column_stack([np.ones(len(standard)), standard[:, used]]), pairs.labels)

    while ((weights := weigh())[1:] > 0).any():
        used[np.flatnonzero(used)[weights[1:] > 0]] = False
    coefficients = np.zeros(len(MEASURES))
    coefficients[used] = weights[1:]
    numbers = {"means": means, "scales": scales, "coefficients": coefficients}
    rounded = {name: [round(float(one), DIGITS) for one in values] for name, values in numbers.items()}
    return {"measures": [*MEASURES], **rounded, "intercept": round(float(weights[0]), DIGITS)}


def probabilities(fitted: dict[str, Any], values: Numbers) -> Float[np.ndarray, "pair"]:
    standard = (values - fitted["means"]) / fitted["scales"]
    return 1 / (1 + np.exp(-fitted["intercept"] - standard @ fitted["coefficients"]))


def cross_fitted(whole: Labelled) -> Float[np.ndarray, "pair"]:
    """The probabilities of each half of the pairs, every second one, by the fit on the other half."""
    predicted = np.zeros(len(whole.labels))
    for start in (0, 1):
        other = fit(Labelled(whole.values[1 - start :: 2], whole.labels[1 - start :: 2]))
        predicted[start::2] = probabilities(other, whole.values[start::2])
    return predicted


def area_under_roc(scores: Float[np.ndarray, "pair"], labels: Labels) -> float:
    """The probability that one labelled right scores above one labelled wrong; ties count half."""
    right, wrong = scores[labels][:, None], scores[~labels][None]
    return float((right > wrong).mean() + (right == wrong).mean() / 2)


def reliability(predicted: Float[np.ndarray, "pair"], labels: Labels, bins: int = 5) -> list[str]:
    """Lines of a table: pairs, mean probability, the shares labelled right that follow from it, and those seen."""
    right, wrong = LABELLED_RIGHT.values()
    lines = ["pairs  probability  labelled right: expected  seen"]
    for part in np.array_split(np.argsort(predicted), bins):
        mean = float(predicted[part].mean())
        lines.append(
            f"{len(part):5}  {mean:11.2f}  {mean * right + (1 - mean) * wrong:24.2f}  {labels[part].mean():4.2f}"
        )
    return lines


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(NAME, description="Fits how likely a translation of a checkpoint is good.")
    parser.add_argument("--pairs", nargs="+", type=Path, required=True, help="dev pairs that trained nothing")
    parser.add_argument("--counts", nargs="+", type=int, help="sentences of each file (default 600)")
    command.add_model(parser)
    options = parser.parse_args(arguments)
    with command.exit_on_error(NAME):
        counts = options.counts or [600] * len(options.pairs)
        if len(counts) != len(options.pairs):
            raise UserError("--counts needs one number for each file of --pairs")
        folder = checkpoint.locate(options.model)
        translator = checkpoint.load(folder)
        parts = [label_pairs(translator, *each) for each in zip(options.pairs, counts, strict=True)]
        whole = Labelled(
            np.concatenate([part.values for part in parts]), np.concatenate([part.labels for part in parts])
        )
        fitted, predicted = fit(whole), cross_fitted(whole)
        area = round(area_under_roc(predicted, whole.labels), 3)
        about = {
            "right": RIGHT,
            "wrong": WRONG,
            "pairs": len(whole.labels),
            "data": [path.name for path in options.pairs],
        }
        checkpoint.save_record({**translator.record, "likelihood": {**fitted, **about, "area": area}}, folder)
    print("\n".join(reliability(predicted, whole.labels)))
    print(f"area under the ROC: {area}")
    print(dict(zip(MEASURES, fitted["coefficients"], strict=True)))


if __name__ == "__main__":
    main()
