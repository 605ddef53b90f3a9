"""The picture of the whole model: every number and token of its captions against the recorded translation."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from by_node import in_node, needs_node
from cases import each_case

from explorer.recording.forward_pass import record_pass
from explorer.recording.payload import tensor_json, trace_json
from explorer.recording.trace import Trace, record
from explorer.tabs.whole.tab import model_sizes, words
from explorer.ui.language import LanguageContext, use_language
from model.decoding import Translator
from model.probe import KINDS, Kind, Site

SENTENCES = [
    "Go.",
    "The dog sleeps.",
    "The children play in the garden.",
    "A man in a blue shirt is standing on a ladder cleaning a window.",
    "My brother reads an old book.",
    "She does not like the soup because it is too cold.",
    "Where is the station?",
    "Two young girls are playing with a red ball on the beach.",
    "I bought 25 apples for 3.50 euros, and you?",
    "If it rains tomorrow, we will stay at home and read.",
]
CAPTIONS = """
    import { createTrace } from "./explorer/derived/trace.js";
    import { Tensor } from "./explorer/ui/tensor.js";
    import { captionOf } from "./explorer/tabs/whole/guide/captions.js";
    import { WHOLE } from "./explorer/tabs/whole/place.js";
    import { plainText } from "./explorer/ui/segments.js";
    const { payload, config, words, shown, hidden } = JSON.parse(readFileSync(0));
    const trace = createTrace(payload, { names: { start: "(start)", end: "(end)" } });
    const tensors = { hidden: new Tensor(hidden) };
    console.log(JSON.stringify(shown.map(([place, step, again]) => (
      plainText(captionOf({ ...WHOLE, ...place }, { trace, step, config, tensors, again }, words))))));
