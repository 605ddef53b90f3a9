"""What an atlas should hold, computed once more: sentence by sentence, with PyTorch's hooks and plain loops."""

from collections import Counter
from typing import NamedTuple

import numpy as np
import torch

from explorer import Atlas
from explorer.atlas.atlas import Neuron
from explorer.atlas.layer_file import count_codes, counts_of
from model.decoding import Translator
from model.tokenizer import WORD_START

CLOSE, ROUNDING = 2e-5, 2e-6  # relative and absolute: what the size of a batch may change
RESTING = ("<s>", "</s>", "<pad>")  # a Marian model starts from padding
LEVEL, WEIGHT = 1 / 20, 1 / 65535  # steps in which strengths and weights are stored


class Recorded(NamedTuple):
    """Of every sentence: the tokens that each stack reads, those behind them, all hidden numbers and all weights."""

    tokens: dict[str, list[list[str]]]
    next_tokens: dict[str, list[list[str]]]
    before: dict[tuple[str, int], list[np.ndarray]]  # [position neuron], before the activation
    hidden: dict[tuple[str, int], list[np.ndarray]]  # [position neuron]
    weights: dict[tuple[str, int], list[np.ndarray]]  # [head query key]


def record(translator: Translator, sources: list[list[int]]) -> Recorded:
    """Runs the model on each sentence alone: greedily step by step, then once over the whole, with hooks on W_1."""
    model, tokenizer = translator.model, translator.tokenizer
    found = Recorded({"encoder": [], "decoder": []}, {"encoder": [], "decoder": []}, {}, {}, {})
    hooks = []
    for stack, part in (("encoder", model.encoder), ("decoder", model.decoder)):
        for number, layer in enumerate(part.layers):

            def keep(module, inputs, output, key=(stack, number)):
                values = getattr(torch.nn.functional, model.config.activation)(output[0])
                found.before.setdefault(key, []).append(output[0].clone().numpy())
                found.hidden.setdefault(key, []).append(values.numpy())

            hooks.append((layer.feed_forward.w_1, keep))
    for src in sources:
        out = [step.id for step in translator.steps(translator.encode(src))]
        fed = [tokenizer.bos_id, *out[:-1]]
        registered = [module.register_forward_hook(keep) for module, keep in hooks]
        encoded = translator.encode(src)
        decoded = translator.decode(fed, encoded)
        for hook in registered:
            hook.remove()
        kinds = {"encoder": encoded.attention, "decoder": decoded.self_attention, "cross": decoded.cross_attention}
        for kind, layers in kinds.items():
            for layer, weights in enumerate(layers):
                found.weights.setdefault((kind, layer), []).append(weights[0].numpy())
        for stack, ids, following in (("encoder", src, [*src[1:], None]), ("decoder", fed, out)):
            found.tokens[stack].append(tokenizer.pieces(ids))
            found.next_tokens[stack].append([None if i is None else tokenizer.pieces([i])[0] for i in following])
    return found


def check(atlas: Atlas, found: Recorded) -> Counter:
    """Asserts that every number, token and context is right; returns how many were compared."""
    compared = Counter(sentences=len(found.tokens["encoder"]))
    for (stack, layer), rows in found.hidden.items():
        columns = [row.T.tolist() for row in rows]
        near_zero = sum((abs(row) <= ROUNDING).sum(axis=0) for row in found.before[stack, layer])
        for index in range(len(columns[0])):
            values = [column[index] for column in columns]
            neuron = atlas.neuron(stack, layer, index)
            check_numbers(neuron, values, int(near_zero[index]), compared)
            check_contexts(neuron, values, int(near_zero[index]), found, compared)
            check_name(neuron, values, found, compared)
    for (kind, layer), rows in found.weights.items():
        for head in range(len(rows[0])):
            check_head(atlas.head(kind, layer, head), [row[head].tolist() for row in rows], found, compared)
    return compared


def check_numbers(neuron: Neuron, values: list[list[float]], doubtful: int, compared: Counter) -> None:
    everything = [value for row in values for value in row]
    positive = [value for value in everything if value > 0]
    largest = max(positive, default=0.0)
    slack = CLOSE * largest + ROUNDING
    assert abs(neuron.count - len(positive)) <= doubtful
    assert abs(neuron.density - len(positive) / len(everything)) <= (doubtful + 1e-9) / len(everything)
    assert abs(neuron.largest - largest) <= slack
    if positive:
        assert abs(neuron.mean - sum(positive) / len(positive)) <= slack + doubtful / len(positive) * largest
    for number, stored in enumerate(neuron.histogram.tolist()):
        possible = set()
        for shift in (-slack / largest, 0.0, slack / largest) if positive else (0.0,):
            bins = [min(max(int((value / largest + shift) * 10), 0), 9) for value in positive]
            possible.add(counts_of(count_codes(np.array([bins.count(number)]))).item())
        assert stored in possible, (neuron, number, possible)
    compared["neurons"] += 1
    compared["numbers"] += 14
    compared["doubtful"] += doubtful
    compared["fire"] += bool(positive)


