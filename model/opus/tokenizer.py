"""The tokenizer of the OPUS-MT models: a SentencePiece model for each language, and one vocabulary for both.

SentencePiece splits a text, and the vocabulary gives the ids; a piece that it does not contain is unknown. The ids are
those of `MarianTokenizer` in the `transformers` package, except that a special piece such as "</s>" in a text stays
text here (as there with `split_special_tokens=True`).
"""

import json
import os
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import StrictInt, TypeAdapter

from model.errors import UserError
from model.files import named_faults, read_bytes
from model.tokenizer import MAX_TOKENIZER_BYTES, WORD_START, Side, Tokenizer, load_processor, require_characters

SOURCE, TARGET, VOCABULARY = "source.spm", "target.spm", "vocab.json"  # as in the public repositories
DEFAULT_TAG = "target_tag.json"  # added here: the tag of texts without one
FILES = (SOURCE, TARGET, VOCABULARY, DEFAULT_TAG)
REQUIRED_FILES = (SOURCE, TARGET, VOCABULARY)
PAD, UNK, EOS = "<pad>", "<unk>", "</s>"
IDS, TAGS = TypeAdapter(dict[str, StrictInt]), TypeAdapter(dict[str, str])  # the content of both JSON files


class TwoModels(Tokenizer):
    """Decoding starts from the padding piece, so `bos_id` is `pad_id`.

    A text may begin with a tag such as ">>fra<<", which chooses the target language and is one piece. A source without
    a tag gets the `default_tag`, if there is one. A tag that is not in the vocabulary is an unknown piece.
    """

    def __init__(self, files: Mapping[str, bytes]):
        """Raises UserError if one of the files is missing or invalid."""
        self._files = {name: files[name] for name in FILES if name in files}
        if missing := set(REQUIRED_FILES) - self._files.keys():
            raise UserError(f"{min(missing)} is missing")
        self._sides = {"source": load_processor(SOURCE, files[SOURCE]), "target": load_processor(TARGET, files[TARGET])}
        self._ids = parse_vocabulary(files[VOCABULARY])
        self._pieces = sorted(self._ids, key=self._ids.__getitem__)
        self._tags = [piece for piece in self._pieces if piece.startswith(">>") and piece.endswith("<<")]
        self.pad_id = self.bos_id = self._ids[PAD]
        self.unk_id, self.eos_id = self._ids[UNK], self._ids[EOS]
        self.default_tag = parse_default_tag(files[DEFAULT_TAG], self.tags) if DEFAULT_TAG in files else ""

    @classmethod
    def load(cls, path: Path) -> "TwoModels":
        """Reads the files in a folder. Raises OSError or UserError if one is missing or invalid."""
        names = [*REQUIRED_FILES, *([DEFAULT_TAG] if os.path.lexists(path / DEFAULT_TAG) else [])]
        return cls({name: read_bytes(path / name, MAX_TOKENIZER_BYTES) for name in names})

    def files(self) -> dict[str, bytes]:
        return dict(self._files)

    @property
    def tags(self) -> list[str]:
        """The tags of target languages in the vocabulary."""
        return self._tags

    @property
    def vocab_size(self) -> int:
        return len(self._pieces)

    @property
    def excluded_ids(self) -> list[int]:
        """Only padding, as in Marian: the unknown piece may be chosen."""
        return [self.pad_id]

    def surfaces(self, text: str, side: Side = "source") -> list[str]:
        """The pieces as text; an unknown piece is shown as its characters."""
        require_characters(text)
        tag, rest = split_tag(text)
        pieces = self._sides[side].encode_as_pieces(rest)
        if not tag and pieces and side == "source":
            tag = self.default_tag
        return [tag, *pieces] if tag else pieces

    def encode(self, text: str, side: Side = "source") -> list[int]:
        return [self._ids.get(piece, self.unk_id) for piece in self.surfaces(text, side)]

    def encode_all(self, texts: Sequence[str], side: Side = "source") -> list[list[int]]:
        return [self.encode(text, side) for text in texts]

    def sample(self, text: str, alpha: float, rng: random.Random) -> list[int]:
        raise UserError("an OPUS-MT tokenizer cuts a text in one way only: sampling of tokens is not for it")

    def decode(self, ids: Sequence[int]) -> str:
        """The text of the pieces; end, padding and unknown pieces vanish, a tag stays."""
        omitted = (self.pad_id, self.eos_id, self.unk_id)
        pieces = self.pieces([i for i in ids if i not in omitted])
        return self._sides["target"].decode_pieces(pieces).replace(WORD_START, " ").strip()

    def pieces(self, ids: Sequence[int]) -> list[str]:
        if any(i < 0 for i in ids):
            raise IndexError("a piece's id is at least 0")
        return [self._pieces[int(i)] for i in ids]


def split_tag(text: str) -> tuple[str, str]:
    """The tag at the beginning of a text, or an empty one, and the rest."""
    end = text.find("<<") + 2
    return (text[:end], text[end:]) if text.startswith(">>") and end > 1 else ("", text)


def parse_vocabulary(data: bytes) -> dict[str, int]:
    """The ids by piece. Raises UserError unless they are 0, 1, 2 and so on, and include the special pieces."""
    with named_faults(VOCABULARY):
        ids = IDS.validate_json(data)
    if sorted(ids.values()) != list(range(len(ids))):
        raise UserError(f"{VOCABULARY} must hold every number from 0 to {len(ids) - 1} once, and each token once")
    for piece in (PAD, UNK, EOS):
        if piece not in ids:
            raise UserError(f"{VOCABULARY} has no token {piece}")
    return ids


def tag_file(tag: str) -> bytes:
    """The content of the file that names a default tag."""
    return (json.dumps({"default": tag}, ensure_ascii=False) + "\n").encode()


def parse_default_tag(data: bytes, tags: Sequence[str]) -> str:
    """The default tag in a file such as {"default": ">>fra<<"}."""
    with named_faults(DEFAULT_TAG):
        names = TAGS.validate_json(data)
    if [*names] != ["default"] or names["default"] not in tags:
        raise UserError(f'{DEFAULT_TAG} must name a tag of the vocabulary as "default", and nothing else')
    return names["default"]
