"""Text to pieces and back, with SentencePiece (Kudo and Richardson 2018, arXiv:1808.06226)."""

import io
import math
import random
from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Literal, NamedTuple

import sentencepiece
import torch
from jaxtyping import Int
from torch import Tensor

from model.files import read_bytes, write_together

WORD_START = "\u2581"  # SentencePiece's mark
UNKNOWN_PENALTY = 10.0  # SentencePiece's: how much less probable a character without a piece is than any piece
CACHED_WORDS = 20_000  # that are remembered
TOKENIZER = "tokenizer.model"  # the file
MAX_TOKENIZER_BYTES = 64_000_000  # bytes of a file
PAD, UNK, BOS, EOS = range(4)
SPECIAL_PIECES = ("<pad>", "<unk>", "<s>", "</s>")
Side = Literal["source", "target"]  # which of the two languages a text is in


class PieceEnds(NamedTuple):
    """The pieces that may end at a place of a word: where each begins, and the chances of it or one before it."""

    starts: list[int]
    ids: list[int]
    chances: list[float]  # cumulative; the last is 1


class Segmenter:
    """Draws segmentations by their probability under a unigram model: the product of its pieces'."""

    def __init__(self, scores: Mapping[str, tuple[int, float]], unk_id: int):
        """`scores` are id and log-probability of every piece."""
        self.scores = scores
        self.unk_id = unk_id
        self.unknown_score = min(score for _, score in scores.values()) - UNKNOWN_PENALTY
        self.longest = max(map(len, scores))
        # Words are independent of each other where no piece reaches from one into the next.
        self.by_word = not any(WORD_START in piece[1:] for piece in scores)
        self.endings = lru_cache(CACHED_WORDS)(self.find_endings)

    def pieces_at(self, word: str, end: int) -> list[tuple[int, int, float]]:
        """Begin, id and score of all pieces that end there; a character that is no piece is unknown."""
        begins = range(max(0, end - self.longest), end)
        found = [(start, *self.scores[word[start:end]]) for start in begins if word[start:end] in self.scores]
        alone = bool(found) and found[-1][0] == end - 1
        return found if alone else [*found, (end - 1, self.unk_id, self.unknown_score)]

    def find_endings(self, word: str, alpha: float) -> list[PieceEnds]:
        """Forward filtering: for every place of a word what may end there, by the probability of all before it."""
        total, endings = [0.0], []
        for end in range(1, len(word) + 1):
            starts, ids, scores = map(list, zip(*self.pieces_at(word, end), strict=True))
            sums = [total[start] + alpha * score for start, score in zip(starts, scores, strict=True)]
            largest = max(sums)
            weights = [math.exp(value - largest) for value in sums]
            whole = math.fsum(weights)
            total.append(largest + math.log(whole))
            endings.append(PieceEnds(starts, ids, [*accumulate(weight / whole for weight in weights)]))
        return endings

    def draw(self, text: str, alpha: float, rng: random.Random) -> list[int]:
        """Ids of a segmentation of a normalised text, drawn from its end backwards, with probability ~ p ** alpha."""
        words = [word for word in text.replace(WORD_START, f" {WORD_START}").split(" ") if word]
        ids: list[int] = []
        for word in reversed(words if self.by_word else [text]):
            endings, end = self.endings(word, alpha), len(word)
            while end:
                starts, candidates, chances = endings[end - 1]
                chosen = min(bisect(chances, rng.random()), len(starts) - 1)  # rounding may leave the last below 1
                end = starts[chosen]
                # Like SentencePiece, which shows several unknown characters in a row as one piece.
                if candidates[chosen] != self.unk_id or ids[-1:] != [self.unk_id]:
                    ids.append(candidates[chosen])
        return ids[::-1]


