"""Text to pieces and back, with SentencePiece (Kudo and Richardson 2018, arXiv:1808.06226).

Random segmentations (subword regularisation: Kudo 2018, arXiv:1804.10959, section 3.3) are drawn here, because
SentencePiece seeds its own sampling anew in every process: a run could be neither repeated nor resumed exactly.
"""

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

from model.errors import UserError
from model.files import read_bytes, write_together

WORD_START = "\u2581"  # SentencePiece's mark
UNKNOWN_PENALTY = 10.0  # as in SentencePiece: how much less probable a character without a piece is than any piece
CACHED_WORDS = 20_000
TOKENIZER = "tokenizer.model"  # file name
MAX_TOKENIZER_BYTES = 64_000_000
PAD, UNK, BOS, EOS = range(4)
SPECIAL_PIECES = ("<pad>", "<unk>", "<s>", "</s>")
Side = Literal["source", "target"]  # the language of a text


class PieceEnds(NamedTuple):
    """The pieces that may end at a position of a word: their starts, ids and cumulative probabilities."""

    starts: list[int]
    ids: list[int]
    cumulative: list[float]  # the last is 1


class Segmenter:
    """Draws segmentations in proportion to their probability, which is the product of their pieces' probabilities."""

    def __init__(self, scores: Mapping[str, tuple[int, float]], unk_id: int):
        """`scores` are the id and log-probability of every piece."""
        self.scores = scores
        self.unk_id = unk_id
        self.unknown_score = min(score for _, score in scores.values()) - UNKNOWN_PENALTY
        self.longest = max(map(len, scores))
        # Words are independent of each other if no piece spans two of them.
        self.by_word = not any(WORD_START in piece[1:] for piece in scores)
        self.endings = lru_cache(CACHED_WORDS)(self.find_endings)

    def pieces_at(self, word: str, end: int) -> list[tuple[int, int, float]]:
        """Start, id and score of all pieces of a word that end at `end`; a character without a piece is unknown."""
        starts = range(max(0, end - self.longest), end)
        pieces = [(start, *self.scores[word[start:end]]) for start in starts if word[start:end] in self.scores]
        has_character = bool(pieces) and pieces[-1][0] == end - 1
        return pieces if has_character else [*pieces, (end - 1, self.unk_id, self.unknown_score)]

    def find_endings(self, word: str, alpha: float) -> list[PieceEnds]:
        """Forward filtering: the pieces that may end at every position of a word, with their probabilities."""
        total, endings = [0.0], []
        for end in range(1, len(word) + 1):
            starts, ids, scores = map(list, zip(*self.pieces_at(word, end), strict=True))
            sums = [total[start] + alpha * score for start, score in zip(starts, scores, strict=True)]
            largest = max(sums)
            weights = [math.exp(value - largest) for value in sums]
            normaliser = math.fsum(weights)
            total.append(largest + math.log(normaliser))
            endings.append(PieceEnds(starts, ids, [*accumulate(weight / normaliser for weight in weights)]))
        return endings

    def draw(self, text: str, alpha: float, rng: random.Random) -> list[int]:
        """Ids of a segmentation of a normalised text, drawn from its end backwards with probability ~ p ** alpha."""
        words = [word for word in text.replace(WORD_START, f" {WORD_START}").split(" ") if word]
        ids: list[int] = []
        for word in reversed(words if self.by_word else [text]):
            endings, end = self.endings(word, alpha), len(word)
            while end:
                starts, candidates, cumulative = endings[end - 1]
                chosen = min(bisect(cumulative, rng.random()), len(starts) - 1)  # rounding may leave the last below 1
                end = starts[chosen]
                # Like SentencePiece, which makes one piece of several unknown characters in a row.
                if candidates[chosen] != self.unk_id or ids[-1:] != [self.unk_id]:
                    ids.append(candidates[chosen])
        return ids[::-1]


def load_processor(name: str, proto: bytes) -> sentencepiece.SentencePieceProcessor:
    """The SentencePiece model in the bytes of a file. Raises UserError, with the file's name, if there is none."""
    if not proto:
        raise UserError(f"{name} is empty")
    try:
        return sentencepiece.SentencePieceProcessor(model_proto=proto)  # type: ignore[call-arg]
    except RuntimeError as error:
        raise UserError(f"{name} is no SentencePiece model, or a damaged one") from error


