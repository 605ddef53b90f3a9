"""Saving: a file is its old self or its new one, also where the disk is full or the folder is none."""

import resource
import stat
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import torch
from tiny_models import folder as folder
from tiny_models import names_in, tiny_translator
from tiny_models import translator as translator

from model.checkpoints import checkpoint
from model.files import SaveError, write_atomically, write_together


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


def test_weights_that_could_not_be_read_again_are_not_saved_over_those_that_can(tokenizer, folder):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    diverged = tiny_translator(tokenizer)
    with torch.no_grad():
        diverged.model.projection.bias[3] = 1e6  # too large for 16 bits
    with pytest.raises(ValueError, match=r"projection\.bias holds values that are no finite numbers"):
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
