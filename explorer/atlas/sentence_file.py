"""The file of an atlas's sentences.

The header is {"format", "version", "model", "seed", "credit", "source", "target", "tokens", "bos", "eos"}: "format" is
"atlas", "model" the fingerprint of the checkpoint, "credit" whose sentences they are and under which licence, "source"
and "target" the languages as {"code", "name"}, "tokens" the texts of all tokens that occur (a token that begins a word
starts with U+2581), and "bos" and "eos" the indices of start and end among them. Arrays:

    token_id        uint16 or uint32 [tokens]      the id of every token in the vocabulary
    source_length   uint8 or uint16  [sentences]   in tokens, with the end
    written_length  uint8 or uint16  [sentences]   of what the model writes, with the end if it wrote it
    source          uint16 or uint32 [...]         the sources, one behind the other, as indices of tokens
    written         uint16 or uint32 [...]         what the model writes

Encoder positions are those of `source`. Decoder position i of `written` is where its token is written; the token that
is fed there is the one before, and the start at the first position of a sentence.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.atlas.array_file import ArrayFile, pack, smallest_type
from explorer.atlas.corpus import Corpus
from model.decoding import Translator
from model.errors import UserError

FORMAT, VERSION = "atlas", 1


def encode_sentences(translator: Translator, corpus: Corpus, header: dict[str, Any]) -> bytes:
    """The bytes of the file; `header` has "model", "seed" and "credit"."""
    tokenizer, languages = translator.tokenizer, translator.languages
    sides = [[i for ids in rows for i in ids] for rows in (corpus.src, corpus.tgt_out)]
    used = np.unique([*sides[0], *sides[1], tokenizer.bos_id, tokenizer.eos_id])
    index_type = smallest_type(len(used))

    def lengths(rows: Sequence[Sequence[int]]) -> np.ndarray:
        numbers = np.array([len(row) for row in rows])
        return numbers.astype(smallest_type(int(numbers.max())))

    return pack(
        {
            "format": FORMAT,
            "version": VERSION,
            **header,
            "source": {"code": languages.source.code, "name": languages.source.name},
            "target": {"code": languages.target.code, "name": languages.target.name},
            "tokens": tokenizer.pieces(used.tolist()),
            "bos": int(np.searchsorted(used, tokenizer.bos_id)),
            "eos": int(np.searchsorted(used, tokenizer.eos_id)),
        },
        {
            "token_id": used.astype(smallest_type(int(used.max()))),
            "source_length": lengths(corpus.src),
            "written_length": lengths(corpus.tgt_out),
            "source": np.searchsorted(used, sides[0]).astype(index_type),
            "written": np.searchsorted(used, sides[1]).astype(index_type),
        },
    )


def decode_sentences(file: ArrayFile) -> Corpus:
    """The sentences of a file, by the indices of its tokens.

    Raises UserError for another version, KeyError or ValueError if the file is not one of sentences.
    """
    if (file.header.get("format"), file.header.get("version")) != (FORMAT, VERSION):
        raise UserError("the atlas is of another version than this program reads")
    rows = [
        [row.tolist() for row in np.split(file.arrays[side].astype(np.int64), file.arrays[f"{side}_length"].cumsum())]
        for side in ("source", "written")
    ]
    return Corpus(rows[0][:-1], rows[1][:-1], file.header["bos"])
