"""The tree of a beam search, against the search that translates, and what it owes to greedy decoding."""

import math
from itertools import pairwise

import pytest
import torch
from cases import each_case
from reference import tiny_model

from model.beam import beam_tree
from model.decoding import Translator
from model.errors import UserError
from model.sampling import MIN_TEMPERATURE, Sampling, draw
from model.tokenizer import Tokenizer, pad


def random_translator(tokenizer: Tokenizer, *, seed: int = 0, vocab_size: int = 0, end: float = 4) -> Translator:
    """Random weights with an output sharp enough that hypotheses differ; `end` is the bias of EOS."""
    size = vocab_size or tokenizer.vocab_size
    model = tiny_model(src_vocab_size=size, tgt_vocab_size=size, max_len=24)
    torch.manual_seed(seed)
    with torch.no_grad():
        model.projection.weight.normal_(std=0.6)
        model.projection.bias[[tokenizer.pad_id, tokenizer.unk_id, tokenizer.bos_id]] = -100
        model.projection.bias[tokenizer.eos_id] = end
    return Translator(model, tokenizer)


@pytest.fixture(scope="module")
def translator(tokenizer) -> Translator:
    return random_translator(tokenizer)


@pytest.fixture(scope="module")
def sources(translator, corpus) -> list[list[int]]:
    return [translator.source_ids(sentence) for sentence in corpus[:3]]


def log_probability(translator: Translator, src: list[int], ids: tuple[int, ...]) -> torch.Tensor:
    """Of each piece, from one full pass."""
    logits = translator.decode([translator.tokenizer.bos_id, *ids[:-1]], translator.encode(src)).logits[0]
    return logits.log_softmax(dim=-1)[range(len(ids)), list(ids)]


@each_case("beam", [1, 5])
def test_the_trees_best_is_what_beam_search_translates_and_a_beam_of_one_is_greedy(translator, sources, beam):
    together = translator.beam_search(pad(sources, translator.tokenizer.pad_id), beam)
    for src, ids in zip(sources, together, strict=True):
        tree, greedy = beam_tree(translator, src, beam), [step.id for step in translator.steps(translator.encode(src))]
        assert translator.clean(tree.best.ids) == ids and list(tree.greedy.ids) == greedy
        assert beam > 1 or (tree.answer == tree.best and tree.greedy_places == [0] * len(greedy))


def test_a_translation_has_one_log_probability_also_where_the_model_wants_an_unknown_piece(tokenizer, sources):
    translator, src = random_translator(tokenizer), sources[0]
    with torch.no_grad():
        translator.model.projection.bias[tokenizer.unk_id] = 5
    encoded = translator.encode(src)
    steps = list(translator.steps(encoded))
    assert any(step.excluded and step.excluded.id == tokenizer.unk_id for step in steps)
    ids, expected = tuple(step.id for step in steps), [pytest.approx(step.log_probability, abs=1e-5) for step in steps]
    (sample,) = draw(translator, src, Sampling(MIN_TEMPERATURE), [1])
    tree, forced = beam_tree(translator, src, 1), translator.forced_steps(encoded, ids)
    for found in (tree.best, tree.greedy, sample):
        assert (found.ids, list(found.log_probabilities)) == (ids, expected)
    assert [step.log_probability for step in forced] == expected


def test_scores_are_those_of_one_pass_over_the_hypothesis(translator, sources):
    tree = beam_tree(translator, sources[0], 3)
    for number, level in enumerate(tree.levels):
        for pruned, hypotheses in ((False, level.kept), (True, level.pruned)):
            for place, hypothesis in enumerate(hypotheses):
                found = tree.translation(number, place, pruned=pruned)
                expected = log_probability(translator, sources[0], found.ids)
                torch.testing.assert_close(torch.tensor(found.log_probabilities), expected, atol=1e-5, rtol=1e-5)
                assert math.isclose(hypothesis.total, float(expected.sum()), abs_tol=1e-4)
                assert hypothesis.length == len(found.ids)
                assert math.isclose(hypothesis.score, hypothesis.total / len(found.ids))


def test_what_is_kept_ranks_above_what_is_pruned_and_nothing_is_both(translator, sources):
    for level in beam_tree(translator, sources[1], 4).levels:
        scores = [hypothesis.score for hypothesis in (*level.kept, *level.pruned)]
        assert scores == sorted(scores, reverse=True)
        assert len(level.kept) == len(level.pruned) == 4
        assert len({(h.parent, h.piece) for h in (*level.kept, *level.pruned)}) == 8


def test_a_finished_hypothesis_waits_with_its_score_until_the_search_ends(translator, sources):
    pad_id, waited = translator.tokenizer.pad_id, 0
    for src in sources:
        levels = beam_tree(translator, src, 4).levels
        for before, level in pairwise(levels):
            for hypothesis in level.kept:
                parent = before.kept[hypothesis.parent]
                assert parent.finished == (hypothesis.piece == pad_id)
                if parent.finished:
                    waited += 1
                    assert hypothesis[2:] == (0, parent.total, parent.length, True)
    assert waited


def test_in_a_tiny_vocabulary_what_is_impossible_is_in_no_level(tokenizer):
    tree = beam_tree(random_translator(tokenizer, vocab_size=6), [4, 5, 3], 8)
    assert len(tree.levels[0].kept) == 3 and tree.levels[0].pruned == ()
    assert all(math.isfinite(h.total) for level in tree.levels for h in (*level.kept, *level.pruned))


def test_a_beam_may_prune_the_greedy_translation_though_it_would_have_been_the_best(tokenizer):
    # Why `answer` exists: beam search alone does not promise a score that is never below greedy decoding's.
    tree = beam_tree(random_translator(tokenizer, seed=39, end=1.5), [30, 8, 3], 4)
    assert tree.best.score < tree.greedy.score - 1e-4
    assert None in tree.greedy_places and tree.answer == tree.greedy


def test_the_greedy_path_is_followed_as_long_as_the_beam_keeps_it(translator, sources):
    for src in sources:
        tree = beam_tree(translator, src, 2)
        for number, place in enumerate(tree.greedy_places):
            beginnings = [tree.translation(number, i).ids for i in range(len(tree.levels[number].kept))]
            beginning = tree.greedy.ids[: number + 1]
            assert (place is None) == (beginning not in beginnings)
            assert place is None or beginnings[place] == beginning


def test_a_search_stops_at_the_limit_of_its_source_or_before_and_needs_a_beam(tokenizer, sources):
    endless = random_translator(tokenizer, end=-100)
    lengths = [len(beam_tree(endless, sources[0], 3, max_steps=steps).best.ids) for steps in (None, 99, 7)]
    assert lengths == [endless.limit(len(sources[0]))] * 2 + [7]
    tree = beam_tree(endless, sources[0], 3, max_steps=7)
    assert len(tree.levels) == len(tree.greedy.ids) == 7 and all(h.finished for h in tree.levels[-1].kept)
    with pytest.raises(UserError, match=r"^A beam needs at least 1 hypothesis, not 0\.$"):
        beam_tree(endless, sources[0], 0)
