"""The findings: their measures on a toy, and what docs/findings.md says of the shipped model against its files."""

import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from cases import each_case

from explorer.experiments.experiment import CellAt, Experiment, HeadAt, NeuronAt, Patch
from explorer.experiments.head_measurements import fingerprint
from explorer.experiments.running import run
from explorer.experiments.statistics import rank_correlation
from explorer.recording.trace import record
from model.probe import KINDS
from tools import findings

DOCS = Path(__file__).parents[2] / "docs"
TEXT = " ".join((DOCS / "findings.md").read_text(encoding="utf-8").split())
FOUND = json.loads((DOCS / "findings.json").read_text(encoding="utf-8"))
HEADS = json.loads((files("assets") / "small" / "heads.json").read_text(encoding="utf-8"))
WINDOW = "A man in a blue shirt is standing on a ladder cleaning a window."
CAR = "I know that he bought a new car yesterday."
CLEANS = "Ein Mann in einem blauen Hemd steht auf einer Leiter und putzt ein Fenster."


def test_all_of_it_for_a_toy(toy, tmp_path):
    dev = tmp_path / "dev.tsv"
    dev.write_text("The dog sleeps.\tx\nThe dog reads.\tx\nWe drink.\tx\n", encoding="utf-8")
    pairs = findings.swap_beginnings([dev], ("The dog", "The cat"))
    assert pairs == [("The dog sleeps.", "The cat sleeps."), ("The dog reads.", "The cat reads.")]
    traces = [record(toy, sentence, max_steps=4) for sentence in ("The dog sleeps.", "We drink.")]
    found = findings.findings(toy, traces, pairs, seed=1)
    assert found.keys() == {"layers off", "positions", "looking and needing", "where a noun is told"}
    assert found["layers off"].keys() == {f"{kind} {layer}" for kind in KINDS for layer in range(2)}


def test_the_files_belong_to_the_shipped_checkpoint(shipped):
    assert FOUND["model"] == HEADS["model"] == fingerprint(shipped)
    assert FOUND["sentences"] == HEADS["sentences"] == 200


def drop(kind: str, layer: int, head: int) -> dict[str, float]:
    return next(h for h in HEADS["heads"] if (h["kind"], h["layer"], h["head"]) == (kind, layer, head))


def share(value: float) -> str:
    return f"{value:.0%}".replace("%", " %")


def of(found: dict[str, float], digits: int = 2) -> str:
    return f"{found['mean']:.{digits}f} ({found['low']:.{digits}f} to {found['high']:.{digits}f})"


def numbers_of_heads() -> dict[str, list[str]]:
    layers, cross = FOUND["layers off"], [h for h in HEADS["heads"] if h["kind"] == "cross"]
    last = [h["drop"] for h in cross if h["layer"] == 3]
    best = drop("cross", 1, 2)
    finding = sorted(cross, key=lambda h: -h["links"])[:3]
    costs = [h["drop"] for h in finding]
    links = rank_correlation(np.array([h["links"] for h in cross]), np.array([h["drop"] for h in cross])) or 0
    return {
        "2. Together": [
            f"between {min(last):.2f} and {max(last):.2f} nats",
            f"the eight cost {sum(last):.1f}",
            f"together they cost {of(layers['cross 3']['drop'], 1)}",
            f"{share(layers['cross 3']['changed']['mean'])} of the translations change",
            f"come next with {layers['cross 2']['drop']['mean']:.1f}",
        ],
        "3. The heads": [
            f"both numbers is {links:.2f}",
            f"{100 * finding[-1]['links']:.0f} to {share(finding[0]['links'])} of them",
            f"cost {min(costs):.2f} to {max(costs):.2f} nats",
            f"head 3 of layer 2, costs {best['drop']:.2f} nats ({best['low']:.2f} to {best['high']:.2f})",
            f"and finds {share(best['links'])}.",
            f"correlate by {HEADS['split_half']:.2f}",
            f"Of the 96, {sum(h['low'] > 0 for h in HEADS['heads'])} cost something",
            f"of the other {sum(h['low'] <= 0 for h in HEADS['heads'])} this",
        ],
    }


