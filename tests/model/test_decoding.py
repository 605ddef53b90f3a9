"""Decoding: steps against naive recomputation, batches against single sentences, beams against brute force."""

import itertools
import math

import pytest
import torch
from cases import each_case
from reference import OPTIONS, SRC, TGT_IN, assert_near, sentences, tiny_model

from model.cache import Cache
from model.decoding import N_CANDIDATES, Step, Translator, batched_steps, steps_of
from model.errors import UserError
from model.probe import Probe
from model.tokenizer import Tokenizer, pad


def tiny_translator(tokenizer: Tokenizer, *, vocab_size: int = 0, never: tuple[int, ...] = (), **changes) -> Translator:
    """Random weights; the ids in `never` have next to no probability."""
    size = vocab_size or tokenizer.vocab_size
    model = tiny_model(src_vocab_size=size, tgt_vocab_size=size, **changes)
    with torch.no_grad():
        model.projection.bias[[tokenizer.pad_id, tokenizer.unk_id, tokenizer.bos_id, *never]] = -100
    return Translator(model, tokenizer)


@pytest.fixture(scope="module")
def english(corpus) -> list[str]:
    return corpus[:8]


@pytest.fixture(scope="module")
def translator(tokenizer, english) -> Translator:
    """Random weights, with an EOS just probable enough to end half of the sentences before the limit."""
    translator, lacking = tiny_translator(tokenizer, never=(tokenizer.eos_id,), max_len=32), []
    for sentence in english:
        encoded = translator.encode(translator.source_ids(sentence))
        ids = [step.id for step in translator.steps(encoded)]
        logits = translator.decode([tokenizer.bos_id, *ids[:-1]], encoded).logits[0]
        lacking.append((logits.amax(dim=1) - logits[:, tokenizer.eos_id]).min())
    with torch.no_grad():
        translator.model.projection.bias[tokenizer.eos_id] += torch.stack(lacking).median() + 1e-3
    return translator


def naive_distributions(translator: Translator, src: list[int]) -> list[torch.Tensor]:
    """Every step's distribution, from a full pass over source and target each time."""
    tgt, distributions = [translator.tokenizer.bos_id], []
    while len(tgt) <= translator.limit(len(src)) and tgt[-1] != translator.tokenizer.eos_id:
        with torch.inference_mode():
            logits = translator.model(torch.tensor([src]), torch.tensor([tgt])).logits[0, -1]
        distributions.append(logits.softmax(dim=-1))
        tgt.append(int(logits.argmax()))
    return distributions


def step_from(weights: list[float], chosen: int | None = None, excluded: float = 0) -> Step:
    """The step of a distribution in proportion to the weights and that of one more, excluded piece."""
    logits, nothing = torch.tensor([[*weights, excluded]]).log(), [torch.zeros(1, 1, 1)]
    pieces = None if chosen is None else [chosen]
    (step,) = steps_of(logits, [len(weights)], self_attention=nothing, cross_attention=nothing, chosen=pieces)
    return step


def greedy(translator: Translator, src: list[int]) -> list[int]:
    return [step.id for step in translator.steps(translator.encode(src))]


def rank(translator: Translator, src: list[int], ids: list[int]) -> float:
    """Log-probability divided by length, of ids that end with EOS or at the limit; from one full pass."""
    tgt_in = torch.tensor([[translator.tokenizer.bos_id, *ids[:-1]]])
    with torch.inference_mode():
        logits = translator.model(torch.tensor([src]), tgt_in).logits[0]
    return float(logits.log_softmax(dim=-1)[range(len(ids)), ids].mean())


def best(translator: Translator, src: list[int], beam: int) -> list[int]:
    """What beam search finds, with the EOS that it cuts off unless the limit came first."""
    (ids,) = translator.beam_search(torch.tensor([src]), beam)
    return ids if len(ids) == translator.limit(len(src)) else [*ids, translator.tokenizer.eos_id]


def naive_beam_search(translator: Translator, src: list[int], beam: int) -> list[int]:
    """Lists instead of tensors, one sentence, full passes; a finished hypothesis stays as it is."""
    eos_id, hypotheses = translator.tokenizer.eos_id, [([], 0.0)]
    for _ in range(translator.limit(len(src))):
        options = [hypothesis for hypothesis in hypotheses if hypothesis[0][-1:] == [eos_id]]
        for ids, score in hypotheses:
            if ids[-1:] != [eos_id]:
                logits = translator.decode([translator.tokenizer.bos_id, *ids], translator.encode(src)).logits[0, -1]
                options += [([*ids, i], score + float(p)) for i, p in enumerate(logits.log_softmax(dim=-1))]
        hypotheses = sorted(options, key=lambda option: -option[1] / len(option[0]))[:beam]
    return hypotheses[0][0]


def test_cached_steps_equal_naive_recomputation_step_by_step(translator, english):
    lengths = set()
    for sentence in english:
        src = translator.source_ids(sentence)
        steps = list(translator.steps(translator.encode(src)))
        for step, distribution in zip(steps, naive_distributions(translator, src), strict=True):
            assert step.id == distribution.argmax()
            assert abs(step.probability - distribution[step.id]) < 1e-6
            assert all(abs(probability - distribution[i]) < 1e-6 for i, probability in step.candidates)
        lengths.add(len(steps))
    assert len(lengths) > 1, "some translations must end by themselves for this to mean much"


