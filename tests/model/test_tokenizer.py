"""The tokenizer: text to pieces and back, special pieces, files; random segmentations by their probability."""

import math
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from cases import each_case

from model.errors import UserError
from model.tokenizer import BOS, EOS, PAD, WORD_START, Segmenter


def test_sentences_come_back_from_their_pieces_without_start_end_and_padding(tokenizer, corpus):
    for sentence in corpus:
        ids = tokenizer.encode(sentence)
        assert tokenizer.decode([BOS, *ids, EOS, PAD]) == sentence and not {BOS, EOS, PAD} & {*ids}
    assert not {PAD, BOS, EOS} & {*tokenizer.encode("<s> The </s> <pad>")}  # written in a text they stay text


def test_an_unknown_character_becomes_unk_and_its_surface_shows_it(tokenizer):
    ids, surfaces = tokenizer.encode("The 猫 sleeps."), tokenizer.surfaces("The 猫 sleeps.")
    assert ids.count(tokenizer.unk_id) == 1
    assert surfaces[ids.index(tokenizer.unk_id)] == "猫"
    assert "".join(surfaces) == "▁The▁猫▁sleeps."


@each_case("way", ["encode", "encode_all", "surfaces", "sample"])
def test_half_of_a_surrogate_pair_is_refused_in_a_sentence(tokenizer, way):
    text, more = ["A \ud83d."] if way == "encode_all" else "A \ud83d.", (0.1, Random(0)) if way == "sample" else ()
    with pytest.raises(UserError, match=r"^The text contains U\+D83D, which is half of a surrogate pair"):
        getattr(tokenizer, way)(text, *more)


def test_surfaces_of_known_text_are_its_pieces(tokenizer, corpus):
    for sentence in (*corpus, ""):
        assert tokenizer.surfaces(sentence) == tokenizer.pieces(tokenizer.encode(sentence))


@each_case("typed", [" The\u00a0cat\tsleeps. ", "The\u202fcat\u2009sleeps.\r\n", "The\u200bcat \u3000sleeps."])
def test_any_blanks_are_one_blank_to_the_tokenizer(tokenizer, typed):
    assert tokenizer.encode(typed) == tokenizer.encode("The cat sleeps.")


ROOT = Path(__file__).parents[2]
TEXT = "Two young children are playing in the garden; the dog sleeps."
ELSEWHERE = f"""
import random
from model.checkpoints.checkpoint import SHIPPED
from model.tokenizer import Tokenizer
from pathlib import Path
tokenizer, rng = Tokenizer.load(Path(SHIPPED) / "tokenizer.model"), random.Random("pieces 3")
print([tokenizer.sample({TEXT!r}, 0.1, rng) for _ in range(5)])
"""


def every(word: str, segmenter: Segmenter, alpha: float) -> dict[tuple[int, ...], float]:
    """The probability of every segmentation of a word, by trying them all."""
    found = {(): 0.0} if not word else {}
    for end in range(1, len(word) + 1):
        for start, number, score in segmenter.pieces_at(word, end) if word else []:
            if start == 0:
                rest = every(word[end:], segmenter, alpha)
                found |= {(number, *ids): alpha * score + value for ids, value in rest.items()}
    return found


@each_case("alpha", [0.2, 1.0])
def test_segmentations_come_as_often_as_they_are_probable(tokenizer, alpha):
    segmenter, word, rng, count = tokenizer.segmenter, f"{WORD_START}garden", random.Random(1), 4000
    scores = every(word, segmenter, alpha)
    whole = math.fsum(math.exp(score) for score in scores.values())
    drawn = Counter(tuple(segmenter.draw(word, alpha, rng)) for _ in range(count))
    assert drawn.keys() <= scores.keys() and len(scores) > 3
    for ids, score in scores.items():
        expected = count * math.exp(score) / whole
        assert abs(drawn[ids] - expected) < 4 * math.sqrt(expected) + 1, ids


def test_a_sharp_choice_is_the_one_that_sentencepiece_makes(shipped, corpus):
    rng = random.Random(0)
    for text in (*corpus, "☃☃ x☃ naïve…", "a", "", "  two  blanks "):
        assert shipped.tokenizer.sample(text, 1000.0, rng) == shipped.tokenizer.encode(text)


def test_pieces_across_words_are_drawn_where_a_tokenizer_has_some():
    scores = {"a": (3, -1.0), "b": (4, -1.0), WORD_START: (5, -1.0), f"a{WORD_START}b": (6, -1.0)}
    segmenter = Segmenter(scores, unk_id=1)
    drawn = {tuple(segmenter.draw(f"a{WORD_START}b", 0.1, random.Random(seed))) for seed in range(50)}
    assert drawn == {(6,), (3, 5, 4)}


@pytest.mark.thorough
def test_another_process_draws_the_same(shipped):
    rng = random.Random("pieces 3")
    ours = [shipped.tokenizer.sample(TEXT, 0.1, rng) for _ in range(5)]
    told = subprocess.run([sys.executable, "-c", ELSEWHERE], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout == f"{ours}\n" and len(set(map(tuple, ours))) > 2
