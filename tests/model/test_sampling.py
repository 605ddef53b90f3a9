"""Sampling: what is in the running, what a seed promises, and what it becomes without chance."""

import math
from collections import Counter

import pytest
import torch
from cases import each_case
from reference import tiny_model

from model.decoding import Translator
from model.errors import UserError
from model.sampling import (
    MAX_TEMPERATURE,
    MIN_TEMPERATURE,
    MIN_TOP_P,
    Sampling,
    candidate_distribution,
    draw,
    pick_places,
)

SRC = [5, 9, 11, 3]


@pytest.fixture(scope="module")
def translator(tokenizer) -> Translator:
    model = tiny_model(src_vocab_size=tokenizer.vocab_size, tgt_vocab_size=tokenizer.vocab_size, max_len=24)
    with torch.no_grad():
        model.projection.bias[tokenizer.eos_id] += 2
    return Translator(model, tokenizer)


def greedy(translator: Translator) -> list[int]:
    return [step.id for step in translator.steps(translator.encode(SRC))]


def running(weights: list[float], **changes) -> list[float]:
    """The probabilities that pieces are drawn with, in the order of the vocabulary."""
    probability, ids = candidate_distribution(torch.tensor([weights]).log(), Sampling(**changes))
    return [round(float(probability[0, ids[0].tolist().index(i)]), 4) for i in range(len(weights))]


FOUR = [0.1, 0.5, 0.15, 0.25]


@each_case(
    ("weights", "changes", "left"),
    [
        ([0.2, 0.8], {"temperature": 0.5}, [0.0588, 0.9412]),  # 0.04 to 0.64
        ([0.2, 0.8], {"temperature": 2.0}, [0.3333, 0.6667]),  # their roots
        ([0.2, 0.8], {"temperature": 1e-6}, [0, 1]),
        (FOUR, {"top_k": 2}, [0, 0.6667, 0, 0.3333]),
        (FOUR, {"top_k": 99}, FOUR),
        (FOUR, {"top_p": 0.7}, [0, 0.6667, 0, 0.3333]),
        (FOUR, {"top_p": 0.5}, [0, 1, 0, 0]),
        (FOUR, {"top_p": 0.01}, [0, 1, 0, 0]),
        # Of 0.5 and 0.25 the first holds two thirds; of all four pieces it would take both to hold 0.6.
        (FOUR, {"top_k": 2, "top_p": 0.6}, [0, 1, 0, 0]),
    ],
)
def test_temperature_divides_logits_and_top_k_and_top_p_leave_the_most_probable_in_proportion(weights, changes, left):
    assert running(weights, **changes) == left


def test_a_chance_falls_into_the_share_of_its_piece():
    probability = torch.tensor([[0.5, 0.25, 0.25, 0.0]]).expand(6, -1)
    chances = torch.tensor([0.0, 0.4999, 0.5, 0.7499, 0.75, 1.0])
    assert pick_places(probability, chances).tolist() == [0, 0, 1, 1, 2, 2]


def test_first_pieces_are_drawn_as_often_as_the_model_says(translator):
    expected = next(translator.steps(translator.encode(SRC)))
    samples = draw(translator, SRC, Sampling(), range(2000))
    counts = Counter(sample.ids[0] for sample in samples)
    for piece, probability in expected.candidates:
        deviation = math.sqrt(probability * (1 - probability) / 2000)
        assert abs(counts[piece] / 2000 - probability) < 4 * deviation


def test_a_seed_repeats_its_sample_alone_and_in_company(translator):
    together = draw(translator, SRC, Sampling(), [7, 8, 9])
    again, alone = draw(translator, SRC, Sampling(), [7, 8, 9]), draw(translator, SRC, Sampling(), [8])[0]
    assert together == again
    assert (alone.ids, alone.candidate_counts) == (together[1].ids, together[1].candidate_counts)
    assert len({sample.ids for sample in together}) == 3


def test_one_piece_in_the_running_is_greedy_decoding(translator):
    for sampling in (Sampling(top_k=1), Sampling(temperature=1e-6), Sampling(top_p=1e-6)):
        for sample in draw(translator, SRC, sampling, [1, 2]):
            assert list(sample.ids) == greedy(translator)
            assert set(sample.candidate_counts) == {1}


@each_case("sampling", [Sampling(MIN_TEMPERATURE), Sampling(MAX_TEMPERATURE), Sampling(top_p=MIN_TOP_P)])
def test_at_the_bounds_every_distribution_is_one(sampling):
    """Of logits that lie far apart and close together, some of them excluded."""
    logits = torch.tensor([[0.0, -1e-6, -50, -math.inf], [-1e4, 1e4, 0, -math.inf], [3.0, 3, 3, -math.inf]])
    probability, _ = candidate_distribution(logits.log_softmax(dim=-1), sampling)
    assert probability.sum(dim=-1).allclose(torch.ones(3)) and (probability[:, -1] == 0).all()


def test_log_probabilities_are_the_models_own_whatever_the_temperature(translator):
    for sample in draw(translator, SRC, Sampling(temperature=2.0, top_k=9), range(4)):
        steps = translator.forced_steps(translator.encode(SRC), sample.ids)
        expected = [step.log_probability for step in steps]
        assert sample.log_probabilities == pytest.approx(expected, abs=1e-5)
        assert sample.total == pytest.approx(sum(expected), abs=1e-4)
        assert all(count == 9 for count in sample.candidate_counts) and all(step.rank < 9 for step in steps)


def test_a_sample_ends_with_its_end_or_at_the_limit_and_has_no_piece_that_means_nothing(translator):
    samples = draw(translator, SRC, Sampling(temperature=3.0), range(40))
    ended = [sample for sample in samples if sample.ids[-1] == translator.tokenizer.eos_id]
    assert 0 < len(ended) < 40
    for sample in samples:
        assert translator.tokenizer.eos_id not in sample.ids[:-1]
        assert sample in ended or len(sample.ids) == translator.limit(len(SRC))
        assert not {*sample.ids} & {*translator.excluded_ids}
        assert len(sample.ids) == len(sample.log_probabilities) == len(sample.candidate_counts)


@each_case(
    ("changes", "refusal"),
    [
        ({"temperature": 0.0}, "The temperature must be a number from 0.000001 to 1000000, not 0."),
        ({"temperature": math.nan}, "The temperature must be a number from 0.000001 to 1000000, not nan"),
        ({"top_k": 0}, "Top-k must be at least 1, not 0."),
        ({"top_p": 1.5}, "Top-p must be a number from 0.000001 to 1, not 1.5."),
    ],
)
def test_what_cannot_be_drawn_with_is_refused(changes, refusal):
    with pytest.raises(UserError, match=refusal):
        Sampling(**changes)


def test_a_seed_out_of_range_is_refused(translator):
    with pytest.raises(UserError, match=r"^A seed is a whole number from 0 to 4294967295, not 4294967296\.$"):
        draw(translator, SRC, Sampling(), [2**32])
