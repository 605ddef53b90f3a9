"""Checkpoints as models of the transformers package: the same ids, attention, logits and translations."""

import random
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from cases import sweep
from marian import Twins, assert_alike, greedy, peer_tokenizer
from reference import tiny_model

from model.checkpoints import checkpoint
from model.decoding import Translator
from model.evaluation.classroom import LISTS, read_list
from model.evaluation.robustness import SHIPPED_INPUTS, read_inputs
from model.opus import export
from model.tokenizer import Tokenizer

# The shipped model, and random ones.
MODELS: dict[str, dict[str, Any]] = {
    "shipped": {},
    "gelu, no biases of attention": {
        "activation": "gelu",
        "attention_bias": False,
        "n_layers": 1,
        "n_decoder_layers": 3,
    },
    "nothing tied": {"tying": "none", "n_heads": 2, "n_layers": 3, "n_decoder_layers": 1},
    "output tied": {"tying": "output", "activation": "silu"},
    "all sines first": {"positions": "sinusoidal halves", "n_heads": 1},
}
ODD = [
    "  two  blanks ",
    "</s> <s>",
    "the<unk>cat",
    "\u201cso\u201d\u2026",
    "猫 Æsop",
    "don\u00b4t",
    "a\tb\nc",
    "so >> <<",
]


def sentences() -> list[str]:
    """Two hundred: those of the assets, odd ones, and words of both at random."""
    known = [sentence.text for path in LISTS for sentence in read_list(path)] + ODD
    known += [pair.rough for pair in read_inputs(SHIPPED_INPUTS)]
    rng, words = random.Random(0), [word for text in known for word in text.split()]
    return [*known, *(" ".join(rng.choices(words, k=rng.randint(1, 12))) for _ in range(200 - len(known)))]


def exported(translator: Translator, folder: Path) -> Twins:
    from transformers import MarianMTModel

    folder.mkdir()
    for name, data in export.contents(translator):
        (folder / name).write_bytes(data)
    theirs, report = MarianMTModel.from_pretrained(folder, attn_implementation="eager", output_loading_info=True)
    assert not any(report.values()), report
    texts = [text for text in map(translator.tidy, sentences()) if text.strip()]
    return Twins(theirs.eval(), peer_tokenizer(folder), translator, texts)


def random_translator(tokenizer: Tokenizer, **changes: Any) -> Translator:
    """One that ends some of its translations, and does not always say the same."""
    sizes = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size, "max_len": 200}
    model = tiny_model(**sizes, **changes)
    with torch.no_grad():
        model.projection.bias[tokenizer.eos_id] += 1.5
    return Translator(model, tokenizer, {"tidying": "none"})


@pytest.fixture(scope="module", params=sweep(MODELS, "shipped", "gelu, no biases of attention"))
def twins(request, tmp_path_factory, tokenizer) -> Iterator[Twins]:
    is_shipped = request.param == "shipped"
    ours = checkpoint.load() if is_shipped else random_translator(tokenizer, **MODELS[request.param])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it recommends sacremoses, which it does not use here
        found = exported(ours, tmp_path_factory.mktemp("exported") / "folder")
        few = is_shipped and not request.config.option.thorough
        yield Twins(found.theirs, found.cut, found.ours, found.texts[60:90] if few else found.texts)


def test_sources_have_the_same_ids(twins):
    for text in twins.texts:
        assert twins.ours.source_ids(text) == twins.ids(text)[0].tolist(), text


def test_every_weight_of_attention_and_all_logits_agree(twins):
    for text, target in zip(twins.texts, twins.texts[1:], strict=False):
        assert_alike(twins, text, target)


def test_sentences_are_translated_alike(twins):
    theirs = greedy(twins, twins.texts)
    said = [twins.cut.decode(ids, skip_special_tokens=True) for ids in theirs]
    assert twins.ours.translate(twins.texts, batch_size=50) == said
    assert len({*said}) > len(said) / 2