def numbers_of_experiments() -> dict[str, list[str]]:
    noun, order, hidden = (FOUND[name] for name in ("where a noun is told", "positions", "looking and needing"))
    return {
        "1. The encoder": [
            f"layer 1 the article's position holds {noun['article 1']['mean']:.2f}",
            f"after layer 2 {noun['article 2']['mean']:.2f}",
            f"after layer 3 {noun['article 3']['mean']:.2f}, and the noun's still {noun['noun 3']['mean']:.2f}",
            f"After the last layer the article's position holds {of(noun['article 4'])}",
            f"the noun's {of(noun['noun 4'])}",
            f"{noun['noun 0']['mean']:.2f} of the way",
            f"Over {noun['sentences']} sentences that begin",
        ],
        "4. The encoder": [
            f"{share(order['encoder off']['same']['mean'])} of the translations stay",
            f"{share(order['encoder off']['pieces']['mean'])} of the tokens are the same, in",
            f"({share(order['encoder off']['in order']['mean'])} in order): what",
            f"{share(order['decoder off']['same']['mean'])} stay, and",
            f"{share(order['decoder off']['pieces']['mean'])} of the tokens (",
            f"({share(order['decoder off']['in order']['mean'])} in order): a",
            f"{share(order['words shuffled']['pieces']['mean'])} of the tokens are the same, and",
            f"and {share(order['words shuffled']['in order']['mean'])} in order. And",
            f"the model leaves {share(order['both shifted by 5']['same']['mean'])} of",
            f"and {share(order['both shifted by 5']['pieces']['mean'])} of the tokens. With",
            f"English shifted, {share(order['encoder shifted by 5']['same']['mean'])} stay",
            f"only the German, {share(order['decoder shifted by 5']['same']['mean'])}.",
        ],
        "5. What is": [
            f"In {share(hidden['same piece']['mean'])} of the German tokens",
            f"rank correlation of {of(hidden['correlation'])}",
        ],
    }


NUMBERS = {**numbers_of_heads(), **numbers_of_experiments()}  # fragments that a section of the text must hold


@each_case("title", NUMBERS)
def test_every_number_is_that_of_the_files(title):
    section = TEXT[TEXT.index(f"## {title}") :].split("## ")[1]
    assert [fragment for fragment in NUMBERS[title] if fragment not in section] == []


def names(heads: list[dict]) -> list[tuple[str, int, int]]:
    return [(head["kind"], head["layer"], head["head"]) for head in heads]


def test_what_is_called_the_most_is_the_most():
    drops = {name: found["drop"]["mean"] for name, found in FOUND["layers off"].items()}
    assert sorted(drops, key=lambda name: -drops[name])[:2] == ["cross 3", "cross 2"]
    ranked = sorted(HEADS["heads"], key=lambda head: -head["drop"])
    assert names(ranked)[0] == ("cross", 1, 2)
    cross = [head for head in ranked if head["kind"] == "cross"]
    finding = sorted(cross, key=lambda head: -head["links"])[:3]
    assert set(names(finding)) == {("cross", 0, 3), ("cross", 1, 3), ("cross", 1, 7)}
    places = [i for i, head in enumerate(ranked, 1) if (head["kind"], head["layer"]) == ("cross", 3)]
    assert min(places) > 20 and "not one of these eight stands among the first twenty" in TEXT
    together, alone = drops["cross 3"], sum(ranked[place - 1]["drop"] for place in places)
    assert round(together / alone) == 15 and "cost fifteen times what" in TEXT


