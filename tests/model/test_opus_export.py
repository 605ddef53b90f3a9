"""Checkpoints as models of the transformers package: the same ids, attention, logits and translations."""

import random
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from cases import each_case, sweep
from marian import TAGS, Twins, assert_alike, greedy, peer_tokenizer, write_model, write_tokenizer
from reference import tiny_model
from safetensors.torch import load_file
from tiny_models import tiny_translator

from model.checkpoints import checkpoint
from model.decoding import Translator
from model.evaluation.classroom import LISTS, read_list
from model.evaluation.robustness import SHIPPED_INPUTS, read_inputs
from model.opus import export
from model.opus.__main__ import main
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
    options: dict[str, Any] = {"attn_implementation": "eager", "output_loading_info": True}
    loaded: Any = MarianMTModel.from_pretrained(folder, **options)
    theirs, report = loaded
    assert not any(report.values()), report
    texts = [text for text in map(translator.tidy, sentences()) if text.strip()]
    return Twins(theirs.eval(), peer_tokenizer(folder), translator, texts)


def random_translator(tokenizer: Tokenizer, **changes: Any) -> Translator:
    """One that ends some of its translations, does not always say the same, and would choose what it may not."""
    sizes = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size, "max_len": 200}
    model = tiny_model(**sizes, **changes)
    with torch.no_grad():
        model.projection.bias[tokenizer.eos_id] += 1.5
        model.projection.bias[[tokenizer.unk_id, tokenizer.bos_id]] += 4
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
    for text, target in zip(twins.texts[::5], twins.texts[1::5], strict=False):
        assert_alike(twins, text, target, logits="relative")  # those of the shipped model go up to 17


def test_sentences_are_translated_alike(twins):
    """Step by step: in a batch of ours, rounding may decide between two pieces of a random model."""
    texts, ours = twins.texts[::3], twins.ours
    theirs = greedy(twins, texts)
    assert [[step.id for step in ours.steps(ours.encode(ours.source_ids(text)))] for text in texts] == theirs
    assert len({*map(tuple, theirs)}) > 5  # the model does not always say the same


@each_case(
    ("changes", "said"),
    [
        ({"positions": "learned"}, 'sines and cosines as positions, and this model has "learned"'),
        ({"positions": "none"}, 'this model has "none"'),
        ({"d_head": 3}, r"this model's 4 are 3 \(queries, keys\) and 3 \(values\) of d_model 16"),
        ({"d_value": 5}, r"4 \(queries, keys\) and 5 \(values\)"),
    ],
)
def test_what_marian_lacks_is_refused_before_anything_is_written(tokenizer, tmp_path, changes, said):
    checkpoint.save(tiny_translator(tokenizer, **changes), tmp_path / "ours")
    with pytest.raises(SystemExit, match=said):
        main(["--export", str(tmp_path / "theirs"), "--model", str(tmp_path / "ours")])
    assert not (tmp_path / "theirs").exists()


def test_an_imported_model_comes_back_as_it_was_and_what_is_lost_is_said(corpus, tmp_path, capsys):
    theirs, made, back = (tmp_path / name for name in ("opus-mt-en-nl", "ours", "back"))
    theirs.mkdir()
    write_model(theirs, write_tokenizer(theirs, corpus, TAGS))
    main([str(theirs), str(made), "--target", "nld"])
    main(["--export", str(back), "--model", str(made)])
    before, after = (load_file(folder / "model.safetensors") for folder in (theirs, back))
    assert before.keys() == after.keys() and all(torch.equal(before[name], after[name]) for name in before)
    for name in ("source.spm", "target.spm", "vocab.json"):
        assert (theirs / name).read_bytes() == (back / name).read_bytes()
    said = capsys.readouterr().out
    assert ">>nld<< is not put in front of a text" in said and "ends after 63 pieces" in said and "tidied" not in said
    main([str(back), str(tmp_path / "again"), "--target", "nld"])
    assert checkpoint.load(tmp_path / "again").translate(corpus[:3]) == checkpoint.load(made).translate(corpus[:3])


def test_a_folder_of_another_model_is_not_written_over(tokenizer, tmp_path):
    checkpoint.save(tiny_translator(tokenizer), tmp_path / "ours")
    with pytest.raises(SystemExit, match="holds another model"):
        main(["--export", str(tmp_path / "ours"), "--model", str(tmp_path / "ours")])
    main(["--export", str(tmp_path / "theirs"), "--model", str(tmp_path / "ours")])
    main(["--export", str(tmp_path / "theirs"), "--model", str(tmp_path / "ours")])  # its own it is


@each_case("arguments", [[], ["name"], ["name", "folder", "--export", "other"], ["name", "folder", "--model", "mine"]])
def test_one_direction_at_a_time(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2 and "--export" in capsys.readouterr().err
