"""Everything about one translation, as plain arrays and words: the border between tensors and pictures.

    from explorer.recording.trace import record
    from model import checkpoint
    trace = record(checkpoint.load(), "A man is riding a bicycle.")
    trace.cross.weights[layer, head]   # [query, key], rows labelled trace.cross.queries

Every decoding step returns its row of attention, so recording needs no further pass. With a causal mask, row t of one
pass over the finished translation is the same (`explorer.recording.forward_pass`).
"""

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, NamedTuple, SupportsIndex

import numpy as np
import torch
from jaxtyping import Float

from explorer.recording import words
from explorer.ui.scripts import BLANK, add_mark_base, isolate
from model.decoding import Candidate, Step, Translator, batched_steps
from model.errors import UserError
from model.languages import ENGLISH_TO_GERMAN, Languages
from model.probe import KINDS, Kind
from model.tokenizer import WORD_START
from model.transformer import Encoded

# Measured with tracemalloc on five sentences of 3 to 81 pieces and the shipped model: 290 to 330 for each piece that is
# shown in source or candidates, its text and its numbers included; 3.9 kB for a step.
PIECE_BYTES = 330

Choice = int | Literal["mean", "max"]  # one layer or head, or a reduction over all of them


class Piece(NamedTuple):
    """A piece as shown on an axis, and its id."""

    text: str
    id: int
    unknown: bool = False
    special: bool = False  # the start and the end of a sentence, which the tokenizer adds
    starts_word: bool = True

    @property
    def isolated(self) -> "Piece":
        """The piece wrapped in directional isolates, for a sentence of another direction."""
        return self._replace(text=isolate(self.text))


class Query(NamedTuple):
    """The label of a row of attention: the piece fed and, in the decoder, the piece predicted from it."""

    fed: Piece
    predicted: Piece | None = None

    @property
    def label(self) -> str:
        return self.fed.text if self.predicted is None else f"{self.fed.text} → {self.predicted.text}"

    @property
    def shown(self) -> str:
        """The label with isolated pieces, so that the arrow points from the first to the second in any script."""
        return self._replace(
            fed=self.fed.isolated, predicted=None if self.predicted is None else self.predicted.isolated
        ).label

    @property
    def special(self) -> bool:
        return self.fed.special or (self.predicted is not None and self.predicted.special)


class ShownCandidate(NamedTuple):
    """A piece that could have come next, and its probability."""

    piece: Piece
    probability: float


class ShownStep(NamedTuple):
    """One decoding step: fed `fed`, the model chose `predicted`."""

    fed: Piece
    predicted: Piece
    probability: float
    candidates: tuple[ShownCandidate, ...]  # best first
    entropy: float  # bits
    log_probability: float  # of `predicted`, natural logarithm
    rank: int  # how many pieces were more probable than `predicted`
    excluded: ShownCandidate | None = None  # what the model wanted most, if no translation may contain it


@dataclass(frozen=True, eq=False)
class AttentionMap:
    """The weights of all layers and heads of one kind, with the labels of both axes."""

    weights: Float[np.ndarray, "layer head query key"]
    queries: tuple[Query, ...]
    keys: tuple[Piece, ...]

    def __post_init__(self):
        if self.weights.shape[2:] != (len(self.queries), len(self.keys)):
            raise ValueError(
                f"weights {list(self.weights.shape)} do not fit {len(self.queries)} queries and {len(self.keys)} keys"
            )

    @property
    def special(self) -> tuple[list[int], list[int]]:
        """The rows and columns of special pieces."""
        rows = [row for row, query in enumerate(self.queries) if query.special]
        return rows, [column for column, piece in enumerate(self.keys) if piece.special]

    def matrix(self, layer: Choice, head: Choice) -> Float[np.ndarray, "query key"]:
        """One head's weights, or the mean or maximum over all heads, all layers or both: heads first."""
        return reduce_axis(reduce_axis(self.weights, head, axis=1), layer, axis=0)


