"""From a sentence to its translation: greedy decoding a step at a time, and batches with a beam.

Decoding is cached: each step feeds one piece and reuses the keys and values of those before it.
"""

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from model.cache import Cache
from model.errors import UserError
from model.languages import Languages, languages_of
from model.probe import NO_PROBE, Probe
from model.tidying import RULES, rules_of
from model.tokenizer import Tokenizer, pad
from model.transformer import Decoded, Encoded, Transformer

N_CANDIDATES = 10


class Candidate(NamedTuple):
    """A possible next piece, and its probability."""

    id: int
    probability: float


@dataclass(frozen=True, eq=False)
class Step:
    """One step of decoding: the chosen piece, the alternatives, and the attention."""

    id: int
    probability: float
    log_probability: float  # natural logarithm, exact even if the probability is too small for a float
    rank: int  # how many pieces were more probable
    candidates: tuple[Candidate, ...]  # the most probable pieces, best first
    entropy: float  # of the whole distribution, in bits
    excluded: Candidate | None  # the most probable piece of all, if no translation may contain it
    self_attention: Float[Tensor, "layer head fed"]  # to the pieces fed so far
    cross_attention: Float[Tensor, "layer head src"]


def distribution(logits: Float[Tensor, "*position vocab"], probe: Probe = NO_PROBE) -> Float[Tensor, "*position vocab"]:
    """The probability of every piece of the vocabulary to come next: the softmax of the logits."""
    return probe.at(stack="decoder")("probabilities", logits.softmax(dim=-1))


def excluded_candidate(ids: Sequence[int], log_odds: Sequence[float], best: float) -> Candidate | None:
    """The excluded piece that the model found more probable than all others, and its probability; None if none was.

    `log_odds` are those of the excluded pieces against all others together, of which the best has the share `best`.
    """
    log_odd, piece = max(zip(log_odds, ids, strict=True))
    if not log_odd > math.log(best):  # nor where there are no numbers
        return None
    return Candidate(piece, 1 / (math.exp(-log_odd) + sum(math.exp(other - log_odd) for other in log_odds)))


def steps_of(
    logits: Float[Tensor, "row vocab"],
    excluded_ids: Sequence[int],
    *,
    self_attention: Sequence[Float[Tensor, "layer head _"]],
    cross_attention: Sequence[Float[Tensor, "layer head _"]],
    chosen: Sequence[int] | None = None,
) -> list[Step]:
    """The step of every row of logits; without `chosen` it chooses the most probable piece.

    Excluded pieces get the logit minus infinity here, before the softmax, so that all probabilities count the others.
    """
    never = torch.tensor(excluded_ids, device=logits.device)
    excluded = logits.index_select(1, never)
    logits = logits.index_fill(1, never, -math.inf)
    probabilities = distribution(logits)
    best, ids = probabilities.topk(min(N_CANDIDATES, logits.size(-1)))
    entropy = torch.special.entr(probabilities).sum(dim=-1, keepdim=True) / math.log(2)
    if chosen is None:
        pieces, ranks, probability = ids[:, :1], [0] * len(logits), best[:, :1]
    else:
        pieces = torch.tensor(chosen, device=logits.device)[:, None]
        ranks = (logits > logits.gather(1, pieces)).sum(dim=-1).tolist()
        probability = probabilities.gather(1, pieces)
    total = logits.gather(1, ids[:, :1]) - best[:, :1].log()  # the logarithm of the softmax's denominator
    log_probability, log_odds = logits.gather(1, pieces) - total, excluded - total
    # Two transfers in all, because on a GPU the host waits for each.
    integers = torch.cat((pieces, ids), dim=1).tolist()
    floats = torch.cat((probability, log_probability, entropy, best, log_odds), dim=1).tolist()
    rows = zip(integers, floats, ranks, self_attention, cross_attention, strict=True)
    steps = []
    for (piece, *others), (chance, log_chance, bits, *rest), rank, self_weights, cross in rows:
        candidates = tuple(map(Candidate, others, rest))
        wanted = excluded_candidate(excluded_ids, rest[len(others) :], rest[0])
        steps.append(Step(piece, chance, log_chance, rank, candidates, bits, wanted, self_weights, cross))
    return steps


