"""What Explore asks of the server: the trace of a sentence, or the reason why there is none."""

from explorer.recording.payload import lengths_payload, packed_weights, refusal_payload, trace_payload
from explorer.recording.recordings import Recordings
from explorer.recording.sentence import notes
from explorer.recording.trace import kind_named
from explorer.recording.warnings import warnings


def trace_answer(recordings: Recordings, text: str, submission: int = 0) -> str:
    """`submission` numbers the visitor's submissions, so that a late answer cannot replace a newer one."""
    try:
        trace = recordings.trace(text.strip())
    except ValueError as reason:
        return refusal_payload(str(reason), submission)
    return trace_payload(trace, notes(trace), submission, warnings=warnings(trace))


def weights_answer(recordings: Recordings, sentence: str, kind: str) -> str:
    """The weights of one kind, for a trace too large to be sent at once."""
    wanted = kind_named(kind)
    return packed_weights(recordings.trace(sentence), wanted)


def lengths_answer(recordings: Recordings, sentence: str, kind: str) -> str:
    """What is added instead of what is looked at: the lengths of one kind (explorer/recording/lengths.py)."""
    wanted = kind_named(kind)
    return lengths_payload(recordings.forward_pass(sentence), wanted)
