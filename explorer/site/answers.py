"""What a page of plain files answers instead of a server: files for each sentence, which site.js reads."""

import gzip
from collections.abc import Iterator, Sequence

from explorer.recording.examples import examples, subject_of
from explorer.recording.payload import lengths_payload, trace_payload
from explorer.recording.recordings import Recordings
from explorer.recording.sentence import notes
from explorer.recording.warnings import warnings
from explorer.tabs.architecture.tab import shapes_payload
from explorer.tabs.predictions.output import predictions_of
from explorer.tabs.predictions.tab import prediction_payload
from explorer.ui.language import LanguageContext, use_language
from model.probe import KINDS

WHOLE = 10**9  # characters of a trace that come at once: all


def answers(recordings: Recordings, sentence: str, languages: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Names and bytes of a sentence's files: gzip of JSON, those with words in each of the languages.

    The names end in .bin, so that no server takes them for compressed answers and unpacks them on their way.
    """
    whole = recordings.forward_pass(sentence)
    for kind in KINDS:
        yield f"lengths-{kind}.bin", zipped(lengths_payload(whole, kind))
    for language in languages:
        with use_language(LanguageContext(language, recordings.translator.languages)):
            for name, text in spoken_answers(recordings, sentence):
                yield f"{name}.{language}.bin", zipped(text)


def spoken_answers(recordings: Recordings, sentence: str) -> Iterator[tuple[str, str]]:
    yield "trace", first_trace(recordings, sentence)
    yield "shapes", shapes_payload(recordings, sentence)
    found = predictions_of(recordings.forward_pass(sentence))
    for step in range(len(found.logits)):
        yield f"step-{step + 1}", prediction_payload(found, step)


def first_trace(recordings: Recordings, sentence: str) -> str:
    """The payload of a sentence's trace, in the voice in force."""
    trace = recordings.trace(sentence)
    return trace_payload(
        trace, notes(trace), max_characters=WHOLE, warnings=warnings(trace), subject=subject_of(sentence, examples())
    )


def zipped(text: str) -> bytes:
    return gzip.compress(text.encode(), mtime=0)
