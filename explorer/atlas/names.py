"""Simple names: "fires on TOKEN", or "fires before TOKEN", which in the decoder is "writes TOKEN".

A neuron fires strongly at a position where its value is above half of its largest. A name is found on the sentences of
even number and checked on the others. Tokens that differ in letter case or in whether they begin a word count as one.

- precision: the share of the strong firings that are at (or before) one of the tokens;
- recall: the share of the tokens' occurrences at which the neuron fires strongly.

Of "on" and "before", that one becomes the name which has the larger precision ** 2 * recall where it is found. It
`holds` if its precision on the checked half is HOLDS or more; otherwise it holds `perhaps`.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np
from jaxtyping import Integer

from explorer.atlas.contexts import SortedFirings
from explorer.atlas.corpus import NO_TOKEN, Positions, token_key
from model.decoding import Translator
from model.probe import Stack

Relation = Literal["on", "before", "writes"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
Standing = Literal["holds", "perhaps", "no simple name", "never fires"]
STRONG = 1 / 2  # of a neuron's largest value
HOLDS = 0.8  # precision
MIN_FIRINGS = 10  # strong ones in each half of the sentences
MIN_FOUND_PRECISION = 0.5  # in the half where a name is found
MIN_GAIN = 0.1  # of precision: what a further token has to add
MAX_TOKENS = 3  # of a name


class FoundName(NamedTuple):
    """A name by ids, with the counts of its check."""

    neuron: int
    relation: Relation
    tokens: list[int]  # of each group of tokens, the one that is most frequent at the strong firings
    strong: int  # firings in the checked half
    hits: int  # of those, the ones with the tokens
    occurrences: int  # of the tokens in the checked half


class Candidate(NamedTuple):
    """A name that was found on one half: groups of tokens, and how it fits there."""

    relation: Relation
    groups: list[int]
    precision: float
    recall: float


def token_groups(translator: Translator) -> Integer[np.ndarray, "vocab"]:
    """The group of every token, as a number: tokens with equal `token_key` are in one."""
    keys = [token_key(piece) for piece in translator.tokenizer.pieces(range(translator.tokenizer.vocab_size))]
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys])


def relations_of(stack: Stack, positions: Positions) -> dict[Relation, Integer[np.ndarray, "position"]]:
    """The token that each relation names at every position of a stack."""
    return {"on": positions.ids, "writes" if stack == "decoder" else "before": positions.next_ids}


def find_names(
    firings: SortedFirings, positions: Positions, stack: Stack, groups: Integer[np.ndarray, "vocab"]
) -> list[FoundName]:
    """The names of a layer's neurons, in their order; those without are left out."""
    strong = firings.strength > STRONG
    neuron, position = firings.neuron[strong], firings.position[strong]
    is_checked = positions.sentence % 2 == 1
    relations = relations_of(stack, positions)
    occurrences: list[dict[Relation, np.ndarray]] = [
        {relation: count_groups(ids[half], groups) for relation, ids in relations.items()}
        for half in (~is_checked, is_checked)
    ]
    names: list[FoundName] = []
    different, starts = np.unique(neuron, return_index=True)
    for number, at in zip(different.tolist(), np.split(position, starts[1:]), strict=True):
        halves = at[~is_checked[at]], at[is_checked[at]]
        if min(map(len, halves)) < MIN_FIRINGS:
            continue
        ids: list[dict[Relation, np.ndarray]] = [
            {relation: ids[half] for relation, ids in relations.items()} for half in halves
        ]
        if found := best_candidate(ids[0], groups, occurrences[0]):
            names.append(check_name(number, found, *ids, groups=groups, occurrences=occurrences[1]))
    return names


def count_groups(
    ids: Integer[np.ndarray, "position"], groups: Integer[np.ndarray, "vocab"]
) -> Integer[np.ndarray, "group"]:
    """How often the tokens of every group occur."""
    return np.bincount(groups[ids[ids != NO_TOKEN]], minlength=len(groups))


def best_candidate(
    ids: dict[Relation, Integer[np.ndarray, "firing"]],
    groups: Integer[np.ndarray, "vocab"],
    occurrences: dict[Relation, Integer[np.ndarray, "group"]],
) -> Candidate | None:
    """The name that fits best where names are found; None if there is no simple one."""
    candidates = [find_tokens(relation, tokens, groups, occurrences[relation]) for relation, tokens in ids.items()]
    fitting = [candidate for candidate in candidates if candidate.precision >= MIN_FOUND_PRECISION]
    return max(fitting, key=lambda candidate: candidate.precision**2 * candidate.recall, default=None)


def find_tokens(
    relation: Relation,
    ids: Integer[np.ndarray, "firing"],
    groups: Integer[np.ndarray, "vocab"],
    occurrences: Integer[np.ndarray, "group"],
) -> Candidate:
    """The most frequent groups of tokens at strong firings, as long as each adds MIN_GAIN of precision."""
    counts = count_groups(ids, groups)
    best = np.argsort(-counts, kind="stable")[:MAX_TOKENS]
    kept = [int(group) for group in best if counts[group] >= MIN_GAIN * len(ids)]
    hits = counts[kept].sum()
    return Candidate(relation, kept, float(hits / len(ids)), float(hits / max(occurrences[kept].sum(), 1)))


def check_name(
    neuron: int,
    found: Candidate,
    found_ids: dict[Relation, Integer[np.ndarray, "firing"]],
    checked_ids: dict[Relation, Integer[np.ndarray, "checked"]],
    *,
    groups: Integer[np.ndarray, "vocab"],
    occurrences: dict[Relation, Integer[np.ndarray, "group"]],
) -> FoundName:
    """The name with its counts on the sentences that it was not found on."""
    ids, checked = found_ids[found.relation], checked_ids[found.relation]
    hits = sum(count_tokens(checked, groups, group) for group in found.groups)
    shown = [most_frequent(ids[(ids != NO_TOKEN) & (groups[ids] == group)]) for group in found.groups]
    total = sum(int(occurrences[found.relation][group]) for group in found.groups)
    return FoundName(neuron, found.relation, shown, len(checked), hits, total)


def count_tokens(ids: Integer[np.ndarray, "firing"], groups: Integer[np.ndarray, "vocab"], group: int) -> int:
    return int(((ids != NO_TOKEN) & (groups[ids] == group)).sum())


def most_frequent(ids: Integer[np.ndarray, "firing"]) -> int:
    """The most frequent id; of equally frequent ones the smallest."""
    different, counts = np.unique(ids, return_counts=True)
    return int(different[counts.argmax()])


def standing_of(precision: float) -> Standing:
    """How far a name can be trusted."""
    return "holds" if precision >= HOLDS else "perhaps"


def name_arrays(names: Sequence[FoundName]) -> dict[str, Integer[np.ndarray, "*row name"]]:
    """Names as arrays: neurons as the difference from the name before, tokens plus one, 0 for none."""
    tokens = [[*(token + 1 for token in name.tokens), *[0] * (MAX_TOKENS - len(name.tokens))] for name in names]
    relations = [RELATIONS.index(name.relation) for name in names]
    counts = [[name.strong, name.hits, name.occurrences] for name in names]
    return {
        "name_neuron": np.diff(np.array([name.neuron for name in names], np.uint32), prepend=np.uint32(0)),
        "name_relation": np.array(relations, np.uint8),
        "name_tokens": np.array(tokens, np.uint32).reshape(-1, MAX_TOKENS).T,
        "name_counts": np.array(counts, np.uint32).reshape(-1, 3).T,
    }
