"""The numbers of a head, against weights made by hand, and the names that follow from them."""

import numpy as np
import pytest
from cases import each_case

from explorer.experiments.head_measurements import NUMBERS, RULES, head_names
from explorer.experiments.statistics import average, rank_correlation, split_half
from explorer.recording.trace import record_forced
from model.errors import UserError
from model.training.data import Pair, encode_pairs
from tools.alignment import Agreement, learn_aligner, measure_agreement
from tools.head_statistics import (
    count_found_links,
    link_share,
    measure_heads,
    number_sums,
)
from tools.lexicon import join_words

NONE = np.zeros(4, dtype=bool)


def numbers(weights, kind="encoder", special=NONE, marks=NONE) -> dict[str, float]:
    """Of one head whose rows are given."""
    found = number_sums(np.array(weights)[None, None], kind, special, marks)
    return {name: (part.total / part.rows).item() for name, part in found.items()}


def shifted(offset: int) -> np.ndarray:
    """Every row has its whole weight so far from its own place, at the ends on the last place that there is."""
    return np.eye(4)[np.clip(np.arange(4) + offset, 0, 3)]


def test_a_head_that_looks_one_place_back_forth_or_at_its_own():
    back, same, forth = (numbers(shifted(offset)) for offset in (-1, 0, 1))
    assert [(found["previous"], found["same"], found["next"]) for found in (back, same, forth)] == [
        (1, 0.25, 0),  # the first row has no place before it and looks at its own
        (0, 1, 0),
        (0, 0.25, 1),
    ]
    assert (back["distance"], same["distance"], forth["distance"]) == (0.75, 0, 0.75)


def test_numbers_are_means_over_the_rows():
    rows = np.array([[0, 0, 0, 1], [0.5, 0, 0.5, 0], [0, 0, 1, 0], [1, 0, 0, 0]])
    found = numbers(rows, special=np.arange(4) == 3, marks=np.arange(4) == 2)
    assert (found["distance"], found["entropy"]) == (pytest.approx((3 + 1 + 0 + 3) / 4), pytest.approx(1 / 4))  # bits
    assert (found["special"], found["marks"]) == (pytest.approx(1 / 4), pytest.approx(1.5 / 4))


def test_the_decoders_first_row_does_not_count_and_its_next_place_is_not_there():
    rows = np.array([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.5, 0, 0.5, 0], [0.5, 0, 0, 0.5]])
    found = numbers(rows, "decoder", special=np.array([True, False, False, False]))
    assert (found["special"], found["same"], found["previous"]) == (0.5, 0.5, pytest.approx(0.5 / 3))
    assert "next" not in found


@each_case("kind", ["encoder", "decoder", "cross"])
def test_diagonality_is_1_on_the_diagonal_and_0_for_even_weights(kind):
    even = np.tril(np.ones((4, 4))) if kind == "decoder" else np.ones((4, 4))
    assert numbers(shifted(0), kind)["diagonality"] == pytest.approx(1)
    assert numbers(even / even.sum(axis=1, keepdims=True), kind)["diagonality"] == pytest.approx(0)
    if kind != "decoder":
        assert numbers(shifted(0)[::-1], kind)["diagonality"] < 0


def test_heads_and_translations_are_kept_apart_and_added(toy):
    traces = [record_forced(toy, text, [20, 30, 3]) for text in ("The cat sleeps.", "She reads the old book.")]
    found = measure_heads(toy.tokenizer, traces)
    alone = [measure_heads(toy.tokenizer, [trace]) for trace in traces]
    n_rows = [len(trace.source) for trace in traces]
    for name in ("entropy", "special", "distance"):
        parts = [one["encoder"][name] * rows for one, rows in zip(alone, n_rows, strict=True)]
        np.testing.assert_allclose(found["encoder"][name], sum(parts) / sum(n_rows))
    weights = traces[0].cross.weights[1, 2]
    np.testing.assert_allclose(alone[0]["cross"]["special"][1, 2], weights[:, -1].mean(), rtol=1e-6)
    assert {*found["cross"]} == {*NUMBERS} - {"links"} and {*found["decoder"]} == {*found["cross"]} - {"next"}


