"""Checkpoints: saved and loaded again, and damaged in every way."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import jaxtyping
import pytest
import sentencepiece
import torch
from cases import each_case
from damage import change_config
from safetensors.torch import load_file, save_file
from tiny_models import RECORD, names_in, tiny_translator
from tiny_models import folder as folder
from tiny_models import translator as translator

from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import CheckpointError

INDEX, FIRST = "model.safetensors.index.json", "model-00001-of-00003.safetensors"


def change_weights(folder: Path, change: Callable[[dict[str, torch.Tensor]], object]) -> None:
    weights = load_file(folder / "model.safetensors")
    change(weights)
    save_file(weights, folder / "model.safetensors")
    (folder / checkpoint.CHECKSUMS).unlink()  # which would say so first


def change_index(folder: Path, changes: dict[str, object]) -> None:
    path = folder / INDEX
    path.write_text(json.dumps({"weight_map": {**json.loads(path.read_text())["weight_map"], **changes}}))


def test_a_loaded_checkpoint_equals_the_saved_one_rounded_to_16_bits(translator, folder):
    loaded = checkpoint.load(str(folder))
    for name, weight in translator.model.named_parameters():
        assert torch.equal(loaded.model.get_parameter(name), weight.half().float()), name
    assert loaded.model.config == translator.model.config
    assert loaded.tokenizer.proto == translator.tokenizer.proto
    assert loaded.record == RECORD


def test_loading_draws_no_random_numbers(folder):
    before = torch.get_rng_state()
    checkpoint.load(str(folder))
    assert torch.equal(torch.get_rng_state(), before)


def test_a_loaded_checkpoint_is_ready_to_translate(translator, folder, corpus):
    loaded = checkpoint.load(str(folder))
    assert not any(module.training for module in loaded.model.modules())
    assert {weight.dtype for weight in loaded.model.parameters()} == {torch.float32}
    with torch.no_grad():
        for weight in translator.model.parameters():
            weight.copy_(weight.half())
    assert loaded.translate(corpus) == translator.translate(corpus)


@each_case(
    "options",
    [
        {"tying": "none"},
        {"tying": "output", "positions": "learned", "activation": "gelu"},
        {"d_head": 5, "d_value": 3, "attention_bias": False},
        {"n_layers": 1, "shared_vocabulary": False, "tying": "output"},
        {"n_layers": 3, "n_decoder_layers": 1, "positions": "sinusoidal halves", "activation": "silu"},
    ],
)
def test_every_kind_of_model_comes_back(tokenizer, tmp_path, options):
    saved = tiny_translator(tokenizer, **options)
    checkpoint.save(saved, tmp_path)
    loaded = checkpoint.load(str(tmp_path)).model
    assert loaded.config == saved.model.config
    for name, weight in saved.model.state_dict().items():
        torch.testing.assert_close(loaded.state_dict()[name], weight, rtol=1e-3, atol=1e-6)
    tables = dict(loaded.named_buffers())
    assert all(torch.equal(table, tables[name]) for name, table in saved.model.named_buffers())


def test_a_tied_matrix_is_stored_once_and_tied_again(translator, folder):
    stored = load_file(folder / "model.safetensors")
    assert {weight.dtype for weight in stored.values()} == {torch.float16}
    assert sum(weight.numel() for weight in stored.values()) == sum(p.numel() for p in translator.model.parameters())
    model = checkpoint.load(str(folder)).model
    assert model.projection.weight is model.encoder.embedding.tokens.weight is model.decoder.embedding.tokens.weight


def test_weights_are_split_into_shards_below_the_limit(translator, tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "SHARD_SIZE", "4KB")
    checkpoint.save(translator, tmp_path)
    shards = [load_file(path) for path in tmp_path.glob("*.safetensors")]
    assert len(shards) > 3
    assert all(sum(weight.nbytes for weight in shard.values()) <= 4000 for shard in shards)
    loaded = checkpoint.load(str(tmp_path)).model
    assert all(torch.equal(loaded.get_parameter(n), w.half()) for n, w in translator.model.named_parameters())


def test_saving_again_leaves_no_old_shards_behind(translator, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, "SHARD_SIZE", "4KB")
        checkpoint.save(translator, tmp_path)
    checkpoint.save(translator, tmp_path)
    alone = {"config.json", "model.safetensors", "tokenizer.model", "checksums.json", "training.json", "README.md"}
    assert names_in(tmp_path) == alone


def test_a_missing_folder_is_refused_with_what_to_do(tmp_path):
    for missing in (str(tmp_path / "nowhere"), "a/b/c"):
        with pytest.raises(CheckpointError, match=r"no checkpoint folder at .*git checkout.*model\.train.*--model"):
            checkpoint.load(missing)


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


DAMAGES = {
    "no weights": (lambda f: (f / "model.safetensors").unlink(), r"cannot be read .*no model\.safetensors"),
    "half the weights": (lambda f: truncate(f / "model.safetensors"), r"cannot be read .*[Ii]ncomplete"),
    "unknown key": (lambda f: change_config(f, n_experts=2), "cannot be read .*n_experts"),
    "another shape": (lambda f: change_config(f, d_ff=32), r"w_1\.\w+ has shape \[24.*\], not \[32"),
    "too few layers": (lambda f: change_config(f, n_layers=1), r"has an unknown weight encoder\.layers\.1\."),
    "missing weight": (lambda f: change_weights(f, lambda w: w.pop("projection.bias")), "lacks weight projection.bias"),
    "other vocabulary": (
        lambda f: change_config(f, src_vocab_size=81, tgt_vocab_size=81),
        "its tokenizer has 80 pieces, its model's source side 81",
    ),
    "other padding": (lambda f: change_config(f, pad_id=3), "its tokenizer pads with id 0, its model with 3"),
    "not finite": (
        lambda f: change_weights(f, lambda w: w["projection.bias"].fill_(torch.inf)),
        "projection.bias holds values that are not finite",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_checkpoint_is_refused_with_a_sentence(folder, damage, monkeypatch):
    # Without the type checks of the test run, which would refuse a wrong type before the code does.
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    inflict, sentence = DAMAGES[damage]
    inflict(folder)
    with pytest.raises(CheckpointError, match=sentence) as refusal:
        checkpoint.load(str(folder))
    assert str(folder) in str(refusal.value) and str(refusal.value).endswith(".")
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("ids", "missing"),
    [
        ({}, "no padding piece"),
        ({"pad_id": 0, "unk_id": 1, "bos_id": 2, "eos_id": -1}, "no end piece"),
    ],
)
def test_a_tokenizer_that_lacks_a_special_piece_is_refused(folder, corpus, ids, missing):
    file = io.BytesIO()
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter(corpus), model_writer=file, vocab_size=80, minloglevel=2, **ids
    )
    (folder / "tokenizer.model").write_bytes(file.getvalue())
    with pytest.raises(CheckpointError, match=missing):
        checkpoint.load(str(folder))


def test_pickled_weights_are_refused(folder):
    (folder / "model.safetensors").unlink()
    (folder / "model.pt").write_bytes(b"cos\nsystem\n(S'exit 1'\ntR.")
    with pytest.raises(CheckpointError, match=r"no model\.safetensors .* such as pytorch_model.bin, are never loaded"):
        checkpoint.load(str(folder))


@pytest.mark.parametrize("name", ["model.safetensors", "config.json"])
def test_a_pointer_of_git_lfs_is_refused_for_what_it_is(folder, name):
    (folder / name).write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")
    with pytest.raises(CheckpointError, match=rf"{name} is a Git LFS pointer.*git lfs pull"):
        checkpoint.load(str(folder))


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda f: change_index(f, {"more": "../secret.safetensors"}), r"names \.\./secret\.safetensors, which is not"),
        (lambda f: (f / FIRST).unlink(), rf"index\.json names {FIRST}, which is not"),
        (
            lambda f: (f / "model-00001-of-00002.safetensors").write_bytes(b""),
            r"model-00001-of-00002.* is there, but not",
        ),
        (lambda f: (f / INDEX).write_text("{}"), r"index\.json has no weight_map"),
    ],
)
def test_shards_must_be_exactly_those_in_the_index(translator, tmp_path, monkeypatch, spoil, sentence):
    monkeypatch.setattr(checkpoint, "SHARD_SIZE", "10KB")
    checkpoint.save(translator, tmp_path)
    assert names_in(tmp_path) >= {FIRST, INDEX}
    spoil(tmp_path)
    with pytest.raises(CheckpointError, match=sentence):
        checkpoint.load(str(tmp_path))