def test_what_is_told_of_the_noun_and_of_positions_holds_beyond_the_intervals():
    noun, order = FOUND["where a noun is told"], FOUND["positions"]
    assert noun["article 4"]["low"] > noun["noun 4"]["high"]
    assert order["encoder off"]["same"]["high"] <= 0.1 < order["decoder off"]["same"]["low"]
    assert order["words shuffled"]["in order"]["high"] < order["encoder off"]["in order"]["low"]
    assert round(FOUND["looking and needing"]["same piece"]["mean"], 1) == 0.7


def test_the_heads_that_align_best_look_back_and_the_last_layers_ahead(shipped):
    trace = record(shipped, WINDOW)
    pieces = [step.predicted.text.strip("·") for step in trace.steps]
    row = pieces.index("Fenster")
    keys = trace.cross.weights[:, :, row].argmax(axis=-1)
    looked_at = [[trace.source[key].text.strip("·") for key in heads] for heads in keys]
    assert pieces[row - 1] == "ein"
    back = ((0, 3), (1, 2), (1, 3), (1, 7))
    assert [looked_at[layer][head] for layer, head in back] == ["a"] * 4
    assert looked_at[2] == looked_at[3] == ["window"] * 8
    window = [piece.text.strip("·") for piece in trace.source].index("window")
    assert {int(keys[layer, head]) for layer, head in back} == {window - 1}


WOMAN = WINDOW.replace("man", "woman")
ARTICLE, NOUN = CellAt("encoder", 3, 0), CellAt("encoder", 3, 1)
LAST, THIRD = (tuple(HeadAt("cross", layer, head) for head in range(8)) for layer in (3, 2))
POLITE = NeuronAt("decoder", 3, 541, 6.0)
SAID = [
    (WINDOW, Experiment(patch=Patch(WOMAN, cells=(ARTICLE,))), "Eine Mann in einem blauen Hemd"),
    (WINDOW, Experiment(patch=Patch(WOMAN, cells=(NOUN,))), "Ein Frau in einem blauen Hemd"),
    (WINDOW, Experiment(patch=Patch(WOMAN, cells=(ARTICLE, NOUN))), "Eine Frau in einem blauen Hemd"),
    (WOMAN, Experiment(patch=Patch(WINDOW, cells=(ARTICLE,))), "Ein Frau in einem blauen Hemd"),
    *((WINDOW, Experiment(off=heads), CLEANS) for heads in ((), LAST, THIRD)),
    (WINDOW, Experiment(off=THIRD + LAST), "An der Stelle, die auf dem Kopf steht, läuft ein Besteck."),
    (CAR, Experiment(decoder_positions="off"), "Ich Ich Ich Ich Ich Ich Ich Ich"),
    (CAR, Experiment(encoder_positions="off"), "Ich habe gestern ein neues Auto gekauft."),
    (WINDOW, Experiment(decoder_positions="shifted"), "auf einer Leiter, die ein Fenster putzt."),
    ("Do you have a car?", Experiment(neurons=(POLITE._replace(value=4.0),)), "Hast du ein Auto?"),
    ("Do you have a car?", Experiment(neurons=(POLITE,)), "Haben Sie ein Auto?"),
    ("Do you have a car?", Experiment(neurons=(POLITE._replace(position=0),)), "Haben Sie ein Auto?"),
    ("Do you have a car?", Experiment(neurons=(POLITE._replace(position=1),)), "Hast du ein Auto?"),
    ("Do you have a car?", Experiment(neurons=(POLITE._replace(value=9.0),)), "Sie Sie haben ein Auto?"),
    ("Where do you live?", Experiment(neurons=(POLITE._replace(value=0.0),)), "Wo wohnen Sie?"),
]


@pytest.mark.thorough
@each_case(("sentence", "experiment", "german"), SAID)
def test_every_sentence_comes_out_as_it_is_told(shipped, sentence, experiment, german):
    assert run(shipped, sentence, experiment).translation.startswith(german)
    assert german in TEXT
