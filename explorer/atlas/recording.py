"""What the model computes on the sentences of an atlas, recorded in batches through the probe.

Firings are kept, not all numbers: a neuron with ReLU is 0 at nine of ten positions. They go into one file for each
CHUNK sentences, so that work that was interrupted goes on where it stopped.
"""

import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float, Integer
from torch import Tensor

from explorer.atlas.corpus import Corpus
from model.cache import Cache
from model.decoding import Translator
from model.files import write_atomically
from model.probe import Kind, Probe, Site, Stack
from model.tokenizer import pad
from model.transformer import Encoded

CHUNK = 256  # sentences
TRANSLATED_AT_ONCE, READ_AT_ONCE = 256, 64  # sentences
STACKS: tuple[Stack, ...] = ("encoder", "decoder")


class Firings(NamedTuple):
    """All values of a layer's neurons that are above 0, in the order of the positions."""

    position: Integer[np.ndarray, "firing"]
    neuron: Integer[np.ndarray, "firing"]
    value: Float[np.ndarray, "firing"]


class StrongestArrows(NamedTuple):
    """The strongest arrow of every head of a layer in every sentence; weight 0 if there is none to a token."""

    query: Integer[np.ndarray, "sentence head"]
    key: Integer[np.ndarray, "sentence head"]
    weight: Float[np.ndarray, "sentence head"]


@dataclass(frozen=True, eq=False)
class Chunk:
    """What was recorded of some sentences; positions count from the first of them."""

    tgt_out: list[list[int]]
    firings: dict[tuple[Stack, int], Firings]
    arrows: dict[tuple[Kind, int], StrongestArrows]

    def save(self, path: Path) -> None:
        """Writes a file. Raises SaveError if it cannot be written."""
        arrays = {"ids": np.concatenate(self.tgt_out), "lengths": np.array([len(ids) for ids in self.tgt_out])}
        for (name, layer), record in [*self.firings.items(), *self.arrows.items()]:
            prefix = f"{type(record).__name__} {name} {layer}"
            arrays |= {f"{prefix} {field}": array for field, array in record._asdict().items()}
        file = io.BytesIO()
        np.savez(file, allow_pickle=False, **arrays)
        write_atomically(path, file.getbuffer())


class Recording:
    """The files of the work in a folder."""

    def __init__(self, folder: Path, count: int):
        self.paths = [folder / f"{start:06}.npz" for start in range(0, count, CHUNK)]

    def load(self, record: type[Firings] | type[StrongestArrows], name: Stack | Kind, layer: int) -> list[dict]:
        """The arrays of a layer, chunk by chunk."""
        loaded = []
        for path in self.paths:
            with np.load(path) as file:
                loaded.append({field: file[f"{record.__name__} {name} {layer} {field}"] for field in record._fields})
        return loaded

    def written(self) -> list[list[int]]:
        """What the model wrote for every sentence."""
        rows: list[list[int]] = []
        for path in self.paths:
            with np.load(path) as file:
                rows += [row.tolist() for row in np.split(file["ids"], file["lengths"].cumsum()[:-1])]
        return rows

    def firings(self, stack: Stack, layer: int, corpus: Corpus) -> Firings:
        """All firings of a layer."""
        positions, parts = corpus.positions(stack), self.load(Firings, stack, layer)
        for number, part in enumerate(parts):
            part["position"] = part["position"].astype(np.int64) + positions.start[number * CHUNK]
        return Firings(**{field: np.concatenate([part[field] for part in parts]) for field in Firings._fields})

    def arrows(self, kind: Kind, layer: int) -> StrongestArrows:
        """The strongest arrows of a layer's heads in all sentences."""
        parts = self.load(StrongestArrows, kind, layer)
        fields = StrongestArrows._fields
        return StrongestArrows(**{field: np.concatenate([part[field] for part in parts]) for field in fields})


def record(translator: Translator, sources: Sequence[list[int]], folder: Path) -> Iterable[int]:
    """Records what is not yet in the folder, and yields the number of sentences after every file."""
    for start in range(0, len(sources), CHUNK):
        path, chunk = folder / f"{start:06}.npz", sources[start : start + CHUNK]
        if not path.exists():
            record_chunk(translator, chunk).save(path)
        yield len(chunk)


def record_chunk(translator: Translator, sources: Sequence[list[int]]) -> Chunk:
    """Translates sentences greedily and records all layers and heads in one pass over sentence and translation."""
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]))
    tgt_out: list[list[int]] = [[] for _ in sources]
    for rows in batches(order, TRANSLATED_AT_ONCE):
        for i, ids in zip(rows, translate(translator, [sources[i] for i in rows]), strict=True):
            tgt_out[i] = ids
    corpus = Corpus([*sources], tgt_out, translator.tokenizer.bos_id)
    visitor = Visitor(translator, corpus)
    for rows in batches(order, READ_AT_ONCE):
        visitor.read(rows)
    return visitor.chunk()