def test_a_probe_keeps_the_logits_that_it_was_shown(translator, english):
    seen = []
    visit = Probe(lambda site, tensor: seen.append(tensor) if site.tensor == "logits" else None)
    list(translator.steps(translator.encode(translator.source_ids(english[0])), min_steps=2, max_steps=3, probe=visit))
    assert len(seen) == 3 and all(logits.isfinite().all() for logits in seen)


def test_candidates_are_the_most_probable_pieces_in_order_whichever_was_chosen():
    step = step_from([0.05, 0.2, *[0.01] * 10, 0.65], chosen=1)
    assert (step.id, step.rank) == (1, 1) and math.isclose(step.probability, 0.2, rel_tol=1e-6)
    assert [candidate.id for candidate in step.candidates[:3]] == [12, 1, 0]
    assert len(step.candidates) == N_CANDIDATES and math.isclose(step.candidates[0].probability, 0.65, rel_tol=1e-6)


@each_case("chosen", [None, 0, 1])
def test_a_step_names_the_excluded_piece_that_the_model_wanted_most(chosen):
    step = step_from([1, 2, 1], chosen, excluded=16)
    assert step.excluded is not None and step.excluded == pytest.approx((3, 0.8))
    assert step.probability == pytest.approx([0.25, 0.5][step.id]) and step.id == (1 if chosen is None else chosen)
    assert step_from([1, 2, 1], chosen, excluded=1.9).excluded is None


@each_case(("weights", "bits"), [([1] * 8, 3.0), ([2, 1, 1], 1.5), ([1, 0, 0, 0], 0.0)])
def test_entropy_is_measured_in_bits(weights, bits):
    assert math.isclose(step_from(weights).entropy, bits, abs_tol=1e-6)


def test_before_min_steps_the_end_is_not_chosen(tokenizer):
    translator, src = tiny_translator(tokenizer), [5, tokenizer.eos_id]
    with torch.no_grad():
        translator.model.projection.bias[tokenizer.eos_id] = 100
    assert greedy(translator, src) == [tokenizer.eos_id]
    steps = list(translator.steps(translator.encode(src), min_steps=5))
    assert [step.id for step in steps].index(tokenizer.eos_id) == 5 and len(steps) == 6
    assert (tokenizer.eos_id, 0.0) in steps[0].candidates or tokenizer.eos_id not in dict(steps[0].candidates)


def test_decoding_stops_at_max_steps_or_at_the_limit(tokenizer):
    translator = tiny_translator(tokenizer, never=(tokenizer.eos_id,), max_len=40)
    encoded = translator.encode([5, tokenizer.eos_id])
    assert len(list(translator.steps(encoded, max_steps=7))) == 7
    assert list(translator.steps(encoded, max_steps=0)) == []
    assert len(list(translator.steps(encoded))) == translator.limit(2) == 20
    assert len(greedy(translator, [5] * 15)) == translator.limit(15) == 39


def test_a_sentence_of_just_the_models_length_is_translated_and_a_longer_one_refused(tokenizer, english):
    count = len(tokenizer.encode(english[0]))
    fitting, short = (tiny_translator(tokenizer, max_len=length) for length in (count + 1, count))
    src = fitting.source_ids(english[0])
    assert src == [*tokenizer.encode(english[0]), tokenizer.eos_id]
    assert len(greedy(fitting, src)) <= count and fitting.translate([english[0]], 2)
    with pytest.raises(UserError, match=rf"^The text has {count} tokens; the model takes at most {count - 1}\.$"):
        short.translate(english[:1])


@each_case("beam", [1, 3])
def test_a_batch_is_translated_as_its_sentences_one_by_one_in_order(translator, english, beam):
    together = translator.translate(english, beam, batch_size=3)
    assert together == [translator.translate([sentence], beam)[0] for sentence in english]
    assert len(set(together)) > 3


@each_case("beam", [1, 3])
def test_beam_search_equals_a_naive_one_without_cache_and_batch(translator, english, beam):
    for sentence in english[:3]:
        src = translator.source_ids(sentence)
        assert best(translator, src, beam) == naive_beam_search(translator, src, beam)


def test_an_exhaustive_beam_finds_the_best_of_all_sequences(tokenizer):
    translator = tiny_translator(tokenizer, vocab_size=6, max_len=5)
    pieces = [i for i in range(6) if i not in (*translator.excluded_ids, tokenizer.eos_id)]
    finished = ([*ids, tokenizer.eos_id] for n in range(4) for ids in itertools.product(pieces, repeat=n))
    everything = [*finished, *map(list, itertools.product(pieces, repeat=4))]
    for src in ([4, 5, 3], [5, 3]):
        assert best(translator, src, 4**4) == max(everything, key=lambda ids: rank(translator, src, ids))


