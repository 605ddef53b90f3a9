"""The tab Masks: padding and look-ahead masks of a batch of sentences, and their effect on one softmax.

Sentences of a batch are padded to the longest one. The mistake that it shows was seen in published code: a combined
mask of `padding_mask.transpose(-2, -1) & look_ahead_mask`.
"""

import json
import math
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Bool, Float, Int

from explorer.recording.app_context import AppContext
from explorer.recording.code_excerpts import mask_excerpts
from explorer.recording.examples import tab_sentences
from explorer.recording.forward_pass import Pass
from explorer.recording.head import Head, head_of
from explorer.recording.payload import tensor_json
from explorer.recording.recordings import Recordings
from explorer.recording.trace import Trace
from explorer.ui.component import Component, pickers, tab_component
from explorer.ui.questions import Index
from explorer.ui.translations import Translations
from model.errors import UserError
from model.probe import KINDS, Kind

FOLDER = Path(__file__).parent
words = Translations(__file__)
FINITE_FILL = -1e9  # much published code uses it for masked scores instead of minus infinity


@dataclass(frozen=True, eq=False)
class Masks:
    """The masks of one sentence of a batch, True where a query may attend, and one head's weights under each."""

    ids: Int[np.ndarray, "key"]  # with padding
    query_ids: Int[np.ndarray, "query"]
    padding: Bool[np.ndarray, "key"]  # True: no padding
    query_padding: Bool[np.ndarray, "query"]
    causal: Bool[np.ndarray, "query key"]  # all True if attention is not causal
    combined: Bool[np.ndarray, "query key"]  # the mask of the pass
    on_queries: Bool[np.ndarray, "query key"]  # the mistake: the padding is masked on queries instead of keys
    scores: Float[np.ndarray, "query key"]
    weights: Float[np.ndarray, "query key"]  # of the pass
    unmasked: Float[np.ndarray, "query key"]  # the same scores without a mask
    mistaken: Float[np.ndarray, "query key"]  # with the mistake: nan in rows without an allowed key
    mistaken_finite: Float[np.ndarray, "query key"]  # the same with FINITE_FILL: such rows are uniform


def compute_masks(whole: Pass, kind: Kind, layer: int, head: int, sentence: int) -> Masks:
    """One sentence's masks and weights. Raises UserError if the model has no such layer or head."""
    head_pass = head_of(whole, kind, layer, head, sentence)
    queries = whole.src if kind == "encoder" else whole.tgt_in
    keys = whole.tgt_in if kind == "decoder" else whole.src
    all_allowed = np.ones(head_pass.mask.shape, dtype=bool)
    causal = np.tril(all_allowed) if kind == "decoder" else all_allowed
    padding, query_padding = (is_piece(whole, ids, sentence) for ids in (keys, queries))
    on_queries = query_padding[:, None] & causal
    return Masks(
        ids=keys[sentence],
        query_ids=queries[sentence],
        padding=padding,
        query_padding=query_padding,
        causal=causal,
        combined=head_pass.mask,
        on_queries=on_queries,
        scores=head_pass.scores,
        weights=head_pass.weights,
        unmasked=masked_weights(head_pass, all_allowed),
        mistaken=masked_weights(head_pass, on_queries),
        mistaken_finite=masked_weights(head_pass, on_queries, fill=FINITE_FILL),
    )


def is_piece(whole: Pass, ids: Int[np.ndarray, "batch position"], sentence: int) -> Bool[np.ndarray, "position"]:
    """Which positions are not padding; a padding piece that starts the decoding does not count as padding."""
    config = whole.model.config
    result = ids[sentence] != config.pad_id
    if ids is whole.tgt_in and config.start == "pad":
        result[0] = True
    return result


def masked_weights(head: Head, mask: Bool[np.ndarray, "query key"], fill: float = -math.inf) -> np.ndarray:
    """A head's weights under another mask: softmax over each row; nan in rows that contain only -inf."""
    masked = np.where(mask, head.scores.astype(np.float64), fill)
    with np.errstate(invalid="ignore"):
        exponentials = np.exp(masked - masked.max(axis=-1, keepdims=True))
        return exponentials / exponentials.sum(axis=-1, keepdims=True)


def masks_json(trace: Trace, masks: Masks, kind: Kind, padding: str) -> dict[str, Any]:
    """The masks of a sentence; `padding` is the label of padded positions."""
    labels = trace.map(kind)
    n_queries, n_keys = masks.combined.shape
    query_pieces = trace.source if kind == "encoder" else trace.target

    def padded(texts: list[str], count: int) -> list[str]:
        return [*texts, *[padding] * (count - len(texts))]

    ids = ("ids", "query_ids")
    return {
        "sentence": trace.sentence,
        "queries": padded([query.shown for query in labels.queries], n_queries),
        "keys": padded([piece.isolated.text for piece in labels.keys], n_keys),
        "asking": padded([piece.isolated.text for piece in query_pieces], n_queries),  # the pieces of the queries
        **{name: getattr(masks, name).tolist() for name in ids},
        **{field.name: tensor_json(getattr(masks, field.name)) for field in fields(Masks) if field.name not in ids},
    }


def validated_trace(recordings: Recordings, text: str, number: int) -> Trace:
    """The trace of a text. Raises UserError, with the number of the text box, if the text is refused."""
    try:
        return recordings.trace(text.strip())
    except UserError as reason:
        raise UserError(words.REFUSED.format(number=number, reason=reason)) from reason


def masks_answer(recordings: Recordings, texts: list[str], kind: Kind, layer: Index, head: Index) -> str:
    """The masks of the sentences as one batch. Raises UserError to refuse them."""
    sentences = [text.strip() for text in texts if text.strip()]
    if not 2 <= len(sentences) <= 3:
        raise UserError(words.BATCH_SIZE)
    traces = [validated_trace(recordings, text, number) for number, text in enumerate(texts, 1) if text.strip()]
    whole = recordings.forward_pass(*sentences)
    tokenizer = recordings.translator.tokenizer
    (padding,) = tokenizer.pieces([tokenizer.pad_id])
    masks = [compute_masks(whole, kind, layer, head, i) for i in range(len(traces))]
    return json.dumps([masks_json(*pair, kind, padding) for pair in zip(traces, masks, strict=True)])


def masks_tab(app: AppContext) -> list[Component]:
    """A batch of two or three sentences; kind, layer and head are those of Explore."""
    app.questions.add("masks", partial(masks_answer, app.recordings))
    start = app.translator.model.config.start
    settings = {
        "text": words.MASKS,
        "sentences": tab_sentences().masks,
        "start": start,
        "code": {kind: [found._asdict() for found in mask_excerpts(kind, start)] for kind in KINDS},
    }
    return [tab_component(FOLDER, settings, words={**words.HTML, "tab_label": words.TAB, "pickers": pickers("choice")})]