@dataclass(frozen=True, eq=False)
class Trace:
    """Everything recorded about one translation."""

    sentence: str
    translation: str
    source: tuple[Piece, ...]
    target: tuple[Piece, ...]  # what the decoder was fed, the start first
    steps: tuple[ShownStep, ...]
    encoder: AttentionMap
    decoder: AttentionMap
    cross: AttentionMap
    stopped_at_limit: bool
    vocabulary: int  # pieces that a step chooses from
    languages: Languages = ENGLISH_TO_GERMAN
    fit: dict[str, Any] | None = None  # of the likelihood (explorer/recording/likelihood.py), if the model chose freely

    # How a notebook shows a trace. explorer.notebook.view sets both, because it stands above this module.
    view: ClassVar[Callable[..., Any]]
    _repr_mimebundle_: ClassVar[Callable[..., dict[str, str]]]

    @property
    def log_probability(self) -> float:
        """The natural log-probability of the whole translation, its end included."""
        return sum(step.log_probability for step in self.steps)

    def memory(self) -> int:
        """Bytes of the weights and of the steps' objects."""
        shown = len(self.source) + sum(1 + len(step.candidates) + bool(step.excluded) for step in self.steps)
        return sum(self.map(kind).weights.nbytes for kind in KINDS) + shown * PIECE_BYTES

    def map(self, kind: Kind) -> AttentionMap:
        """The map of a kind. Raises UserError if there is none of that name."""
        return {"encoder": self.encoder, "decoder": self.decoder, "cross": self.cross}[parse_kind(kind)]


def parse_kind(name: str) -> Kind:
    """The kind of attention of that name. Raises UserError if there is none."""
    if name not in KINDS:
        kinds = {"kinds": ", ".join(KINDS[:-1]), "last": KINDS[-1]}
        raise UserError(words.REFUSALS["kind"].format(**kinds, value=name))
    return name


def record(translator: Translator, sentence: str, *, min_steps: int = 0, max_steps: int | None = None) -> Trace:
    """Translates greedily and records every step, layer and head.

    `min_steps` and `max_steps` force the length, for benchmarks. Raises UserError if the text is empty or
    too long.
    """
    src = translator.source_ids(sentence)
    encoded = translator.encode(src)
    steps = list(translator.steps(encoded, min_steps=min_steps, max_steps=max_steps))
    return with_fit(translator, build_trace(translator, sentence, src, encoded, steps))


def record_batch(translator: Translator, sentences: Sequence[str], max_steps: Sequence[int]) -> list[Trace]:
    """The traces of sentences with their own limits, as from `record`, decoded as one batch.

    Raises UserError if a text is empty or too long.
    """
    if len(sentences) < 2:  # nothing to decode together
        return [record(translator, text, max_steps=limit) for text, limit in zip(sentences, max_steps, strict=True)]
    sources = [translator.source_ids(sentence) for sentence in sentences]
    decoded = batched_steps(translator, sources, max_steps)
    return [
        with_fit(translator, build_trace(translator, sentence, src, encoded, steps))
        for sentence, src, (encoded, steps) in zip(sentences, sources, decoded, strict=True)
    ]


def with_fit(translator: Translator, trace: Trace) -> Trace:
    """The trace of the model's own choices, with the fit of their likelihood."""
    return replace(trace, fit=translator.record.get("likelihood"))


def record_forced(translator: Translator, sentence: str, tgt_out: Sequence[int]) -> Trace:
    """Records what the model attends to when it is fed a translation instead of its own choices (teacher forcing).

    `tgt_out` are the ids of the translation, the end included. A step's probability is that of the forced piece; its
    candidates are the model's own.
    """
    src = translator.source_ids(sentence)
    encoded = translator.encode(src)
    return build_trace(translator, sentence, src, encoded, translator.forced_steps(encoded, tgt_out))


def build_trace(translator: Translator, sentence: str, src: list[int], encoded: Encoded, steps: list[Step]) -> Trace:
    """The trace of finished steps; `src` are the sentence's ids."""
    tokenizer = translator.tokenizer
    tgt_out = [step.id for step in steps]
    source, target = source_pieces(translator, sentence, src), pieces(translator, [tokenizer.bos_id, *tgt_out[:-1]])
    shown = shown_steps(translator, target, steps)
    rows = tuple(Query(step.fed, step.predicted) for step in shown)
    return Trace(
        sentence=sentence,
        translation=tokenizer.decode(translator.clean(tgt_out)),
        source=source,
        target=target,
        steps=shown,
        encoder=AttentionMap(torch.cat(encoded.attention).cpu().numpy(), tuple(map(Query, source)), source),
        decoder=AttentionMap(stack_rows([step.self_attention for step in steps]), rows, target),
        cross=AttentionMap(stack_rows([step.cross_attention for step in steps]), rows, source),
        stopped_at_limit=tgt_out[-1] != tokenizer.eos_id,
        vocabulary=translator.model.config.tgt_vocab_size,
        languages=translator.languages,
    )


