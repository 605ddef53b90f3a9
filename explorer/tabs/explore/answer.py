"""The answers to Explore's questions: the trace of a sentence, its weights, and the lengths of its vectors."""

from explorer.recording.payload import encode_weights, lengths_payload, trace_payload
from explorer.recording.recordings import Recordings
from explorer.recording.sentence import notes
from explorer.recording.warnings import warnings
from model.probe import Kind


def trace_answer(recordings: Recordings, text: str) -> str:
    """The trace of a text as JSON. Raises ValueError, with a sentence for the user, if the text is refused."""
    trace = recordings.trace(text.strip())
    return trace_payload(trace, notes(trace), warnings=warnings(trace))


def weights_answer(recordings: Recordings, sentence: str, kind: Kind) -> str:
    """The weights of one kind, for a trace that is too large for one response."""
    return encode_weights(recordings.trace(sentence), kind)


def lengths_answer(recordings: Recordings, sentence: str, kind: Kind) -> str:
    """The vector lengths of one kind (explorer/recording/lengths.py)."""
    return lengths_payload(recordings.forward_pass(sentence), kind)
