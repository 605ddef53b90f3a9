"""A tokenizer of a closed set of words: a SentencePiece model of the kind that has one piece for each."""

import io
from collections.abc import Sequence
from functools import cache

import sentencepiece

from model.tokenizer import BOS, EOS, PAD, SPECIAL_PIECES, UNK, Tokenizer


@cache
def tokenizer_of(words: Sequence[str]) -> Tokenizer:
    """Every word is a piece that begins a word; any other word is unknown. The same words give the same model."""
    file = io.BytesIO()
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter(words),
        model_writer=file,
        model_type="word",
        vocab_size=len(words) + len(SPECIAL_PIECES),
        pad_id=PAD,
        unk_id=UNK,
        bos_id=BOS,
        eos_id=EOS,
        pad_piece=SPECIAL_PIECES[PAD],
        minloglevel=2,
    )
    return Tokenizer(file.getvalue())
