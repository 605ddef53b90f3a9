"""Checkpoints saved and loaded again; a file is its old self or its new one, even if the disk is full."""

import resource
import stat
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import torch
from cases import each_case
from safetensors.torch import load_file
from tiny_models import RECORD, names_in, tiny_translator
from tiny_models import folder as folder
from tiny_models import translator as translator

from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import CheckpointError
from model.errors import UserError
from model.files import SaveError, write_atomically, write_together


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


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file may grow beyond so many bytes: what a full disk is to a program, and needs no rights."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_of_files_that_belong_together_none_changes_where_one_does_not_fit_and_it_is_said_what_to_do(tmp_path):
    (tmp_path / "two.tmp").write_bytes(b"what a kill left half written")
    write_together(tmp_path, [("one", b"older"), ("two", b"old")])
    write_atomically(tmp_path / "one", b"old")
    sentence = r"two cannot be saved .*as it was.* allow larger files"
    with room_for(1000), pytest.raises(SaveError, match=sentence) as full:
        write_together(tmp_path, [("one", b"new"), ("two", bytes(2000))])
    assert "\n" not in str(full.value) and "Errno" not in str(full.value)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"one": b"old", "two": b"old"}


def test_nothing_is_written_through_a_link_that_lies_where_a_new_file_begins(tmp_path):
    (tmp_path / "precious").write_bytes(b"precious")
    (tmp_path / "one.tmp").symlink_to("precious")
    write_atomically(tmp_path / "one", b"new")
    assert (tmp_path / "precious").read_bytes() == b"precious" and (tmp_path / "one").read_bytes() == b"new"


def test_weights_that_could_not_be_read_again_are_not_saved_over_those_that_can(tokenizer, folder):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    diverged = tiny_translator(tokenizer)
    with torch.no_grad():
        diverged.model.projection.bias[3] = 1e6  # too large for 16 bits
    with pytest.raises(UserError, match=r"projection\.bias holds values that are no finite numbers"):
        checkpoint.save(diverged, folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_file_where_a_folder_should_be_is_named_with_a_way_out(tmp_path, translator):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(SaveError, match=r"cannot be saved .*a file is where a folder should be: choose another folder"):
        checkpoint.save(translator, tmp_path / "file" / "further")


def test_every_file_of_a_checkpoint_may_be_read_by_others_as_the_machine_wants_it(folder, tmp_path):
    (tmp_path / "usual").write_bytes(b"")
    modes = {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert modes == {stat.S_IMODE((tmp_path / "usual").stat().st_mode)}


def test_shards_of_an_older_checkpoint_go_only_when_the_new_one_is_there(translator, tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "SHARD_SIZE", "4KB")
    checkpoint.save(translator, tmp_path)
    shards = names_in(tmp_path)
    with room_for(8000), monkeypatch.context() as patch:
        patch.setattr(checkpoint, "SHARD_SIZE", "9MB")
        with pytest.raises(SaveError):
            checkpoint.save(translator, tmp_path)
    assert names_in(tmp_path) == shards
    loaded = checkpoint.load(str(tmp_path)).model
    assert all(torch.equal(loaded.get_parameter(n), w.half()) for n, w in translator.model.named_parameters())