class Tokenizer:
    """One SentencePiece model for both languages. A piece that begins a word starts with WORD_START.

    `bos_id` is the piece that decoding starts from. Whoever encodes a text says whose language it is in, for a
    tokenizer that has a model for each (`model.opus.tokenizer`); to this one it is all the same.
    """

    def __init__(self, proto: bytes):
        self.proto = proto
        self._processor = sentencepiece.SentencePieceProcessor(model_proto=proto)  # type: ignore[call-arg]
        self.pad_id: int = self._processor.pad_id()
        self.unk_id: int = self._processor.unk_id()
        self.bos_id: int = self._processor.bos_id()
        self.eos_id: int = self._processor.eos_id()
        if self.pad_id < 0:
            raise ValueError("the tokenizer has no padding piece; train it with python -m model.train")

    @classmethod
    def train(cls, sentences: Iterable[str], vocab_size: int, kind: str = "unigram") -> "Tokenizer":
        """Learns a model of `vocab_size` pieces, the four special ones included; SentencePiece has several kinds."""
        file = io.BytesIO()
        sentencepiece.SentencePieceTrainer.Train(
            sentence_iterator=iter(sentences),
            model_writer=file,
            model_type=kind,
            vocab_size=vocab_size,
            character_coverage=0.9999,
            pad_id=PAD,
            unk_id=UNK,
            bos_id=BOS,
            eos_id=EOS,
            pad_piece=SPECIAL_PIECES[PAD],
            minloglevel=1,
        )
        return cls(file.getvalue())

    @classmethod
    def load(cls, path: Path) -> "Tokenizer":
        """Raises OSError or ValueError where the file holds no SentencePiece model."""
        proto = read_bytes(path, MAX_TOKENIZER_BYTES)
        if not proto:
            raise ValueError(f"{path.name} is empty")
        try:
            return cls(proto)
        except RuntimeError as error:
            raise ValueError(f"{path.name} is no SentencePiece model, or a damaged one") from error

    def files(self) -> dict[str, bytes]:
        """What a checkpoint keeps of it: files by their names."""
        return {TOKENIZER: self.proto}

    def save(self, folder: Path) -> None:
        """Writes its files. Raises SaveError where one cannot be written."""
        write_together(folder, self.files().items())

    @property
    def vocab_size(self) -> int:
        return self._processor.get_piece_size()

    @property
    def tags(self) -> list[str]:
        """The pieces in front of a source that say what to translate into: here none."""
        return []

    @property
    def excluded_ids(self) -> list[int]:
        """The ids of the pieces that mean nothing in a translation."""
        return [self.pad_id, self.unk_id, self.bos_id]

    def encode(self, text: str, side: Side = "source") -> list[int]:
        """Ids of the pieces, without start or end."""
        return self._processor.encode(text)

    def encode_all(self, texts: Sequence[str], side: Side = "source") -> list[list[int]]:
        """The same for many texts at once."""
        return self._processor.encode(list(texts))

    @cached_property
    def segmenter(self) -> Segmenter:
        """What draws segmentations by the scores of this tokenizer's pieces."""
        known, special = self._processor, (self._processor.is_control, self._processor.is_unknown)
        ids = [i for i in range(self.vocab_size) if not any(is_special(i) for is_special in special)]
        return Segmenter({known.id_to_piece(i): (i, known.get_score(i)) for i in ids}, self.unk_id)

    def sample(self, text: str, alpha: float, rng: random.Random) -> list[int]:
        """Ids of a random segmentation, the likelier the more probable, the more so the larger `alpha` is.

        They follow from the text, `alpha` and the state of `rng` alone, in every process (see `Segmenter`).
        """
        return self.segmenter.draw(self._processor.normalize(text), alpha, rng)

    def decode(self, ids: Sequence[int]) -> str:
        """Plain text again; start, end and padding vanish, an unknown piece becomes " ⁇ "."""
        return self._processor.decode([int(i) for i in ids])

    def pieces(self, ids: Sequence[int]) -> list[str]:
        """The pieces as they stand in the vocabulary."""
        return [self._processor.id_to_piece(int(i)) for i in ids]

    def surfaces(self, text: str, side: Side = "source") -> list[str]:
        """The pieces of `encode(text)` as text: an unknown piece is shown as the characters it stands for."""
        return self._processor.encode_as_pieces(text)


def pad(rows: Sequence[list[int]], pad_id: int) -> Int[Tensor, "batch position"]:
    """Rows of unequal length to one tensor, filled up on the right."""
    length = max(len(row) for row in rows)
    return torch.tensor([row + [pad_id] * (length - len(row)) for row in rows])