@dataclass(frozen=True, eq=False)
class BeamStep:
    """One step of beam search in a batch: all continuations, and those that were kept, best first."""

    log_probability: Float[Tensor, "batch beam vocab"]  # of every piece after every kept hypothesis, in nats
    total: Float[Tensor, "batch beam vocab"]  # of the whole resulting hypothesis
    score: Float[Tensor, "batch beam vocab"]  # the total divided by its length
    kept: Int[Tensor, "batch beam"]  # their indices in beam * vocab
    ids: Int[Tensor, "row fed"]  # of the kept ones, BOS first; a row for each of batch * beam
    finished: Bool[Tensor, "row"]


@dataclass(frozen=True, eq=False)
class Translator:
    """A model and its tokenizer, ready to use in whatever mode the model is; `record` describes its training.

    `threads` are those in which torch computes. With more than one they wait for each other after every operation: on
    a quiet machine a sentence takes no less time, and on a busy one ten times as much (docs/hosting.md).
    """

    model: Transformer
    tokenizer: Tokenizer
    record: dict[str, Any] = field(default_factory=dict)
    threads: int = 1

    @contextmanager
    def inference(self) -> Iterator[None]:
        """In it the model runs without gradients, and so without dropout, in `threads` threads.

        The number of threads belongs to the whole process, and is what it was afterwards.
        """
        before = torch.get_num_threads()
        torch.set_num_threads(self.threads)
        try:
            with torch.inference_mode():
                yield
        finally:
            torch.set_num_threads(before)

    @property
    def languages(self) -> Languages:
        """The languages it reads and writes."""
        return languages_of(self.record)

    def tidy(self, text: str) -> str:
        """A source text, tidied by the rules that the record names, like those that the model learned from."""
        return RULES[rules_of(self.record)](text)

    @property
    def device(self) -> torch.device:
        return self.model.projection.weight.device

    @property
    def excluded_ids(self) -> list[int]:
        """The ids of pieces that no translation may contain, such as padding."""
        return self.tokenizer.excluded_ids

    @property
    def max_pieces(self) -> int:
        """The length of the longest sentence that the model takes, in pieces without EOS."""
        return self.model.config.max_len - 1

    def source_ids(self, text: str) -> list[int]:
        """The ids of a source sentence, with EOS. Raises UserError if there are none, or too many."""
        ids = self.tokenizer.encode(self.tidy(text))
        if not ids:
            raise UserError("There is nothing to translate.")
        if len(ids) > self.max_pieces:
            raise UserError(f"The text has {len(ids)} tokens; the model takes at most {self.max_pieces}.")
        return [*ids, self.tokenizer.eos_id]

    def limit(self, n_src: int) -> int:
        """The largest number of decoding steps for a source of `n_src` ids."""
        return min(self.model.config.max_len - 1, 2 * n_src + 16)

    def encode(self, src: Sequence[int], probe: Probe = NO_PROBE) -> Encoded:
        """The encoder's pass over one sentence."""
        with self.inference():
            return self.model.encode(torch.tensor([list(src)], device=self.device), probe)

    def decode(self, tgt_in: Sequence[int], encoded: Encoded, probe: Probe = NO_PROBE) -> Decoded:
        """The decoder's pass over one whole target, BOS first."""
        with self.inference():
            return self.model.decode(torch.tensor([list(tgt_in)], device=self.device), encoded, probe=probe)

    def steps(
        self,
        encoded: Encoded,
        *,
        min_steps: int = 0,
        max_steps: int | None = None,
        beginning: Sequence[int] = (),
        probe: Probe = NO_PROBE,
    ) -> Iterator[Step]:
        """Greedy decoding, step by step, up to EOS or `max_steps`; before `min_steps` EOS is not chosen.

        The pieces of a `beginning` are chosen however improbable they are; decoding goes on greedily from there.
        Padding, BOS and the unknown piece are never chosen: their probability is 0, like that of EOS before
        `min_steps`.
        """
        tokenizer, cache = self.tokenizer, Cache(self.model.config.n_decoder_layers)
        max_steps = self.limit(encoded.memory.size(1)) if max_steps is None else max_steps
        fed = tokenizer.bos_id
        for number in range(max_steps):
            with self.inference():
                decoded = self.model.decode(torch.tensor([[fed]], device=self.device), encoded, cache, probe)
                logits = decoded.logits[0]
                if number < min_steps:
                    logits = logits.index_fill(1, torch.tensor(tokenizer.eos_id, device=self.device), -math.inf)
                self_weights, cross = torch.cat(decoded.self_attention), torch.cat(decoded.cross_attention)
                (step,) = steps_of(
                    logits,
                    self.excluded_ids,
                    self_attention=[self_weights[:, :, 0]],
                    cross_attention=[cross[:, :, 0]],
                    chosen=[beginning[number]] if number < len(beginning) else None,
                )
            yield step
            fed = step.id
            if fed == tokenizer.eos_id:
                return

    def forced_steps(self, encoded: Encoded, tgt_out: Sequence[int], probe: Probe = NO_PROBE) -> list[Step]:
        """The steps that choose the pieces of `tgt_out`, however improbable (teacher forcing), in one pass."""
        with self.inference():
            decoded = self.decode([self.tokenizer.bos_id, *tgt_out[:-1]], encoded, probe)
            self_weights, cross = torch.cat(decoded.self_attention), torch.cat(decoded.cross_attention)
            return steps_of(
                decoded.logits[0],
                self.excluded_ids,
                self_attention=[self_weights[:, :, t, : t + 1] for t in range(len(tgt_out))],
                cross_attention=cross.unbind(dim=2),
                chosen=tgt_out,
            )

    def translate(
        self,
        texts: Sequence[str],
        beam: int = 1,
        batch_size: int = 32,
        progress: Callable[[range], Iterable[int]] = iter,
    ) -> list[str]:
        """Translates many sentences, longest first, in batches; a beam of 1 is greedy decoding.

        `progress` wraps the range of the batches' starts, as tqdm does.
        """
        sources = [self.source_ids(text) for text in texts]
        order = sorted(range(len(texts)), key=lambda i: -len(sources[i]))
        translations = [""] * len(texts)
        for start in progress(range(0, len(order), batch_size)):
            rows = order[start : start + batch_size]
            src = pad([sources[i] for i in rows], self.tokenizer.pad_id).to(self.device)
            for i, ids in zip(rows, self.beam_search(src, beam), strict=True):
                translations[i] = self.tokenizer.decode(ids)
        return translations

    def beam_search(self, src: Int[Tensor, "batch src"], beam: int) -> list[list[int]]:
        """The best translation of each source, without BOS and EOS (see `beam_steps`)."""
        (last,) = deque(self.beam_steps(src, beam), maxlen=1)
        # The hypotheses of a sentence are in order of rank.
        return [self.clean(row) for row in last.ids[::beam, 1:].tolist()]

    def beam_steps(self, src: Int[Tensor, "batch src"], beam: int, max_steps: int | None = None) -> Iterator[BeamStep]:
        """Beam search, step by step, until all hypotheses are finished.

        A hypothesis is ranked by its log-probability divided by its length, EOS included. A finished one stays in the
        beam and is continued with padding. At the limit of its source, or after `max_steps` if that is less, every
        hypothesis is finished.
        """
        tokenizer, batch = self.tokenizer, len(src)
        rows = torch.arange(batch, device=self.device).repeat_interleave(beam)
        with self.inference():
            encoded, cache = self.model.encode(src).select(rows), Cache(self.model.config.n_decoder_layers)
        ids = torch.full((batch * beam, 1), tokenizer.bos_id, device=self.device)
        # All hypotheses start equal, so only the first may be continued.
        so_far = torch.full((batch, beam), -math.inf, device=self.device)
        so_far[:, 0] = 0
        finished = torch.zeros(batch * beam, dtype=torch.bool, device=self.device)
        lengths = (src != tokenizer.pad_id).sum(dim=1).tolist()
        limits = torch.tensor([self.limit(length) for length in lengths], device=self.device)[rows]
        limits = limits if max_steps is None else limits.clamp(max=max_steps)
        for number in range(1, int(limits.max()) + 1):
            with self.inference():
                logits = self.model.decode(ids[:, -1:], encoded, cache).logits[:, -1]
                logits[:, self.excluded_ids] = -math.inf
                log_probability = logits.log_softmax(dim=-1)
                log_probability[finished] = -math.inf
                log_probability[finished, tokenizer.pad_id] = 0
                total = so_far[:, :, None] + log_probability.view(batch, beam, -1)
                length = (ids[:, 1:] != tokenizer.pad_id).sum(dim=1) + ~finished
                score = total / length.view(batch, beam, 1)
                kept = score.flatten(1).topk(beam).indices
                so_far = total.flatten(1).gather(1, kept)
                vocab = log_probability.size(-1)
                parent = (kept // vocab + torch.arange(batch, device=self.device)[:, None] * beam).flatten()
                ids = torch.cat((ids[parent], (kept % vocab).view(-1, 1)), dim=1)
                finished = finished[parent] | (ids[:, -1] == tokenizer.eos_id) | (number >= limits)
                cache.select(parent)
            yield BeamStep(log_probability.view_as(total), total, score, kept, ids, finished)
            if finished.all():
                return

    def clean(self, ids: Sequence[int]) -> list[int]:
        """The ids before EOS or padding."""
        ends = (self.tokenizer.eos_id, self.tokenizer.pad_id)
        return list(ids[: next((i for i, piece in enumerate(ids) if piece in ends), len(ids))])


def decoding_name(beam: int) -> str:
    """What records call decoding with a beam of this size."""
    return "greedy" if beam == 1 else f"beam {beam}"


def slice_sentence(encoded: Encoded, row: int, n_src: int) -> Encoded:
    """One sentence of a batch without its padding, as a view."""
    rows = slice(row, row + 1)
    attention = [weights[rows, :, :n_src, :n_src] for weights in encoded.attention]
    return Encoded(encoded.memory[rows, :n_src], encoded.mask[rows, :, :, :n_src], attention)


def batched_steps(
    translator: Translator, sources: Sequence[Sequence[int]], max_steps: Sequence[int]
) -> list[tuple[Encoded, list[Step]]]:
    """Greedy decoding of several sentences together: what `encode` and `steps` return for each source alone.

    Each has its own limit of steps, and leaves the batch when it is finished. Padding is masked, so that it changes no
    number beyond the rounding of larger matrix products.
    """
    with translator.inference():
        tokenizer, lengths = translator.tokenizer, [len(src) for src in sources]
        whole = translator.model.encode(pad([list(src) for src in sources], tokenizer.pad_id).to(translator.device))
        steps: list[list[Step]] = [[] for _ in sources]
        going = [row for row, limit in enumerate(max_steps) if limit > 0]
        cache = Cache(translator.model.config.n_decoder_layers)
        encoded = Encoded(whole.memory, whole.mask, [])  # decoding does not need the encoder's weights
        if len(going) < len(sources):
            encoded = encoded.select(torch.tensor(going, dtype=torch.long, device=translator.device))
        fed = torch.full((len(going), 1), tokenizer.bos_id, device=translator.device)
        while going:
            new = next_batched_steps(translator, encoded, cache, fed, [lengths[row] for row in going])
            for row, step in zip(going, new, strict=True):
                steps[row].append(step)
            kept = [
                index
                for index, (row, step) in enumerate(zip(going, new, strict=True))
                if step.id != tokenizer.eos_id and len(steps[row]) < max_steps[row]
            ]
            if 0 < len(kept) < len(going):
                indices = torch.tensor(kept, device=translator.device)
                cache.select(indices)
                encoded = encoded.select(indices)
            going = [going[index] for index in kept]
            fed = torch.tensor([[new[index].id] for index in kept], device=translator.device)
        return [(slice_sentence(whole, row, n_src), steps[row]) for row, n_src in enumerate(lengths)]


def next_batched_steps(
    translator: Translator, encoded: Encoded, cache: Cache, fed: Int[Tensor, "row 1"], lengths: Sequence[int]
) -> list[Step]:
    """The next step of every row; `lengths` are those of the sources without padding."""
    decoded = translator.model.decode(fed, encoded, cache)
    self_weights, cross = (
        torch.stack(weights)[..., 0, :] for weights in (decoded.self_attention, decoded.cross_attention)
    )
    return steps_of(
        decoded.logits[:, 0],
        translator.excluded_ids,
        self_attention=self_weights.unbind(dim=1),
        cross_attention=[row[..., :n_src] for row, n_src in zip(cross.unbind(dim=1), lengths, strict=True)],
    )