def check_contexts(
    neuron: Neuron, values: list[list[float]], doubtful: int, found: Recorded, compared: Counter
) -> None:
    largest = max(max(row) for row in values)
    if not neuron.contexts:
        assert largest <= ROUNDING
        return
    near = 2 * (CLOSE + ROUNDING / largest)

    def strength(context) -> float:
        return values[context.sentence][context.position] / largest

    for context in neuron.contexts:
        read = context.source if neuron.stack == "encoder" else context.fed
        sides = (found.tokens["encoder"], found.tokens["decoder"], found.next_tokens["decoder"])
        assert (context.source, context.fed, context.written) == tuple(tuple(side[context.sentence]) for side in sides)
        assert read[context.position] == found.tokens[neuron.stack][context.sentence][context.position]
        assert abs(context.value / largest - strength(context)) <= max(LEVEL / 2, LEVEL - strength(context)) + near
    groups = {
        name: [context for context in neuron.contexts if context.range == name]
        for name in ("strongest", "strong", "middle", "weak")
    }
    best = sorted((max(row) for row in values if max(row) > 0), reverse=True)[:8]
    assert abs(len(groups["strongest"]) - len(best)) <= doubtful
    best = best[: len(groups["strongest"])]
    assert len({context.sentence for context in groups["strongest"]}) == len(best)
    for context, expected in zip(groups["strongest"], best, strict=True):
        assert abs(strength(context) * largest - expected) <= near * largest
    taken = {(context.sentence, context.position) for context in groups["strongest"]}
    first = neuron.index * len(values) // d_ff_of(neuron, found)
    for name, low, high in (("strong", 2 / 3, 9), ("middle", 1 / 3, 2 / 3), ("weak", 0, 1 / 3)):
        sure, possible = [], []
        for step in range(len(values)):
            sentence = (first + step) % len(values)
            free = [value for at, value in enumerate(values[sentence]) if (sentence, at) not in taken]
            if any(low * largest + near < value <= high * largest - near for value in free):
                sure.append(sentence)
            if any(low * largest - near < value <= high * largest + near and value > 0 for value in free):
                possible.append(sentence)
        drawn = [context.sentence for context in groups[name]]
        assert drawn in (sure[:4], possible[:4]), (neuron, name, drawn, sure, possible)
        for context in groups[name]:
            assert low - near < strength(context) <= high + near
            assert (context.sentence, context.position) not in taken
    compared["contexts"] += len(neuron.contexts)


def d_ff_of(neuron: Neuron, found: Recorded) -> int:
    return found.hidden[neuron.stack, neuron.layer][0].shape[1]


def same(one: str | None, other: str) -> bool:
    return one is not None and one.replace(WORD_START, "").lower() == other.replace(WORD_START, "").lower()


def check_name(neuron: Neuron, values: list[list[float]], found: Recorded, compared: Counter) -> None:
    """Counts the strong firings of the sentences of odd number, and those that have a token of the name."""
    if not neuron.name:
        return
    assert neuron.name.relation in (("on", "before") if neuron.stack == "encoder" else ("on", "writes"))
    sides = found.tokens if neuron.name.relation == "on" else found.next_tokens
    largest = max(max(row) for row in values)
    strong = hits = occurrences = doubtful = 0
    for sentence in range(1, len(values), 2):
        for value, token in zip(values[sentence], sides[neuron.stack][sentence], strict=True):
            has = any(same(token, other) for other in neuron.name.tokens)
            occurrences += has
            strong += value > largest / 2
            hits += has and value > largest / 2
            doubtful += abs(value - largest / 2) <= CLOSE * largest + ROUNDING
    assert abs(neuron.name.checked - strong) <= doubtful
    if not doubtful:
        assert (neuron.name.precision, neuron.name.recall) == (hits / strong, hits / max(occurrences, 1))
        assert neuron.name.standing == ("holds" if hits >= 0.8 * strong else "perhaps")
    compared["names"] += 1


def check_head(head, weights: list[list[list[float]]], found: Recorded, compared: Counter) -> None:
    stacks = {"encoder": ("encoder", "encoder"), "decoder": ("decoder", "decoder"), "cross": ("decoder", "encoder")}
    queries, keys = (found.tokens[stack] for stack in stacks[head.kind])
    best = []
    for sentence, matrix in enumerate(weights):
        words = [key for key, token in enumerate(keys[sentence]) if token not in RESTING]
        best.append(max((row[key] for row in matrix for key in words), default=0.0))
    expected = [weight for weight in sorted(best, reverse=True)[:20] if weight > 0]
    assert len({arrow.sentence for arrow in head.arrows}) == len(head.arrows) == len(expected)
    for arrow, weight in zip(head.arrows, expected, strict=True):
        assert (arrow.queries, arrow.keys) == (tuple(queries[arrow.sentence]), tuple(keys[arrow.sentence]))
        assert arrow.keys[arrow.key] not in RESTING
        assert abs(arrow.weight - weight) <= CLOSE + WEIGHT
        assert abs(arrow.weight - weights[arrow.sentence][arrow.query][arrow.key]) <= CLOSE + WEIGHT
    compared["heads"] += 1
    compared["arrows"] += len(head.arrows)
