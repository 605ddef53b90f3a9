"""The figures of a run as tables."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import numpy as np

from explorer.bench.load.server import Times
from explorer.bench.load.visitor import ANSWERED, CROSSED, LOST, REFUSED, Asked

ALL = "all"
SHARES = (50.0, 95.0, 99.0, 100.0)  # percentiles


def percentiles(asked: Iterable[Asked], shares: Sequence[float] = SHARES) -> list[float]:
    """Seconds within which so many in a hundred of the answers came; what was not answered does not count."""
    seconds = [one.seconds for one in asked if one.outcome == ANSWERED]
    return np.percentile(seconds, shares).tolist() if seconds else [float("nan")] * len(shares)


def waiting(asked: Sequence[Asked], seconds: float) -> Iterator[str]:
    """A line for each question and one for all; a rate counts what was answered within the run's `seconds`."""
    yield f"  {'question':12}{'asked':>8}{'a second':>10}" + "".join(
        f"{name:>9}" for name in ("p50 s", "p95 s", "p99 s", "max s")
    )
    begun = min((one.begun for one in asked), default=0.0)
    by_name = {name: [*found] for name, found in groupby(sorted(asked, key=lambda one: one.name), lambda one: one.name)}
    for name, found in [*by_name.items(), *([(ALL, asked)] if len(by_name) > 1 else [])]:
        in_time = sum(one.outcome == ANSWERED and one.ended <= begun + seconds for one in found)
        figures = "".join(f"{figure:9.2f}" for figure in percentiles(found))
        yield f"  {name:12}{len(found):8}{in_time / seconds:10.1f}{figures}"


def faults(asked: Iterable[Asked]) -> Counter[str]:
    """What went wrong, by kind. That a full server refuses is no fault."""
    return Counter(one.outcome for one in asked if one.outcome not in (ANSWERED, REFUSED))


def outcomes(asked: Sequence[Asked]) -> Iterator[str]:
    found, refused = faults(asked), sum(one.outcome == REFUSED for one in asked)
    errors = found.total() - found[LOST] - found[CROSSED]
    yield (
        f"  errors {errors}, lost {found[LOST]}, cross-talk {found[CROSSED]}, refused because full {refused}, "
        f"at most {max((one.ahead for one in asked), default=0)} ahead"
    )
    yield from (f"    {count} x {kind}" for kind, count in found.items() if kind not in (LOST, CROSSED))


def curve(samples: Sequence[tuple[float, int, float]]) -> Iterator[str]:
    """Of each sample: seconds since the start, answers until then, megabytes."""
    for title, column, form in (("second", 0, "6.0f"), ("answers", 1, "6"), ("MB", 2, "6.0f")):
        yield f"    {title:8}" + "".join(f"{sample[column]:{form}}" for sample in samples)


def processors(during: Times, own: float, answers: int) -> str:
    """Who used the processors during the run; `own` is the processor time of this program.

    What an answer costs the server changes less than waiting does when others use the machine.
    """
    others = max(0.0, during.total - during.idle - during.process - own)  # clocks tick coarsely
    server = f"{during.process / during.total:.0%} ({1000 * during.process / max(1, answers):.0f} ms an answer)"
    parts = {"this program": own, "others": others, "idle": during.idle}
    told = ", ".join([f"the server {server}", *(f"{name} {part / during.total:.0%}" for name, part in parts.items())])
    return told.replace("%", " %")