def translate(translator: Translator, sources: Sequence[list[int]]) -> list[list[int]]:
    """Greedy translations, with EOS unless one stops at its limit of steps: the ids of `Translator.steps` alone.

    A finished sentence leaves the batch, which saves half of the time, and no other piece's probability is computed.
    """
    tokenizer, model = translator.tokenizer, translator.model
    written: list[list[int]] = [[] for _ in sources]
    going, cache = [*range(len(sources))], Cache(model.config.n_decoder_layers)
    with translator.inference():
        encoded = model.encode(pad([*sources], tokenizer.pad_id).to(translator.device))
        encoded = Encoded(encoded.memory, encoded.mask, [])
        fed = torch.full((len(going), 1), tokenizer.bos_id, device=translator.device)
        while going:
            logits = model.decode(fed, encoded, cache).logits[:, -1]
            logits[:, translator.excluded_ids] = -math.inf
            best = logits.argmax(dim=-1)
            for row, token in zip(going, best.tolist(), strict=True):
                written[row].append(token)
            kept = [i for i, row in enumerate(going) if not is_finished(translator, sources[row], written[row])]
            indices = torch.tensor(kept, dtype=torch.long, device=translator.device)
            if 0 < len(kept) < len(going):
                cache.select(indices)
                encoded = encoded.select(indices)
            going, fed = [going[i] for i in kept], best[indices, None]
    return written


def is_finished(translator: Translator, src: Sequence[int], written: Sequence[int]) -> bool:
    return written[-1] == translator.tokenizer.eos_id or len(written) == translator.limit(len(src))


def batches(order: Sequence[int], size: int) -> list[Sequence[int]]:
    return [order[start : start + size] for start in range(0, len(order), size)]


class Visitor:
    """Visits the tensors of batches and keeps the firings and the strongest arrows."""

    def __init__(self, translator: Translator, corpus: Corpus):
        self.translator, self.corpus = translator, corpus
        self.rows: Sequence[int] = []
        self.parts: dict[tuple[Stack, int], list[Firings]] = {}
        self.arrows: dict[tuple[Kind, int], StrongestArrows] = {}

    def read(self, rows: Sequence[int]) -> None:
        """Runs the model on some sentences."""
        self.rows, pad_id = rows, self.translator.tokenizer.pad_id
        src, tgt_in = (
            pad([self.corpus.read_by(stack)[i] for i in rows], pad_id).to(self.translator.device) for stack in STACKS
        )
        with self.translator.inference():
            self.translator.model(src, tgt_in, Probe(self.visit))

    def visit(self, site: Site, tensor: Tensor) -> None:
        if site.layer is None:
            return
        if site.tensor == "hidden":
            self.keep_firings(site.stack, site.layer, tensor)
        elif site.tensor == "weights":
            kind: Kind = "cross" if site.sublayer == "cross_attention" else site.stack
            self.keep_arrows(kind, site.layer, tensor.cpu().numpy())

    def lengths(self, stack: Stack) -> Integer[np.ndarray, "row"]:
        return np.array([len(self.corpus.read_by(stack)[i]) for i in self.rows])

    def keep_firings(self, stack: Stack, layer: int, hidden: Float[Tensor, "row position d_ff"]) -> None:
        """Padding, which lies behind a sentence's length, is left out."""
        columns = np.arange(hidden.size(1))
        is_token = columns < self.lengths(stack)[:, None]
        numbers = (self.corpus.positions(stack).start[[*self.rows]][:, None] + columns)[is_token]
        tokens = hidden[torch.from_numpy(is_token).to(hidden.device)]
        place, neuron = (tokens > 0).nonzero(as_tuple=True)
        neurons = neuron.cpu().numpy().astype(np.min_scalar_type(hidden.size(-1) - 1))
        part = Firings(numbers[place.cpu().numpy()].astype(np.uint32), neurons, tokens[place, neuron].cpu().numpy())
        self.parts.setdefault((stack, layer), []).append(part)

    def keep_arrows(self, kind: Kind, layer: int, weights: Float[np.ndarray, "row head query key"]) -> None:
        """Arrows to the start and the end of a sentence, where heads rest, are left out."""
        query_stack, key_stack = (
            ("encoder" if kind == "encoder" else "decoder"),
            ("decoder" if kind == "decoder" else "encoder"),
        )
        is_query = np.arange(weights.shape[2]) < self.lengths(query_stack)[:, None]
        allowed = is_query[:, None, :, None] & self.is_word(key_stack, weights.shape[3])[:, None, None, :]
        flat = np.where(allowed, weights, 0).reshape(*weights.shape[:2], -1)
        best = flat.argmax(axis=-1)
        if (kind, layer) not in self.arrows:
            shape = (len(self.corpus), weights.shape[1])
            empty = (np.zeros(shape, dtype) for dtype in (np.uint16, np.uint16, np.float32))
            self.arrows[kind, layer] = StrongestArrows(*empty)
        kept = self.arrows[kind, layer]
        kept.query[[*self.rows]], kept.key[[*self.rows]] = np.divmod(best, weights.shape[3])
        kept.weight[[*self.rows]] = np.take_along_axis(flat, best[..., None], axis=-1)[..., 0]

    def is_word(self, stack: Stack, width: int) -> Bool[np.ndarray, "row position"]:
        """Where a token is that is neither the start nor the end of the sentence nor padding."""
        tokenizer, found = self.translator.tokenizer, np.zeros((len(self.rows), width), bool)
        for row, i in enumerate(self.rows):
            ids = self.corpus.read_by(stack)[i]
            found[row, : len(ids)] = ~np.isin(ids, (tokenizer.bos_id, tokenizer.eos_id))
        return found

    def chunk(self) -> Chunk:
        """What was kept of all batches."""
        return Chunk(self.corpus.tgt_out, {key: in_order(parts) for key, parts in self.parts.items()}, self.arrows)


def in_order(parts: Sequence[Firings]) -> Firings:
    """Firings of several batches in the order of the positions."""
    joined = Firings(*map(np.concatenate, zip(*parts, strict=True)))
    order = np.argsort(joined.position, kind="stable")
    return Firings(*(array[order] for array in joined))
