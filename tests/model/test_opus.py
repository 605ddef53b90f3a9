"""OPUS-MT models as ours, and ours as models of transformers: the same ids, attention, logits and translations.

The proof on a real OPUS-MT model that this machine has in its cache of the Hugging Face Hub:

    OPUS=Helsinki-NLP/opus-mt-en-fr python -m pytest tests/model/test_opus.py

A model with several target languages needs a tag in front: OPUS_TAG=">>ron<<".
"""

import os
import random
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from cases import each_case, sweep
from huggingface_hub import constants
from marian import TAGS, Twins, assert_alike, greedy, peer_tokenizer, write_model, write_tokenizer
from reference import tiny_model
from safetensors.torch import load_file
from tiny_models import tiny_translator

from model.checkpoints import checkpoint
from model.decoding import Translator
from model.opus import export, marian
from model.opus.__main__ import main
from model.tidying import rules_of
from model.tokenizer import Tokenizer
from tools.robustness import SHIPPED_INPUTS, read_inputs
from tools.sentence_lists import LISTS, read_list

# Depths, heads, activation, sizes, format of the weights, and a multilingual one.
SHAPES: dict[str, dict[str, Any]] = {
    "swish": {"safe": False},
    "relu, a deep encoder": {"activation_function": "relu", "encoder_layers": 3, "decoder_layers": 1},
    "gelu, a deep decoder": {"activation_function": "gelu", "encoder_layers": 1, "decoder_layers": 3, "d_model": 24},
    "one head": {"encoder_attention_heads": 1, "decoder_attention_heads": 1, "d_model": 20, "safe": False},
    "tags": {"encoder_attention_heads": 8, "decoder_attention_heads": 8, "tags": TAGS},
}
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
REAL, TAG = os.environ.get("OPUS", ""), os.environ.get("OPUS_TAG", "")
LINES = [sentence.text for path in LISTS for sentence in read_list(path)]
ODD = ["  two  blanks ", "</s> <s>", "the<unk>cat", "\u201cso\u201d\u2026", "猫 Æsop", "don\u00b4t", "a\tb\nc"]
ODD += ["so >> <<", "so ,so", "\u00ab oui \u00bb !"]


def sentences(known: list[str], count: int) -> list[str]:
    """Words of known sentences at random."""
    rng, words = random.Random(0), [word for text in known for word in text.split()]
    return [" ".join(rng.choices(words, k=rng.randint(1, 8))) for _ in range(count)]


def imported(folder: Path, corpus: list[str], tags: tuple[str, ...] = (), **shape: Any) -> Twins:
    theirs = write_model(folder, write_tokenizer(folder, corpus, tags), **shape)
    texts = [f"{tags[i % 2]} {text}" if tags else text for i, text in enumerate(sentences([*corpus, *ODD[3:]], 60))]
    languages = ["--languages", "en:English", "nl:Dutch"]
    main([str(folder), str(folder / "ours"), "--target", "nld" if tags else "", *languages])
    return Twins(theirs, peer_tokenizer(folder), checkpoint.load(folder / "ours"), texts)


def exported(translator: Translator, folder: Path, texts: list[str]) -> Twins:
    from transformers import MarianMTModel

    for name, data in export.contents(translator):
        (folder / name).write_bytes(data)
    options: dict[str, Any] = {"attn_implementation": "eager", "output_loading_info": True}
    loaded: Any = MarianMTModel.from_pretrained(folder, **options)
    theirs, report = loaded
    assert not any(report.values()), report
    texts = [text for text in map(translator.tidy, texts) if text.strip()]
    return Twins(theirs.eval(), peer_tokenizer(folder), translator, texts)


def real(patch: pytest.MonkeyPatch) -> Twins:
    from transformers import MarianMTModel

    patch.setattr(constants, "HF_HUB_OFFLINE", True)
    folder, origin = marian.fetch(REAL)
    ours = marian.convert(folder, origin, target=TAG.strip("<>") or "none").translator
    theirs = MarianMTModel.from_pretrained(folder, attn_implementation="eager").eval()
    return Twins(theirs, peer_tokenizer(folder), ours, [f"{TAG} {line}".strip() for line in LINES])


def random_translator(tokenizer: Tokenizer, **changes: Any) -> Translator:
    """One that ends some of its translations, does not always say the same, and would choose what it may not."""
    sizes = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size, "max_len": 100}
    model = tiny_model(**sizes, **changes)
    with torch.no_grad():
        model.projection.bias[tokenizer.eos_id] += 1.5
        model.projection.bias[[tokenizer.unk_id, tokenizer.bos_id]] += 4
    return Translator(model, tokenizer, {"tidying": "none"})


REALS = [REAL] if REAL else []
ORDINARY = ["swish", "tags", "shipped", *REALS]


