"""Models that are built otherwise: stacks of two depths, and what Marian's models do differently.

Their fixtures are imported `as` themselves, which tells ruff that they are meant.
"""

from copy import copy

import pytest
from tiny_checkpoint import tiny_translator

from model.decoding import Translator
from model.tokenizer import Tokenizer

MARIAN = {"positions": "sinusoidal halves", "activation": "silu", "start": "pad", "n_layers": 3, "n_decoder_layers": 2}


def starting_from_padding(tokenizer: Tokenizer) -> Tokenizer:
    """One that has no piece of its own to start from."""
    same = copy(tokenizer)
    same.bos_id = same.pad_id
    return same


def marian(tokenizer: Tokenizer, **changes) -> Translator:
    """A random model with all that Marian does differently."""
    return tiny_translator(starting_from_padding(tokenizer), **MARIAN, **changes)


@pytest.fixture(params=[(3, 1), (1, 3)], ids=["3 and 1 layers", "1 and 3 layers"])
def uneven(tokenizer, request) -> Translator:
    """A random model whose stacks differ in depth."""
    encoder, decoder = request.param
    return tiny_translator(tokenizer, n_layers=encoder, n_decoder_layers=decoder)