"""

pytestmark = needs_node


class Expected:
    """What captions must say, read from the arrays of a trace."""

    def __init__(self, trace: Trace, d_value: int = 32):
        self.trace = trace
        self.d_value = d_value
        self.weights: dict[Kind, np.ndarray] = {kind: trace.map(kind).weights.astype(float) for kind in KINDS}

    def source(self, index: int) -> str:
        return name(self.trace.source[index])

    def fed(self, step: int) -> str:
        return name(self.trace.steps[step].fed)

    def written(self, step: int) -> str:
        return name(self.trace.steps[step].predicted)

    def aim(self, step: int) -> str:
        if self.trace.steps[step].predicted.special:
            return f"To end the sentence after {self.fed(step)}"
        return f"To write {self.written(step)} after {self.fed(step)}"

    def key(self, kind: Kind, index: int) -> str:
        return self.fed(index) if kind == "decoder" else self.source(index)

    def whole(self, step: int) -> str:
        share = percent(self.trace.steps[step].probability)
        return f"{self.written(step)} ({share}%)" if not self.is_end(step) else f"{self.written(step)} has {share}%"

    def is_end(self, step: int) -> bool:
        return self.trace.steps[step].predicted.special

    def cross(self, layer: int, step: int) -> str:
        rows = self.weights["cross"][layer, :, step]
        favourites = rows.argmax(axis=-1).tolist()
        heads = len(favourites)
        key = max(set(favourites), key=lambda key: (favourites.count(key), rows[:, key].mean()))
        count, to = favourites.count(key), self.source(key)
        own = f"They agree on where to look, not on what to take: each takes its own {self.d_value} numbers from it."
        if count == heads:
            return f"{self.aim(step)}, all {heads} heads look most at {to}. {own}"
        if count == 1:
            return f"{self.aim(step)}, each of the {heads} heads looks most at another token."
        if count >= heads / 2:
            return f"{self.aim(step)}, {count} of {heads} heads look most at {to}."
        return f"{self.aim(step)}, the {heads} heads disagree: only {count} look most at {to}."

    def masked(self, layer: int, step: int) -> str:
        row = self.weights["decoder"][layer, :, step].mean(axis=0)
        copied = f"{self.fed(step)} could copy {self.written(step)}, which it is to write."
        if step + 1 == len(self.trace.steps):  # what it writes is not fed
            copied = "every row could copy the next token, which it is to write."
        rule = f"Without the mask (hatched), {copied} So no row sees a later token."
        if step == 0:
            return f"{rule} In the first row only {self.fed(0)} is left to look at."
        key = int(row.argmax())
        if key == 0:
            return f"{rule} In the row of {self.fed(step)}, {percent(row[0])}% goes to {self.fed(0)}, where heads rest"
        return (
            f"{rule} In the row of {self.fed(step)}, the largest share goes to {self.fed(key)}: {percent(row[key])}%."
        )

    def head(self, kind: Kind, layer: int, head: int, row: int) -> str:
        weights = self.weights[kind][layer, head, row]
        key = int(weights.argmax())
        share, to = percent(weights[key]), self.key(kind, key)
        if kind == "encoder":
            return f"{self.source(row)} takes {share}% from {to}."
        return f"{self.aim(row)}, {share}% comes from {to}."

    def look(self, kind: Kind, layer: int, head: int) -> tuple[str, int]:
        """The words for what most rows look at, and how many rows."""
        weights = self.weights[kind][layer, head]
        votes: dict[str, int] = dict.fromkeys(("back", "itself", "ahead", "rest", "single", "many"), 0)
        for query, row in enumerate(weights):
            reach = query + 1 if kind == "decoder" else len(row)
            best = int(row.argmax())
            if reach > 2 and row[best] < max(0.25, 1.5 / reach):
                votes["many"] += 1
                continue
            rests = best == 0 if kind == "decoder" else self.trace.source[best].special
            votes["rest"] += rests
            votes["single"] += kind == "cross" and not rests
            for where, offset in (("back", -1), ("itself", 0), ("ahead", 1)):
                votes[where] += kind != "cross" and best - query == offset
        where = max(votes, key=votes.__getitem__)
        return (where, votes[where]) if votes[where] * 2 > len(weights) else ("now here", 0)

    def output(self, step: int) -> str:
        shown = self.trace.steps[step]
        second = shown.candidates[1]
        first = f"{self.written(step)} gets {percent(shown.probability)}%"
        return f"{first}, next is {name(second.piece)} with {percent(second.probability)}%."


def name(piece: Any) -> str:
    if piece.special:
        return {"<s>": "(start)", "</s>": "(end)"}[piece.text]
    return f"“{re.sub('^·(?=.)', '', piece.text)}”"


def percent(share: float) -> str:
    digits = f"{100 * float(f'{share:.2f}'):.0f}"
    return "≈0" if digits == "0" and share > 0 else digits


PLACES: dict[Kind, tuple[str, str]] = {
    "encoder": ("encoder", "self"),
    "decoder": ("decoder", "self"),
    "cross": ("decoder", "cross"),
}
WHERE = {
    "back": "looks mostly one token back",
    "itself": "looks mostly at the token itself",
    "ahead": "looks mostly one token ahead",
    "single": "looks mostly at a single token",
    "many": "looks at many tokens at once",
    "now here": "looks now here, now there",
}


def captions(translator: Translator, trace: Trace, shown: list[Any], layer: int = 0) -> list[str]:
    """The captions of (place, step, again); `layer` is the one of the decoder whose feed-forward block is loaded."""
    hidden = record_pass(translator, trace).tensors[Site("decoder", layer, "feed_forward", "hidden")][0]
    given = {
        "payload": trace_json(trace),
        "config": model_sizes(translator.model.config),
        "words": words.CAPTIONS,
        "shown": shown,
    }
    return in_node(CAPTIONS, {**given, "hidden": tensor_json(hidden)})


@pytest.fixture(scope="module")
def recorded(shipped: Translator, toy: Translator) -> list[tuple[Translator, Trace]]:
    return [(shipped, record(shipped, sentence)) for sentence in SENTENCES] + [(toy, record(toy, "Go.", max_steps=3))]


def test_captions_of_steps_name_both_tokens_and_their_numbers(recorded):
    for translator, trace in recorded:
        expected, steps = Expected(trace, translator.model.config.d_value), range(len(trace.steps))
        layers = range(translator.model.config.layers("decoder"))
        cases = [({}, step, expected.whole(step)) for step in steps]
        cases += [({"stack": "output"}, step, expected.output(step)) for step in steps]
        sentences: dict[Kind, Callable[[int, int], str]] = {"decoder": expected.masked, "cross": expected.cross}
        for kind, sentence in sentences.items():
            stack, block = PLACES[kind]
            for layer in layers:
                place = {"stack": stack, "layer": layer, "block": block}
                cases += [(place, step, sentence(layer, step)) for step in steps]
        compare(translator, trace, cases)


def test_captions_of_heads_say_what_their_rows_look_at(recorded):
    for translator, trace in recorded:
        expected, step, cases = Expected(trace), len(trace.steps) // 2, []
        for kind, (stack, block) in PLACES.items():
            layers, heads, rows, _ = expected.weights[kind].shape
            for layer, head in np.ndindex(layers, heads):
                place = {"stack": stack, "layer": layer, "block": block, "head": head}
                where, count = expected.look(kind, layer, head)
                rest = f"looks mostly at {expected.key(kind, 0 if kind == 'decoder' else -1)}"
                counted = f", in {'all' if count == rows else f'{count} of the'} {rows} rows." if count else "."
                named = f"Head {head + 1} {WHERE.get(where, rest)}{counted}"
                row = step if kind != "encoder" else min(step, rows - 1)
                cases.append((place, step, named))
                cases.append(({**place, "row": row}, step, expected.head(kind, layer, head, row)))
        compare(translator, trace, cases)


def test_captions_of_self_attention_name_the_heads_that_look_alike(recorded):
    for translator, trace in recorded:
        expected, step = Expected(trace), len(trace.steps) // 2
        layers, heads, _, _ = expected.weights["encoder"].shape
        places = [{"stack": "encoder", "layer": layer, "block": "self"} for layer in range(layers)]
        for layer, caption in enumerate(captions(translator, trace, [[place, step, False] for place in places])):
            looks: dict[str, list[str]] = {}
            for head in range(heads):
                where, count = expected.look("encoder", layer, head)
                if count:
                    looks.setdefault(WHERE.get(where, f"looks mostly at {expected.source(-1)}"), []).append(
                        str(head + 1)
                    )
            named = re.findall(r"heads? ([\d, ]+) (looks?) (.+?)(?=[;.])", caption.partition("In this sentence ")[2])
            assert len(named) == min(3, len(looks)), caption
            for numbers, verb, where in named:
                assert looks[f"looks {where}"] == numbers.split(", "), caption
                assert (verb == "looks") == (len(numbers) == 1), caption


def test_captions_of_weights_have_the_digits_of_their_cells(recorded):
    for translator, trace in recorded[1:3]:
        expected, cases = Expected(trace), []
        for kind, (stack, block) in PLACES.items():
            _, _, rows, keys = expected.weights[kind].shape
            for row, key in np.ndindex(rows, keys):
                place = {"stack": stack, "layer": 1, "block": block, "head": 2, "part": "weights", "row": row}
                to, share = expected.key(kind, key), percent(expected.weights[kind][1, 2, row, key])
                sentence = f"{share}% comes from {to}." if kind == "encoder" else f"{share}% of what this head takes in"
                if kind == "decoder" and key > row:
                    sentence = f"{expected.fed(row)} may not look at {to}: that token comes later"
                cases.append(({**place, "column": key}, 0, sentence))
        compare(translator, trace, cases)


def test_neurons_above_zero_are_counted(recorded):
    translator, trace = recorded[2]
    expected, place = Expected(trace), {"stack": "decoder", "layer": 3, "block": "feed"}
    hidden = record_pass(translator, trace).tensors[Site("decoder", 3, "feed_forward", "hidden")][0]
    cases = [
        (place, step, f"{expected.aim(step)}, {(row > 0).sum()} of the 3,072 are above zero; the others add nothing.")
        for step, row in enumerate(hidden)
    ]
    compare(translator, trace, cases, layer=3)


def compare(translator: Translator, trace: Trace, cases: list[tuple[dict, int, str]], layer: int = 0) -> None:
    found = captions(translator, trace, [[place, step, False] for place, step, _ in cases], layer)
    for (place, step, expected), sentence in zip(cases, found, strict=True):
        assert expected in sentence, (place, step)


@each_case("language", ["en", "de", "zh"])
def test_every_kind_of_place_has_its_caption_in_every_language(language, toy):
    trace = record(toy, "Go.", max_steps=3)
    decoder = {"stack": "decoder", "layer": 0}
    blocks = [{"stack": "encoder", "layer": 0, "block": "self"}, {**decoder, "block": "cross"}]
    numbers = {"row": 1, "column": 1}
    places = [
        {"stack": "encoder", "block": "embedding", "part": "sum", **numbers},
        {"stack": "decoder", "block": "embedding"},
        {"stack": "encoder", "layer": 0},
        decoder,
        {"stack": "memory"},
        {"stack": "output"},
        {"stack": "output", "part": "logit", **numbers},
        *({**decoder, "block": "feed", "part": part, **numbers} for part in ("hidden", "out", "sum", "norm")),
        *({**block, "part": part, **numbers} for block in blocks for part in ("out", "sum", "norm")),
        *({**block, "head": 1, "part": part, **numbers} for block in blocks for part in ("q", "k", "v", "mix")),
        *blocks,
    ]
    with use_language(LanguageContext(language)):
        found = captions(toy, trace, [*([place, 1, False] for place in places), [{}, 1, True]])
    for sentence in found:
        assert not re.search(r"[{}]|undefined|NaN|\[object", sentence), sentence
        assert sentence.endswith("。" if language == "zh" else "."), sentence


def test_in_a_list_of_all_places_no_sentence_needs_one_places_tensors(recorded):
    translator, trace = recorded[1]
    place = {"stack": "decoder", "layer": 1, "block": "feed"}
    payload = {"payload": trace_json(trace), "config": model_sizes(translator.model.config), "words": words.CAPTIONS}
    hidden = tensor_json(np.ones((len(trace.steps), 3072), dtype=np.float32))
    listed = in_node(
        CAPTIONS.replace("captionOf", "shortCaptionOf"), {**payload, "hidden": hidden, "shown": [[place, 1]]}
    )
    rule = "What attention has gathered, each token now works through alone: it is spread over 3,072 neurons"
    assert listed == [f"{rule} and folded back to 256 numbers."]
