"""The tab Masks: padding and look-ahead masks of a batch of sentences, and their effect on one softmax."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

from explorer.recording.app_context import AppContext
from explorer.recording.examples import tab_sentences
from explorer.recording.payload import tensor_json
from explorer.recording.recordings import Recordings
from explorer.recording.source import mask_excerpts
from explorer.recording.trace import Trace
from explorer.tabs.masks import words
from explorer.tabs.masks.masks import Masks, compute_masks
from explorer.ui.component import Component, pickers, tab_component
from explorer.ui.questions import Index
from model.probe import KINDS, Kind


def masks_payload(batch: list[tuple[Trace, Masks]], kind: Kind, padding: str) -> str:
    """The masks of a batch per sentence; `padding` is the label of padded positions."""
    return json.dumps([masks_json(trace, sentence_masks, kind, padding) for trace, sentence_masks in batch])


def masks_json(trace: Trace, masks: Masks, kind: Kind, padding: str) -> dict[str, Any]:
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
    """The trace of a text. Raises ValueError, with the number of the text box, if the text is refused."""
    try:
        return recordings.trace(text.strip())
    except ValueError as reason:
        raise ValueError(words.REFUSED.format(number=number, reason=reason)) from reason


def masks_answer(recordings: Recordings, texts: list[str], kind: Kind, layer: int, head: int) -> str:
    """The masks of the sentences as one batch. Raises ValueError, with a sentence, to refuse them."""
    sentences = [text.strip() for text in texts if text.strip()]
    if not 2 <= len(sentences) <= 3:
        raise ValueError(words.BATCH_SIZE)
    traces = [validated_trace(recordings, text, number) for number, text in enumerate(texts, 1) if text.strip()]
    whole = recordings.forward_pass(*sentences)
    masks_of_batch = [compute_masks(whole, kind, layer, head, i) for i in range(len(traces))]
    tokenizer = recordings.translator.tokenizer
    (padding,) = tokenizer.pieces([tokenizer.pad_id])
    return masks_payload(list(zip(traces, masks_of_batch, strict=True)), kind, padding)


FOLDER = Path(__file__).parent


def masks_tab(app: AppContext) -> list[Component]:
    """A batch of two or three sentences; kind, layer and head are those of Explore."""

    def masks(texts: list[str], kind: Kind, layer: Index, head: Index) -> str:
        return masks_answer(app.recordings, texts, kind, layer, head)

    app.questions.add("masks", masks)
    start = app.translator.model.config.start

    settings = {
        "text": words.MASKS,
        "sentences": tab_sentences().masks,
        "start": start,
        "code": {kind: [found._asdict() for found in mask_excerpts(kind, start)] for kind in KINDS},
    }
    return [tab_component(FOLDER, settings, words={**words.HTML, "tab_label": words.TAB, "pickers": pickers("choice")})]
