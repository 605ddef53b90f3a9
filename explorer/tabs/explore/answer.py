"""What Explore asks of the server: the trace of a sentence, or the reason why there is none."""

from explorer.recording.payload import encode_weights, lengths_payload, trace_payload
from explorer.recording.recordings import Recordings
from explorer.recording.sentence import notes
from explorer.recording.warnings import warnings
from model.probe import Kind


def trace_answer(recordings: Recordings, text: str) -> str:
    """Raises ValueError, with a sentence for the visitor, where the text is refused."""
    trace = recordings.trace(text.strip())
    return trace_payload(trace, notes(trace), warnings=warnings(trace))


def weights_answer(recordings: Recordings, sentence: str, kind: Kind) -> str:
    """The weights of one kind, for a trace too large to be sent at once."""
    return encode_weights(recordings.trace(sentence), kind)


def lengths_answer(recordings: Recordings, sentence: str, kind: Kind) -> str:
    """What is added instead of what is looked at: the lengths of one kind (explorer/recording/lengths.py)."""
    return lengths_payload(recordings.forward_pass(sentence), kind)
