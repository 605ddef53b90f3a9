"""Patch: activation patching, from another sentence's run into this one's."""

import json
from pathlib import Path
from typing import Any

from explorer.experiments.laboratory import Laboratory
from explorer.experiments.patching import GRIDS, Divergence, find_divergence, grid_places, runs
from explorer.recording.app_context import AppContext
from explorer.recording.head import layers_by_kind
from explorer.recording.sentence import check_sentence
from explorer.recording.trace import Trace, pieces
from explorer.tabs.what_if import Panel
from explorer.ui import words as shared_words
from explorer.ui.translations import Translations
from model.errors import UserError

words = Translations(__file__)

PARTNERS = {
    "A man in a blue shirt is standing on a ladder cleaning a window.": "A man in a red shirt is standing on a "
    "ladder cleaning a window.",
    "The dog is tired because it has played all day.": "The horse is tired because it has played all day.",
    "I know that he bought a new car yesterday.": "I know that he sold a new car yesterday.",
    "Two children are playing at the playground.": "Two dogs are playing at the playground.",
    "She does not want to go home yet.": "He does not want to go home yet.",
    "The man saw the man who saw the dog.": "The man saw the man who saw the cat.",
    "Why didn't you tell me the truth?": "Why didn't you tell her the truth?",
    "The old man plays the accordion.": "The old woman plays the accordion.",
}

ROWS_PER_PART = 1000  # decoder and encoder rows: about a third of a second on two cores
MIN_PLACES_PER_PART = 8


def patching_answer(laboratory: Laboratory, sentence: str, donor_text: str, grid: str, start: int) -> str:
    """The shares of some places of a grid, from the place `start` on, and the number of places.

    `shares` is null if the two runs have nearly equal preferences. Raises UserError if a sentence is refused, or if
    both have the same German.
    """
    if grid not in GRIDS:
        raise UserError(words.REFUSALS["grid"].format(grid=grid))
    translator, recordings = laboratory.translator, laboratory.recordings
    first, second = recordings.trace(validated_donor(laboratory, donor_text)), recordings.trace(sentence)
    divergence = find_divergence(translator, first, second)
    places = grid_places(divergence, grid)
    part = places[
        start : start + max(MIN_PLACES_PER_PART, ROWS_PER_PART // (len(second.source) + len(divergence.tgt_in)))
    ]
    both_runs = runs(divergence)
    preferences = both_runs.patched(part)
    shares = both_runs.share(preferences)
    return json.dumps(
        {
            **divergence_json(divergence, first, second),
            "toward": both_runs.donor_preference,
            "away": both_runs.recipient_preference,
            "places": len(places),
            "preferences": preferences.tolist(),
            "shares": None if shares is None else shares.tolist(),
        }
    )


def validated_donor(laboratory: Laboratory, text: str) -> str:
    """The stripped donor sentence. Raises UserError, naming its text box, if it is refused."""
    try:
        return check_sentence(text, laboratory.translator)
    except UserError as reason:
        raise UserError(words.REFUSALS["donor"].format(reason=reason)) from reason


def divergence_json(divergence: Divergence, first: Trace, second: Trace) -> dict[str, object]:
    """Both sentences in pieces, and the step at which their translations differ first."""
    next_pieces = (divergence.donor_piece, divergence.recipient_piece)
    fed = pieces(divergence.translator, [*divergence.tgt_in, *next_pieces])
    *fed, toward, away = (piece.text for piece in fed)
    return {
        "translation": first.translation,
        "sources": [[piece.text for piece in trace.source] for trace in (first, second)],
        "fed": fed,
        "pieces": {"toward": toward, "away": away},
        "layers": layers_by_kind(divergence.translator.model.config),
        "heads": divergence.translator.model.config.n_heads,
    }


def settings(app: AppContext) -> dict[str, Any]:
    """The donor sentences, which are English, and the names of the kinds of heads."""
    return {"partners": PARTNERS if app.reads_english else {}, "kindNames": shared_words.KIND_NAMES}


PATCH = Panel(Path(__file__).parent, {"patching": patching_answer}, settings, is_advanced=True)
