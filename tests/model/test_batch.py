"""Sentences decoded together: the very steps that each gets alone."""

import pytest
import torch
from reference import assert_near, tiny_model

from model.decoding import Translator, batched_steps

LENGTHS = [3, 31, 9, 1, 17]


@pytest.fixture(scope="module")
def translator(tokenizer) -> Translator:
    """Random weights; the end is so probable that some translations end and others run to their limit."""
    size = tokenizer.vocab_size
    model = tiny_model(src_vocab_size=size, tgt_vocab_size=size, max_len=64)
    with torch.no_grad():
        model.projection.bias[tokenizer.eos_id] += 1.5
        model.projection.bias[[tokenizer.pad_id, tokenizer.unk_id]] += 5  # never chosen, however probable
    return Translator(model, tokenizer)


@pytest.fixture(scope="module")
def sources(tokenizer) -> list[list[int]]:
    """Random ids, of very different lengths."""
    torch.manual_seed(5)
    return [[*torch.randint(4, tokenizer.vocab_size, (length,)).tolist(), tokenizer.eos_id] for length in LENGTHS]


def assert_as_alone(translator: Translator, sources: list[list[int]], limits: list[int]) -> list[list[int]]:
    """Everything that is decoded together equals what is decoded alone; gives the ids."""
    together = batched_steps(translator, sources, limits)
    for src, limit, (encoded, steps) in zip(sources, limits, together, strict=True):
        alone = translator.encode(src)
        assert_near(encoded.memory, alone.memory)
        assert torch.equal(encoded.mask, alone.mask)
        assert_near(encoded.attention, alone.attention)
        for ours, theirs in zip(steps, translator.steps(alone, max_steps=limit), strict=True):
            assert (ours.id, ours.rank) == (theirs.id, theirs.rank)
            assert_near(ours.self_attention, theirs.self_attention)
            assert_near(ours.cross_attention, theirs.cross_attention)
            measures = [(s.probability, s.log_probability, s.entropy) for s in (ours, theirs)]
            assert measures[0] == pytest.approx(measures[1], abs=1e-5)
            assert [c.id for c in ours.candidates] == [c.id for c in theirs.candidates]
            probabilities = [[c.probability for c in s.candidates] for s in (ours, theirs)]
            assert probabilities[0] == pytest.approx(probabilities[1], abs=1e-5)
    return [[step.id for step in steps] for _, steps in together]


def test_sentences_of_very_different_lengths_are_decoded_as_alone(translator, sources):
    limits = [translator.limit(len(src)) for src in sources]
    found = assert_as_alone(translator, sources, limits)
    ended = [ids[-1] == translator.tokenizer.eos_id for ids in found]
    assert True in ended and len({len(ids) for ids in found}) > 2, "rows must leave at different steps to mean much"
    never = {translator.tokenizer.pad_id, translator.tokenizer.unk_id, translator.tokenizer.bos_id}
    assert not never.intersection(*found)


def test_each_stops_at_its_own_limit(translator, sources):
    limits = [2, 5, 0, 1, 30]
    found = assert_as_alone(translator, sources, limits)
    assert all(len(ids) <= limit for ids, limit in zip(found, limits, strict=True))
    assert any(len(ids) == limit > 1 for ids, limit in zip(found, limits, strict=True))
    assert batched_steps(translator, sources[:1], [0])[0][1] == []
