"""OPUS-MT models as ours, against MarianMTModel of the transformers package: ids, attention, logits, translations."""

import random
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cases import sweep
from marian import TAGS, Twins, assert_alike, greedy, peer_tokenizer, write_model, write_tokenizer

from model.checkpoints import checkpoint

# Depths, heads, activation, sizes, format of the weights, and a multilingual one.
SHAPES: dict[str, dict[str, Any]] = {
    "swish": {"safe": False},
    "relu, a deep encoder": {"activation_function": "relu", "encoder_layers": 3, "decoder_layers": 1},
    "gelu, a deep decoder": {"activation_function": "gelu", "encoder_layers": 1, "decoder_layers": 3, "d_model": 24},
    "one head": {"encoder_attention_heads": 1, "decoder_attention_heads": 1, "d_model": 20, "safe": False},
    "tags": {"encoder_attention_heads": 8, "decoder_attention_heads": 8, "tags": TAGS},
}


def sentences(corpus: list[str], count: int) -> list[str]:
    """Words of a corpus at random, and some that it has not."""
    rng = random.Random(0)
    words = [*(word for line in corpus for word in line.split()), "Æsop", "猫"]  # and what is tidied elsewhere:
    words += ["\u201cIt\u2019s", "don\u00b4t\u201d", "\u00ab oui \u00bb !", "so ,so"]
    return [" ".join(rng.choices(words, k=rng.randint(1, 6))) for _ in range(count)]


@pytest.fixture(scope="module", params=sweep(SHAPES, "swish", "tags"))
def twins(request, tmp_path_factory, corpus) -> Iterator[Twins]:
    shape = dict(SHAPES[request.param])
    folder = tmp_path_factory.mktemp("marian")
    tags = shape.pop("tags", ())
    theirs = write_model(folder, write_tokenizer(folder, corpus, tags), **shape)
    texts = [f"{tags[i % 2]} {text}" if tags else text for i, text in enumerate(sentences(corpus, 100))]
    made = folder / "ours"
    convert(folder, made, "nld" if tags else "")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it recommends sacremoses, which it does not use here
        yield Twins(theirs, peer_tokenizer(folder), checkpoint.load(made), texts)


def convert(folder: Path, made: Path, target: str = "") -> None:
    from model.opus.__main__ import main

    main([str(folder), str(made), "--target", target, "--languages", "en:English", "nl:Dutch"])


def test_sources_have_the_same_ids(twins):
    for text in twins.texts:
        assert twins.ours.source_ids(text) == twins.ids(text)[0].tolist(), text


def test_every_weight_of_attention_and_all_logits_agree(twins):
    for number, text in enumerate(twins.texts[:8]):
        assert_alike(twins, text, twins.texts[number + 1])


def test_a_hundred_sentences_are_translated_alike(twins):
    theirs = greedy(twins, twins.texts)
    said = [twins.cut.decode(ids, skip_special_tokens=True) for ids in theirs]
    assert twins.ours.translate(twins.texts, batch_size=50) == said
    ended = sum(ids[-1] == twins.ours.tokenizer.eos_id for ids in theirs)
    assert len(theirs) == 100 and len({*said}) > 15 and 100 > ended > 2  # the model does not always say the same