def require_characters(text: str) -> None:
    """Raises UserError if a text contains half of a surrogate pair, as only Python's can."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        code = f"U+{ord(text[error.start]):04X}"
        raise UserError(f"The text contains {code}, which is half of a surrogate pair and no character.") from error


class Tokenizer:
    """One SentencePiece model for both languages. A piece that begins a word starts with WORD_START.

    Decoding starts from the piece `bos_id`. Encoding takes the side of a text for tokenizers with a model for each
    language (`model.opus.tokenizer`); this one ignores it.
    """

    def __init__(self, proto: bytes):
        self.proto = proto
        self._processor = load_processor(TOKENIZER, proto)
        self.pad_id: int = self._processor.pad_id()
        self.unk_id: int = self._processor.unk_id()
        self.bos_id: int = self._processor.bos_id()
        self.eos_id: int = self._processor.eos_id()
        if self.pad_id < 0:
            raise UserError("the tokenizer has no padding token; train it with python -m model.train")

    @classmethod
    def train(cls, sentences: Iterable[str], vocab_size: int, kind: str = "unigram") -> "Tokenizer":
        """Learns a model of `vocab_size` pieces, including the four special ones; `kind` is one of SentencePiece's."""
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
        """Reads a file. Raises OSError or UserError if it is not a SentencePiece model."""
        return cls(read_bytes(path, MAX_TOKENIZER_BYTES))

    def files(self) -> dict[str, bytes]:
        """The files of the tokenizer in a checkpoint, by name."""
        return {TOKENIZER: self.proto}

    def save(self, folder: Path) -> None:
        """Writes the files. Raises SaveError if one cannot be written."""
        write_together(folder, self.files().items())

    @property
    def vocab_size(self) -> int:
        """The number of pieces."""
        return self._processor.get_piece_size()

    @property
    def tags(self) -> list[str]:
        """Pieces in front of a source that choose the target language: none here."""
        return []

    @property
    def excluded_ids(self) -> list[int]:
        """The ids of pieces that no translation may contain."""
        return [self.pad_id, self.unk_id, self.bos_id]

    def encode(self, text: str, side: Side = "source") -> list[int]:
        """The ids of the pieces, without start or end. Raises UserError for what is no text (`require_characters`)."""
        require_characters(text)
        return self._processor.encode(text)

    def encode_all(self, texts: Sequence[str], side: Side = "source") -> list[list[int]]:
        """The same for many texts at once."""
        for text in texts:
            require_characters(text)
        return self._processor.encode(list(texts))

    @cached_property
    def segmenter(self) -> Segmenter:
        """Draws segmentations by the scores of this tokenizer's pieces."""
        processor, special = self._processor, (self._processor.is_control, self._processor.is_unknown)
        ids = [i for i in range(self.vocab_size) if not any(is_special(i) for is_special in special)]
        return Segmenter({processor.id_to_piece(i): (i, processor.get_score(i)) for i in ids}, self.unk_id)

    def sample(self, text: str, alpha: float, rng: random.Random) -> list[int]:
        """The ids of a random segmentation; the larger `alpha`, the more it favours probable ones.

        They depend on the text, `alpha` and the state of `rng` alone.
        """
        require_characters(text)
        return self.segmenter.draw(self._processor.normalize(text), alpha, rng)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of the pieces; start, end and padding vanish, an unknown piece becomes " ⁇ "."""
        return self._processor.decode([int(i) for i in ids])

    def pieces(self, ids: Sequence[int]) -> list[str]:
        """The pieces as in the vocabulary."""
        return [self._processor.id_to_piece(int(i)) for i in ids]

    def surfaces(self, text: str, side: Side = "source") -> list[str]:
        """The pieces of `encode(text)` as text; an unknown piece is shown as its characters."""
        require_characters(text)
        return self._processor.encode_as_pieces(text)


def pad(rows: Sequence[list[int]], pad_id: int) -> Int[Tensor, "batch position"]:
    """Rows of ids as one tensor, padded on the right."""
    length = max(len(row) for row in rows)
    return torch.tensor([row + [pad_id] * (length - len(row)) for row in rows])
