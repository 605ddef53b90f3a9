"""What Masks asks of the server: the masks of a batch."""

import json
from dataclasses import fields
from typing import Any

from explorer.recording.payload import tensor_json
from explorer.recording.recordings import Recordings
from explorer.recording.trace import Trace
from explorer.tabs.masks import words
from explorer.tabs.masks.masks import Masks, masks
from model.probe import Kind


def masks_payload(batch: list[tuple[Trace, Masks]], kind: Kind, padding: str) -> str:
    """The masks of a batch, sentence by sentence; `padding` is the piece that fills the labels up."""
    return json.dumps([masks_json(trace, found, kind, padding) for trace, found in batch])


def masks_json(trace: Trace, found: Masks, kind: Kind, padding: str) -> dict[str, Any]:
    labels = trace.map(kind)
    n_queries, n_keys = found.combined.shape
    asking = trace.source if kind == "encoder" else trace.target

    def filled(texts: list[str], count: int) -> list[str]:
        return [*texts, *[padding] * (count - len(texts))]

    ids = ("ids", "query_ids")
    return {
        "sentence": trace.sentence,
        "queries": filled([query.shown for query in labels.queries], n_queries),
        "keys": filled([piece.isolated.text for piece in labels.keys], n_keys),
        "asking": filled([piece.isolated.text for piece in asking], n_queries),  # the pieces of the queries, one by one
        **{name: getattr(found, name).tolist() for name in ids},
        **{field.name: tensor_json(getattr(found, field.name)) for field in fields(Masks) if field.name not in ids},
    }


def trace_of(recordings: Recordings, text: str, number: int) -> Trace:
    """Raises ValueError where the text is refused; the reason names the box, of which there are several."""
    try:
        return recordings.trace(text.strip())
    except ValueError as reason:
        raise ValueError(words.REFUSED.format(number=number, reason=reason)) from reason


def masks_answer(recordings: Recordings, texts: list[str], kind: Kind, layer: int, head: int) -> str:
    """The masks of the sentences as one batch. Raises ValueError, with a sentence, where there are none."""
    sentences = [text.strip() for text in texts if text.strip()]
    if not 2 <= len(sentences) <= 3:
        raise ValueError(words.BATCH_SIZE)
    traces = [trace_of(recordings, text, number) for number, text in enumerate(texts, 1) if text.strip()]
    whole = recordings.forward_pass(*sentences)
    found = [masks(whole, kind, layer, head, i) for i in range(len(traces))]
    tokenizer = recordings.translator.tokenizer
    (padding,) = tokenizer.pieces([tokenizer.pad_id])
    return masks_payload(list(zip(traces, found, strict=True)), kind, padding)
