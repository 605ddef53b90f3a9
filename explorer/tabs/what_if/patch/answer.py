"""What the panel asks of the server: a part of a sweep of patches, small enough to be waited for."""

import json
from collections.abc import Sequence

from explorer.experiments.laboratory import Laboratory
from explorer.experiments.patching import Parting, Place, cell_places, parting, runs
from explorer.experiments.ranking import all_heads
from explorer.recording.head import layers_by_kind
from explorer.recording.sentence import check
from explorer.recording.trace import Piece, Trace, pieces
from explorer.tabs.what_if.patch import words

POSITIONS = 1000  # of all rows of a part together: about a third of a second on two cores
FEWEST = 8  # places of a part, however long the sentences are


def patching_answer(laboratory: Laboratory, put_into: str, taken_from: str, grid: str, start: int) -> str:
    """The shares of some places of a grid, from the place `start` on, and how many places there are.

    `shares` is null where the two runs prefer nearly the same. Raises ValueError where a sentence is refused, or where
    both have the same German.
    """
    translator, recordings = laboratory.translator, laboratory.recordings
    first, second = recordings.trace(donor(laboratory, taken_from)), recordings.trace(put_into)
    found = parting(translator, first, second)
    places = places_of(found, grid)
    part = places[start : start + max(FEWEST, POSITIONS // (len(second.source) + len(found.tgt_in)))]
    both = runs(found)
    preferences = both.patched(part)
    shares = both.share(preferences)
    return json.dumps(
        {
            **told(found, first, second),
            "toward": both.toward,
            "away": both.away,
            "places": len(places),
            "preferences": preferences.tolist(),
            "shares": None if shares is None else shares.tolist(),
        }
    )


def donor(laboratory: Laboratory, text: str) -> str:
    """The other sentence, tidied. Raises ValueError, naming its box, where it is refused."""
    try:
        return check(text, laboratory.translator)
    except ValueError as reason:
        raise ValueError(words.REFUSALS["donor"].format(reason=reason)) from reason


def places_of(found: Parting, grid: str) -> Sequence[Place]:
    """Every place of a grid. Raises ValueError where there is no such grid."""
    if grid == "heads":
        return all_heads(found.translator.model.config)
    if grid in ("encoder", "decoder"):
        return cell_places(found, grid)
    raise ValueError(words.REFUSALS["grid"].format(grid=grid))


def told(found: Parting, first: Trace, second: Trace) -> dict[str, object]:
    """What is measured, in pieces: both sentences, and the step at which their German parts."""
    fed = pieces(found.translator, [*found.tgt_in, found.toward, found.away])
    *fed, toward, away = map(text_of, fed)
    return {
        "translation": first.translation,
        "sources": [[text_of(piece) for piece in trace.source] for trace in (first, second)],
        "fed": fed,
        "pieces": {"toward": toward, "away": away},
        "layers": layers_by_kind(found.translator.model.config),
        "heads": found.translator.model.config.n_heads,
    }


def text_of(piece: Piece) -> str:
    return piece.text
