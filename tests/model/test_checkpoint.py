"""Checkpoints: saved and loaded again."""

import pytest
import torch
from cases import each_case
from safetensors.torch import load_file
from tiny_models import RECORD, names_in, tiny_translator
from tiny_models import folder as folder
from tiny_models import translator as translator

from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import CheckpointError


def test_a_loaded_checkpoint_equals_the_saved_one_rounded_to_16_bits(translator, folder, corpus):
    before = torch.get_rng_state()
    loaded = checkpoint.load(str(folder))
    assert torch.equal(torch.get_rng_state(), before)
    assert (loaded.model.config, loaded.record) == (translator.model.config, RECORD)
    assert loaded.tokenizer.proto == translator.tokenizer.proto
    assert not any(module.training for module in loaded.model.modules())
    with torch.no_grad():
        for name, weight in translator.model.named_parameters():
            weight.copy_(weight.half())
            assert torch.equal(loaded.model.get_parameter(name), weight), name
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


def test_weights_are_split_into_shards_which_a_smaller_checkpoint_replaces(translator, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, "SHARD_SIZE", "4KB")
        checkpoint.save(translator, tmp_path)
    shards = [load_file(path) for path in tmp_path.glob("*.safetensors")]
    assert len(shards) > 3 and all(sum(weight.nbytes for weight in shard.values()) <= 4000 for shard in shards)
    loaded = checkpoint.load(str(tmp_path)).model
    assert all(torch.equal(loaded.get_parameter(n), w.half()) for n, w in translator.model.named_parameters())
    checkpoint.save(translator, tmp_path)
    alone = {"config.json", "model.safetensors", "tokenizer.model", "checksums.json", "training.json", "README.md"}
    assert names_in(tmp_path) == alone


def test_a_missing_folder_is_refused_with_what_to_do(tmp_path):
    for missing in (str(tmp_path / "nowhere"), "a/b/c"):
        with pytest.raises(CheckpointError, match=r"no checkpoint folder at .*git checkout.*model\.train.*--model"):
            checkpoint.load(missing)
