"""Beam search and sampling of one sentence as plain JSON, on the unchanged model.

They have the length limit of the page's translations, so that the page can show every result.
"""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Any

from explorer.experiments import words
from explorer.recording import MAX_PIECES
from explorer.recording.trace import Piece, Trace, pieces
from model.beam import BeamTree, Hypothesis, Level, ScoredTranslation, beam_tree
from model.decoding import Translator
from model.errors import UserError
from model.sampling import Sample, Sampling, draw

MAX_WIDTH = 8
MAX_SAMPLES = 10  # in one batch: twice as many as the page requests


def beam_json(translator: Translator, sentence: str, width: int) -> dict[str, Any]:
    """The tree of a beam search: every step's hypotheses, kept and pruned, and the greedy translation for comparison.

    `parent` is the index of a hypothesis among those kept one step before; one that `waits` is finished and adds no
    piece at this step. `greedy_places` are the ranks of the greedy translation in the beam, null after it is pruned.
    Raises UserError unless the width is from 1 to 8.
    """
    if not 1 <= width <= MAX_WIDTH:
        raise UserError(words.REFUSALS["width"].format(width=width, widest=MAX_WIDTH))
    tree = beam_tree(translator, translator.source_ids(sentence), width, max_steps=MAX_PIECES)
    return {
        "width": width,
        "levels": [level_json(translator, level) for level in tree.levels],
        "finals": [translation_json(translator, final) for final in finals(tree)],
        "best": translation_json(translator, tree.best),
        "greedy": translation_json(translator, tree.greedy),
        "greedy_places": tree.greedy_places,
        "answer": translation_json(translator, tree.answer),
    }


def finals(tree: BeamTree) -> Iterable[ScoredTranslation]:
    """The translations in the beam at the end, best first."""
    last = len(tree.levels) - 1
    return (tree.translation(last, index) for index in range(len(tree.levels[last].kept)))


def level_json(translator: Translator, level: Level) -> dict[str, list[dict[str, Any]]]:
    return {
        "kept": [hypothesis_json(translator, hypothesis) for hypothesis in level.kept],
        "pruned": [hypothesis_json(translator, hypothesis) for hypothesis in level.pruned],
    }


def hypothesis_json(translator: Translator, hypothesis: Hypothesis) -> dict[str, Any]:
    (piece,) = pieces(translator, [hypothesis.piece])
    return {
        "parent": hypothesis.parent,
        "id": piece.id,
        "text": piece.text,
        "log_probability": hypothesis.log_probability,
        "total": hypothesis.total,
        "length": hypothesis.length,
        "score": hypothesis.score,
        "finished": hypothesis.finished,
        "waits": hypothesis.piece == translator.tokenizer.pad_id,
    }


def translation_json(translator: Translator, scored: ScoredTranslation) -> dict[str, Any]:
    return {
        "ids": list(scored.ids),
        "pieces": [piece.text for piece in pieces(translator, list(scored.ids))],
        "log_probabilities": list(scored.log_probabilities),
        "translation": translator.tokenizer.decode(translator.clean(scored.ids)),
        "total": scored.total,
        "score": scored.score,
    }


def samples_json(
    translator: Translator, greedy: Trace, sampling: Sampling, seed: int = 0, count: int = 1
) -> dict[str, Any]:
    """Samples of a recorded sentence with consecutive seeds, and its greedy translation.

    Each piece has its log-probability at temperature 1, the number of candidates, and whether the greedy translation
    has it, too. Raises UserError unless `count` is from 1 to 10.
    """
    if not 1 <= count <= MAX_SAMPLES:
        raise UserError(words.REFUSALS["samples"].format(count=count, most=MAX_SAMPLES))
    src, greedy_ids = [piece.id for piece in greedy.source], [step.predicted.id for step in greedy.steps]
    samples = [
        sample_json(translator, sample)
        for sample in draw(translator, src, sampling, range(seed, seed + count), max_steps=MAX_PIECES)
    ]
    for sample in samples:
        shared = shared_indices(greedy_ids, sample["ids"])
        for i, piece in enumerate(sample["pieces"]):
            piece["also_greedy"] = i in shared
    return {
        "greedy": {
            "translation": greedy.translation,
            "total": greedy.log_probability,
            "ids": greedy_ids,
        },
        "samples": samples,
    }


def shared_indices(first: Sequence[int], second: Sequence[int]) -> set[int]:
    """The indices of the second list's elements that both lists share, as difflib finds them."""
    blocks = SequenceMatcher(a=first, b=second, autojunk=False).get_matching_blocks()
    return {block.b + i for block in blocks for i in range(block.size)}


def sample_json(translator: Translator, sample: Sample) -> dict[str, Any]:
    shown = pieces(translator, list(sample.ids))
    numbers = zip(shown, sample.log_probabilities, sample.candidate_counts, strict=True)
    return {
        "seed": sample.seed,
        "translation": translator.tokenizer.decode(translator.clean(sample.ids)),
        "total": sample.total,
        "ids": list(sample.ids),
        "pieces": [sampled_piece_json(*row) for row in numbers],
        "ended": sample.ids[-1] == translator.tokenizer.eos_id,
    }


def sampled_piece_json(piece: Piece, log_probability: float, running: int) -> dict[str, Any]:
    return {
        "text": piece.text,
        "special": piece.special,
        "starts_word": piece.starts_word,
        "log_probability": log_probability,
        "in_the_running": running,
    }
