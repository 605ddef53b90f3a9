"""What the fuzz tests share: their profiles, odd values, a guard against hanging, and what a refusal looks like."""

import asyncio
import faulthandler
import re
import signal
import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

ALL = 2000  # examples with --thorough (tests/conftest.py)
HANGS = 20  # seconds: an example takes milliseconds
LONGEST = 1200  # characters of a sentence that refuses something: what is refused is not told at length

# For tests with other threads: beartype draws from `random` there, whenever it looks into a list, and Hypothesis takes
# this for a strategy's doing, of which it then writes all.
BESIDE = [
    pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies"),
    pytest.mark.filterwarnings("ignore:Generating overly large repr"),
]

# Parts of Python that nobody wants to read instead of a reason.
INTERNAL = re.compile(
    r"Traceback|<class |<\w+ object|\bobject at 0x|ArgsKwargs|NoneType|PydanticUndefined|__\w+__|"
    r"codec can't|recursion depth|integer string conversion|\w+(Error|Exception)\b",
    re.ASCII,
)

# Blank, invisible, right-to-left, combining, control, half a surrogate pair, markup, formulas, escapes, braces.
ODD_TEXTS = [
    *["", " ", "\t\r\n", "\u200b", "\ufeff", "\u2028", "\u202e.neddih si sihT", "e\u0301" * 40, "字" * 30, "ﷺ" * 20],
    *["\x00", "\x1b[31m", "\x7f", "\ud800", "A cat\udfff.", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "“”‘’…"],
    *[
        "<script>alert(1)</script>",
        "%{x}",
        "{0}",
        "{sentence}",
        "=1+1",
        "../../etc/passwd",
        "null",
        "NaN",
        "-0",
        "1e999",
    ],
    *["▁", "<unk>", "</s>", "<pad>", "a" * 401, "a b " * 100, "x" * 20_000],
]
SENTENCES = [
    "The cat sleeps on the old chair.",
    "The dog sleeps under the table.",
    "She reads.",
    "We drink cold water.",
]
NUMBERS = [0, 1, 2, 3, 7, -1, -(2**31), 2**31 - 1, 2**31, 2**53, 2**63, 10**30, 10**400, 0.5, -0.0, 1e-320, 1e308]

sentences = st.sampled_from(SENTENCES)
texts = st.one_of(sentences, sentences, st.sampled_from(ODD_TEXTS), st.text(max_size=60))
odd_numbers = st.one_of(st.sampled_from(NUMBERS), st.integers(), st.floats(allow_nan=False, allow_infinity=False))
leaves = st.one_of(st.none(), st.booleans(), odd_numbers, st.sampled_from(ODD_TEXTS), st.text(max_size=20))
odd = st.recursive(
    leaves,
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=8), inside, max_size=4),
    max_leaves=8,
)


def now_and_then(usual: SearchStrategy[Any], rare: SearchStrategy[Any], one_in: int = 10) -> SearchStrategy[Any]:
    """Mostly the usual, so that most examples get beyond the first check."""
    return st.sampled_from([usual] * (one_in - 1) + [rare]).flatmap(lambda chosen: chosen)


def examples(of_all: int) -> settings:
    """A test's part of the 2,000 examples of --thorough, and the same part of an ordinary round's."""
    return settings(max_examples=max(1, settings.default.max_examples * of_all // ALL))


class Hangs(AssertionError):
    """An example that takes too long."""


@contextmanager
def guarded() -> Iterator[None]:
    """An example that hangs fails; one that hangs outside of Python ends the run and says where it was."""

    def hangs(*_: Any) -> None:
        raise Hangs(f"no answer within {HANGS} s")

    before = signal.signal(signal.SIGALRM, hangs)
    signal.setitimer(signal.ITIMER_REAL, HANGS)
    faulthandler.dump_traceback_later(3 * HANGS, exit=True, file=sys.__stderr__)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Elsewhere:
    """Runs coroutines in a thread of its own: in that of the tests, playwright's loop may be running."""

    def __init__(self):
        self.loop = asyncio.new_event_loop()
        self.thread = Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


def is_sentence(text: Any, sent: object = "") -> None:
    """Fails unless the text is a reason that somebody can read. It may repeat what was sent, whatever that was."""
    assert isinstance(text, str), text
    assert 8 <= len(text) <= LONGEST, f"{len(text)} characters: {text[:200]!r}"
    known = sent.decode("utf-8", "replace") if isinstance(sent, bytes) else repr(sent)
    assert not [found[0] for found in INTERNAL.finditer(text) if found[0] not in known], text
    assert text.rstrip()[-1] in ".!?…”)", text
