"""The step at which an example opens."""

from dataclasses import replace

import numpy as np
from cases import each_case
from samples import random_trace

from explorer.recording.default_step import default_step, is_content_word, places_of
from explorer.recording.payload import trace_payload
from explorer.recording.sentence import examples
from explorer.recording.trace import AttentionMap, Piece, record

OPENS_AT = ["putzt", "er", "gekauft", "Spielplatz", "nicht", "Mann", "Wahrheit", "Akkordeon"]


@each_case(("example", "word"), [*zip(examples(), OPENS_AT, strict=True)])
def test_an_example_opens_at_the_step_that_looks_most_at_its_subject(shipped, example, word):
    trace = record(shipped, example["sentence"])
    step = default_step(trace, example["subject"])
    assert trace.steps[step].predicted.text == f"·{word}"
    assert f'"defaultStep": {step},' in trace_payload(trace, [], subject=example["subject"])
    assert 0 < step < len(trace.steps) - 1


@each_case(
    ("word", "places"),
    [("man", [3, 4]), ("saw", [2]), ("ma", []), ("", []), ("</s>", []), ("n", [])],
)
def test_a_subject_is_a_whole_word_where_it_last_occurs(word, places):
    pieces = [Piece("·man", 1), Piece(",", 2, starts_word=False), Piece("·saw", 3), Piece("·ma", 4)]
    pieces += [Piece("n", 5, starts_word=False), Piece(".", 6, starts_word=False)]
    assert places_of(word, [*pieces, Piece("</s>", 7, special=True, starts_word=False)]) == places


@each_case(
    ("piece", "following", "told"),
    [
        (Piece("·Hund", 9), Piece("·ist", 8), True),
        (Piece("·Hund", 9), Piece(".", 4, starts_word=False), True),
        (Piece("·Hund", 9), None, True),
        (Piece("·der", 9), Piece("·Hund", 8), False),
        (Piece("·Akkordeon", 9), Piece("spieler", 8, starts_word=False), False),
        (Piece("spieler", 9, starts_word=False), Piece("·hat", 8), False),
        (Piece("</s>", 3, special=True, starts_word=False), None, False),
        (Piece("·1234", 9), None, False),
    ],
)
def test_a_content_word_is_a_whole_word_of_some_length(piece, following, told):
    assert is_content_word(piece, following) is told


def test_the_strongest_row_of_a_content_word_tells_most_in_the_last_layers_mean():
    trace = random_trace(2, 2, 3, 4)
    words = ("·der", "·Hund", "·schläft", "</s>")
    steps = [step._replace(predicted=Piece(words[i], i, special=i == 3)) for i, step in enumerate(trace.steps)]
    weights = np.zeros((2, 2, 4, 3), np.float32)
    weights[0, :, 1, 0], weights[1, :, :, 0] = 1, [[1, 0.6, 0.7, 0.9], [1, 0.6, 0.4, 0.9]]
    weights[..., 2] = 1 - weights[..., 0]
    trace = replace(trace, steps=tuple(steps), cross=AttentionMap(weights, trace.cross.queries, trace.cross.keys))
    assert default_step(trace) == 1  # 0.6; "schläft" has 0.55, and the others are no content words