@pytest.fixture(scope="module", params=sweep([*SHAPES, *MODELS, *REALS], *ORDINARY))
def twins(request, tmp_path_factory, corpus, tokenizer) -> Iterator[Twins]:
    kind, folder = request.param, tmp_path_factory.mktemp("marian")
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of sacremoses, and of what a public configuration says besides
        if kind in SHAPES:
            yield imported(folder, corpus, **SHAPES[kind])
        elif kind == "shipped":
            texts = [*ODD, *LINES, *(given.rough for given in read_inputs(SHIPPED_INPUTS))]
            few = texts if request.config.option.thorough else texts[:: len(texts) // 30]
            yield exported(checkpoint.load(), folder, few)
        elif kind in MODELS:
            texts = [*ODD, *sentences([*LINES, *ODD], 60)]
            yield exported(random_translator(tokenizer, **MODELS[kind]), folder, texts)
        else:
            yield real(patch)


def test_sources_have_the_same_ids(twins):
    for text in twins.texts:
        assert twins.ours.source_ids(text) == twins.ids(text)[0].tolist(), text


def test_every_weight_of_attention_and_all_logits_agree(twins):
    for text, target in zip(twins.texts[::5], twins.texts[1::5], strict=False):
        assert_alike(twins, text, target)


def test_sentences_are_translated_alike(twins):
    """Step by step: in a batch of ours, rounding may decide between two pieces of a random model."""
    twins = twins.in_double_precision
    texts, ours = twins.texts[::3], twins.ours
    theirs = greedy(twins, texts)
    assert [[step.id for step in ours.steps(ours.encode(ours.source_ids(text)))] for text in texts] == theirs
    said = [twins.cut.decode(ids, skip_special_tokens=True) for ids in theirs]
    assert [ours.tokenizer.decode(ours.clean(ids)).strip() for ids in theirs] == said  # Marian's tokenizer strips
    assert len({*said}) > 4  # the model does not always say the same


@each_case(
    ("changes", "said"),
    [
        ({"positions": "learned"}, 'sines and cosines as positions, and this model has "learned"'),
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
    assert ">>nld<< is not put in front of a text" in said and "ends after 63 tokens" in said and "tidied" not in said
    main([str(back), str(tmp_path / "again")])
    again = {path.name: path.read_bytes() for path in (tmp_path / "again").iterdir()}
    assert again == {path.name: path.read_bytes() for path in made.iterdir()}


KEPT = ("config.json", "tokenizer.model", "checksums.json")  # the last is of weights and tokenizer


@pytest.mark.parametrize("kind", sweep(MODELS, "nothing tied"))
def test_a_model_of_ours_comes_back_bit_for_bit(tokenizer, tmp_path, kind):
    changes = MODELS[kind]
    ours, theirs, back, again = (tmp_path / name for name in ("ours", "theirs", "back", "again"))
    translator = random_translator(tokenizer, **changes) if changes else checkpoint.load()
    checkpoint.save(translator, ours)
    main(["--export", str(theirs), "--model", str(ours)])
    main([str(theirs), str(back)])
    main(["--export", str(again), "--model", str(back)])
    for name in (*KEPT, *(path.name for path in ours.glob("model*"))):
        assert (back / name).read_bytes() == (ours / name).read_bytes(), name
    assert {path.name: path.read_bytes() for path in again.iterdir()} == {
        path.name: path.read_bytes() for path in theirs.iterdir()
    }
    before, after = checkpoint.load(ours), checkpoint.load(back)
    assert rules_of(before.record) == rules_of(after.record) and before.languages == after.languages


@pytest.mark.filterwarnings("ignore:Recommended. pip install sacremoses")
@each_case("changes", [{"attention_bias": False}, {"tying": "output"}, {"tying": "none"}])
def test_a_model_of_ours_comes_back_from_another_library_that_saved_it(tokenizer, tmp_path, changes):
    from transformers import MarianMTModel

    ours, theirs, saved, back = (tmp_path / name for name in ("ours", "theirs", "saved", "back"))
    checkpoint.save(random_translator(tokenizer, **changes), ours)
    main(["--export", str(theirs), "--model", str(ours)])
    MarianMTModel.from_pretrained(theirs).save_pretrained(saved, max_shard_size="10KB")
    peer_tokenizer(theirs).save_pretrained(saved)
    main([str(saved), str(back)])
    for name in ("config.json", "tokenizer.model", "model.safetensors"):
        assert (back / name).read_bytes() == (ours / name).read_bytes(), name


@each_case(
    ("name", "change", "said"),
    [
        (
            "config.json",
            lambda text: text.replace('"d_model": 16', '"d_model": 32', 1),
            "d_model is 32, and 16 by what",
        ),
        (
            "config.json",
            lambda text: text.replace('"tidying": "none"', '"tidying": "odd"'),
            "attention_explorer: tidying",
        ),
        (
            "vocab.json",
            lambda text: text.replace('"<s>"', '"<t>"'),
            "are not of one tokenizer, as they are in an export",
        ),
    ],
)
def test_an_export_that_was_changed_is_refused_by_name(tokenizer, tmp_path, name, change, said):
    checkpoint.save(random_translator(tokenizer), tmp_path / "ours")
    main(["--export", str(tmp_path / "theirs"), "--model", str(tmp_path / "ours")])
    path = tmp_path / "theirs" / name
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(SystemExit, match=said):
        main([str(tmp_path / "theirs"), str(tmp_path / "back")])


def test_a_folder_of_another_model_is_not_written_over(tokenizer, tmp_path):
    checkpoint.save(tiny_translator(tokenizer), tmp_path / "ours")
    with pytest.raises(SystemExit, match="holds another model"):
        main(["--export", str(tmp_path / "ours"), "--model", str(tmp_path / "ours")])
    main(["--export", str(tmp_path / "theirs"), "--model", str(tmp_path / "ours")])
    main(["--export", str(tmp_path / "theirs"), "--model", str(tmp_path / "ours")])  # its own it is


@each_case("arguments", [["name"], ["name", "folder", "--export", "other"]])
def test_one_direction_at_a_time(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2 and "--export" in capsys.readouterr().err