def reduce_axis(weights: Float[np.ndarray, "..."], choice: Choice, axis: int) -> Float[np.ndarray, "..."]:
    """One index of an axis, its maximum, or its mean in double precision; removes the axis.

    Raises UserError for another choice.
    """
    if choice == "mean":
        return weights.mean(axis=axis, dtype=np.float64)
    if choice == "max":
        return weights.max(axis=axis)
    return weights.take(parse_index(choice, weights.shape[axis], "choice"), axis=axis)


def parse_index(value: Any, size: int, refusal: str) -> int:
    """An index of `size` things, from 0; a negative one counts from the end.

    Raises UserError, with the sentence of that name, for anything else.
    """
    if not isinstance(value, SupportsIndex) or not -size <= operator.index(value) < size:
        raise UserError(words.REFUSALS[refusal].format(last=size - 1, value=value))
    return operator.index(value) % size


def stack_rows(rows: Sequence[Float[torch.Tensor, "layer head _"]]) -> Float[np.ndarray, "layer head query key"]:
    """The rows of all steps as one array; keys that a step did not have yet get weight 0."""
    (n_layers, n_heads, n_keys), first = rows[-1].shape, rows[0]
    weights = first.new_zeros(n_layers, n_heads, len(rows), n_keys)
    for query, row in enumerate(rows):
        weights[:, :, query, : row.size(-1)] = row
    return weights.cpu().numpy()


def pieces(translator: Translator, ids: list[int]) -> tuple[Piece, ...]:
    """The pieces of ids; a raised dot marks a word's start, a dotted circle carries a lone combining mark."""
    tokenizer = translator.tokenizer
    special = (tokenizer.bos_id, tokenizer.eos_id, tokenizer.pad_id)
    return tuple(
        Piece(
            add_mark_base(text.replace(WORD_START, BLANK)),
            i,
            i == tokenizer.unk_id,
            i in special,
            text.startswith(WORD_START),
        )
        for text, i in zip(tokenizer.pieces(ids), ids, strict=True)
    )


def source_pieces(translator: Translator, sentence: str, src: list[int]) -> tuple[Piece, ...]:
    """The pieces of a source; an unknown piece shows its original characters."""
    shown = pieces(translator, src)
    if translator.tokenizer.unk_id not in src:
        return shown
    surfaces = [*translator.tokenizer.surfaces(translator.tidy(sentence)), ""]
    return tuple(
        piece._replace(
            text=add_mark_base(surface.lstrip(WORD_START)) or piece.text, starts_word=surface.startswith(WORD_START)
        )
        if piece.unknown
        else piece
        for piece, surface in zip(shown, surfaces, strict=True)
    )


def shown_steps(translator: Translator, fed: tuple[Piece, ...], steps: list[Step]) -> tuple[ShownStep, ...]:
    """The decoding steps with pieces instead of ids."""
    predicted = pieces(translator, [step.id for step in steps])
    return tuple(
        ShownStep(
            fed=fed[i],
            predicted=predicted[i],
            probability=step.probability,
            candidates=shown_candidates(translator, step.candidates),
            entropy=step.entropy,
            log_probability=step.log_probability,
            rank=step.rank,
            excluded=next(iter(shown_candidates(translator, [step.excluded] if step.excluded else [])), None),
        )
        for i, step in enumerate(steps)
    )


def shown_candidates(translator: Translator, candidates: Sequence[Candidate]) -> tuple[ShownCandidate, ...]:
    shown = pieces(translator, [candidate.id for candidate in candidates])
    return tuple(map(ShownCandidate, shown, (candidate.probability for candidate in candidates)))