def test_links_are_those_of_the_alignment_command_in_the_models_own_german(toy, corpus):
    pairs = encode_pairs([Pair(*pair) for pair in zip(corpus[:8], corpus[8:], strict=True)], toy.tokenizer, 64)
    aligner = learn_aligner(pairs, toy.tokenizer)
    trace = record_forced(toy, corpus[0], [*pairs[0].tgt, toy.tokenizer.eos_id])
    found = count_found_links(toy.tokenizer, trace, aligner)
    src, tgt = (join_words(toy.tokenizer.pieces(ids)) for ids in (pairs[0].src[:-1], pairs[0].tgt))
    links = [link for link in aligner.links(src.texts, tgt.texts) if tgt.texts[link[0]] != "."]
    assert found.links == len(links) > 2
    np.testing.assert_array_equal(found.matches, measure_agreement(trace.cross.weights, links, src, tgt).matches)


def test_a_heads_share_of_the_links_is_that_of_its_better_row():
    found = np.array([[[4.0, 1.0, 9.0]], [[2.0, 3.0, 9.0]]])  # the last is the mean of the heads
    assert link_share(Agreement(10, found, 1.0, 2)).tolist() == [[0.4, 0.3]]
    with pytest.raises(UserError, match="link no word"):
        link_share(Agreement(0, found, 0.0, 0))


def test_a_name_needs_its_threshold_and_its_kind():
    at = {rule.number: rule.threshold for rule in RULES}
    under = {number: threshold - 1e-9 for number, threshold in at.items()}
    assert len(at) == 8 and head_names("encoder", under) == head_names("cross", under) == []
    assert head_names("encoder", {**under, "previous": at["previous"]}) == ["previous"]
    assert head_names("cross", {**under, "previous": 1.0}) == []
    assert [head_names(kind, {**under, "special": 0.9})[0] for kind in ("encoder", "decoder", "cross")] == [
        "end",
        "start",
        "end",
    ]
    assert head_names("cross", {**under, "marks": 0.6, "links": 0.7}) == ["marks", "aligns"]
    assert head_names("decoder", {**under, "links": None, "next": None}) == []


def test_across_a_row_beyond_the_source_has_no_place_of_its_own():
    rows = np.eye(4)[[0, 1, 2, 3, 3, 3]]
    found = numbers(rows, "cross")
    assert (found["same"], found["previous"], found["distance"]) == (1, 1 / 4, (1 + 2) / 6)


@each_case(
    ("first", "second", "expected"),
    [
        ([1, 2, 3], [10, 100, 1000], 1),
        ([1, 2, 3], [3, 1, 0], -1),
        ([1, 2, 3, 4, 5], [2, 1, 4, 3, 5], 0.8),  # 1 - 6 * 4 / (5 * 24)
        ([1, 2, 2, 3], [1, 3, 2, 4], 4.5 / np.sqrt(4.5 * 5)),
        ([1, 1, 1], [1, 2, 3], None),
    ],
)
def test_the_rank_correlation_is_spearmans(first, second, expected):
    found = rank_correlation(np.array(first, dtype=float), np.array(second, dtype=float))
    assert found is None if expected is None else found == pytest.approx(expected)


def test_values_that_rounding_tells_apart_do_not_move_a_rank_correlation_with_ties():
    rng = np.random.default_rng(0)
    weights, effects = np.array([0.9, 0.1, *[1e-6] * 8]), np.array([3.0, *[1e-5] * 4, 0.2, *[1e-5] * 4])
    draws = [rank_correlation(weights + rng.normal(0, 1e-7, 10), effects, tie=1e-3) for _ in range(50)]
    assert draws == [pytest.approx(draws[0], abs=1e-3)] * 50
    assert rank_correlation(weights, effects, tie=1e-9) == pytest.approx(rank_correlation(weights, effects))
    assert rank_correlation(weights[2:] + rng.normal(0, 1e-7, 8), effects[2:], tie=1e-3) is None


def test_an_interval_covers_the_true_mean_about_95_times_in_a_hundred():
    rng, covered = np.random.default_rng(0), 0
    for seed in range(20):
        found = average(rng.normal(3, 2, size=(100, 10)), seed)
        covered += int(((found.low < 3) & (found.high > 3)).sum())
    assert 180 <= covered <= 198


def test_halves_agree_where_heads_differ_and_not_where_all_is_noise():
    noise = np.random.default_rng(2).normal(size=(100, 60))
    assert abs(split_half(noise, 0)) < 0.2
    assert split_half(noise + 3 * np.arange(60), 0) > 0.99
