"""What the page remarks on translations, as its own code finds it in node."""

import base64
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from by_node import in_node

from explorer.derived.about import about_model
from explorer.recording.app_context import AppContext
from explorer.recording.payload import trace_json
from explorer.recording.recordings import Recordings
from explorer.recording.trace import Trace, record_batch
from explorer.ui.component import GERMAN_WORDS
from explorer.ui.language import LanguageContext, use_language
from model.decoding import Translator
from model.languages import ENGLISH_TO_GERMAN, Languages

DEFAULT_STEP = """
    import { createTrace } from "./explorer/derived/trace.js";
    const { trace, subject } = JSON.parse(readFileSync(0));
    console.log(createTrace(trace, { subject }).defaultStep);
"""
REMARKS = """
    import { createTrace } from "./explorer/derived/trace.js";
    import { remarksOn } from "./explorer/derived/translation.js";
    const { about, bits, traces } = JSON.parse(readFileSync(0));
    if (about.germanWords) about.germanWords = Uint8Array.from(atob(bits), (sign) => sign.charCodeAt(0));
    const found = [];
    for (const { isModelsChoice, ...raw } of traces) {
      found.push(await remarksOn(createTrace(raw, { isModelsChoice }), about));
    }
    console.log(JSON.stringify(found));
"""


def remarks_on(
    translator: Translator,
    traces: Sequence[Trace],
    language: str = "en",
    languages: Languages = ENGLISH_TO_GERMAN,
    is_all_german: bool = False,
) -> list[SimpleNamespace]:
    """For each trace: `notes`, `warnings` (each with `kind`, `text`, ...), `likelihood` (or None).

    A trace without a fit counts as one that the model did not choose itself. With `is_all_german` no word is looked up.
    """
    with use_language(LanguageContext(language, languages)):
        about = about_model(AppContext(Recordings(translator), None))
    told = {"isAllGerman": is_all_german}
    raw = [{**trace_json(trace), **told, "isModelsChoice": trace.fit is not None} for trace in traces]
    bits = base64.b64encode(GERMAN_WORDS.read_bytes()).decode("ascii")
    return [named(one) for one in in_node(REMARKS, {"about": about, "bits": bits, "traces": raw})]


def recorded(translator: Translator, sentences: Sequence[str], rows: int = 16) -> list[Trace]:
    """The traces of sentences, as from `record`, several at once."""
    found: list[Trace] = []
    for start in range(0, len(sentences), rows):
        part = sentences[start : start + rows]
        limits = [translator.limit(len(translator.source_ids(sentence))) for sentence in part]
        found += record_batch(translator, part, limits)
    return found


def default_step(trace: Trace, subject: str = "") -> int:
    """The step that the page shows first, of a sentence about a word."""
    return in_node(DEFAULT_STEP, {"trace": trace_json(trace), "subject": subject})


def named(value: Any) -> Any:
    """JSON with fields that are read as attributes."""
    if isinstance(value, list):
        return [named(part) for part in value]
    return SimpleNamespace(**{name: named(part) for name, part in value.items()}) if isinstance(value, dict) else value


def kinds(remarks: SimpleNamespace) -> set[str]:
    return {warning.kind for warning in remarks.warnings}


def plain(trace: Trace) -> Trace:
    """The trace as from a model without a likelihood, which has all warnings."""
    return replace(trace, fit=None)
