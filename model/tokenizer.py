"""Text to pieces and back, with SentencePiece (Kudo and Richardson 2018, arXiv:1808.06226)."""

import io
import random
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Literal

import sentencepiece

from model.reading import read_bytes
from model.saving import write_together
from model.segmentation import WORD_START as WORD_START
from model.segmentation import Segmenter

TOKENIZER = "tokenizer.model"  # the file
LARGEST = 64_000_000  # bytes of a file
PAD, UNK, BOS, EOS = range(4)
SPECIAL_PIECES = ("<pad>", "<unk>", "<s>", "</s>")

Side = Literal["source", "target"]  # which of the two languages a text is in


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
        proto = read_bytes(path, LARGEST)
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
    def never_chosen(self) -> list[int]:
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

        They follow from the text, `alpha` and the state of `rng` alone, in every process (see `model.segmentation`).
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