@each_case("beam", [1, 3])
def test_padding_start_and_the_unknown_piece_are_never_chosen(tokenizer, beam):
    translator = tiny_translator(tokenizer, never=(tokenizer.eos_id,), max_len=12)
    banned = [tokenizer.pad_id, tokenizer.unk_id, tokenizer.bos_id]
    with torch.no_grad():
        translator.model.projection.bias[banned] = 100
    src = torch.tensor([[5, 9, 11, 3]])
    ids = [*translator.beam_search(src, beam)[0], *greedy(translator, src[0].tolist())]
    assert len(ids) == 2 * 11 and not set(ids) & set(banned)


def test_an_endless_sentence_is_translated_the_same_beside_longer_ones(tokenizer):
    translator = tiny_translator(tokenizer, never=(tokenizer.eos_id,), max_len=40)
    sources = [[5, 9, 11, 3], [30, 3], [8, 8, 40, 41, 42, 3]]
    together = translator.beam_search(pad(sources, tokenizer.pad_id), 4)
    assert together == [translator.beam_search(torch.tensor([src]), 4)[0] for src in sources]


def test_what_stands_behind_the_end_is_dropped(translator):
    eos, pad_id = translator.tokenizer.eos_id, translator.tokenizer.pad_id
    assert translator.clean([7, 8, eos, pad_id]) == [7, 8]
    assert translator.clean([eos, 9]) == translator.clean([]) == []
    assert translator.clean([7, 8]) == [7, 8]


@each_case("text", ["", "   \n"])
def test_an_empty_text_is_refused(translator, text):
    with pytest.raises(UserError, match=r"^There is nothing to translate\.$"):
        translator.translate(["The cat sleeps.", text])


def test_every_step_brings_the_attention_that_a_pass_over_the_whole_sentence_has(translator, english):
    encoded = translator.encode(translator.source_ids(english[1]))
    steps = list(translator.steps(encoded))
    forced = translator.forced_steps(encoded, [step.id for step in steps])
    decoded = translator.decode([translator.tokenizer.bos_id, *(step.id for step in steps[:-1])], encoded)
    self_attention, cross = torch.cat(decoded.self_attention), torch.cat(decoded.cross_attention)
    for t, (step, same) in enumerate(zip(steps, forced, strict=True)):
        for found in (step, same):
            torch.testing.assert_close(found.self_attention, self_attention[:, :, t, : t + 1], atol=1e-6, rtol=0)
            torch.testing.assert_close(found.cross_attention, cross[:, :, t], atol=1e-6, rtol=0)


def assert_rows_equal(decoded, whole, start: int, end: int) -> None:
    """Logits and weights of the positions from `start` to `end`, against those of one pass."""
    assert_near(decoded.logits, whole.logits[:, start:end])
    assert_near(decoded.self_attention, [x[:, :, start:end, :end] for x in whole.self_attention])
    assert_near(decoded.cross_attention, [x[:, :, start:end] for x in whole.cross_attention])


@each_case("chunk", [1, 2])
@each_case("changes", OPTIONS)
def test_cached_decoding_equals_one_pass(changes, chunk):
    model, tgt_in = tiny_model(**changes), sentences(5, 6, 3, vocab_size=25)
    encoded, cache = model.encode(SRC), Cache(model.config.n_decoder_layers)
    whole = model.decode(tgt_in, encoded)
    for start in range(0, 6, chunk):
        decoded = model.decode(tgt_in[:, start : start + chunk], encoded, cache)
        assert_rows_equal(decoded, whole, start, start + chunk)


def test_cached_decoding_goes_on_with_the_sentences_selected():
    model, cache, rows = tiny_model(), Cache(2), torch.tensor([2, 0, 0, 1])
    encoded = model.encode(SRC)
    model.decode(TGT_IN[:, :3], encoded, cache)
    cache.select(rows)
    selected = encoded.select(rows)
    continued = model.decode(TGT_IN[rows, 3:], selected, cache)
    assert_near(selected.attention, model.encode(SRC[rows]).attention, within=1e-6)
    assert_rows_equal(continued, model(SRC[rows], TGT_IN[rows]), 3, 6)


LENGTHS = [3, 31, 9, 1, 17]


@pytest.fixture(scope="module")
def ending(tokenizer) -> Translator:
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


def test_sentences_of_very_different_lengths_are_decoded_as_alone(ending, sources):
    limits = [ending.limit(len(src)) for src in sources]
    found = assert_as_alone(ending, sources, limits)
    ended = [ids[-1] == ending.tokenizer.eos_id for ids in found]
    assert True in ended and len({len(ids) for ids in found}) > 2, "rows must leave at different steps to mean much"
    never = {ending.tokenizer.pad_id, ending.tokenizer.unk_id, ending.tokenizer.bos_id}
    assert not never.intersection(*found)


def test_each_stops_at_its_own_limit(ending, sources):
    limits = [2, 5, 0, 1, 30]
    found = assert_as_alone(ending, sources, limits)
    assert all(len(ids) <= limit for ids, limit in zip(found, limits, strict=True))
    assert any(len(ids) == limit > 1 for ids, limit in zip(found, limits, strict=True))
    assert batched_steps(ending, sources[:1], [0])[0][1] == []
