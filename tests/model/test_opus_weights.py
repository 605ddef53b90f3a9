"""The weights of a Marian checkpoint: what is read of its files, and what is refused."""

import os
import pickle
import shutil
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
import torch
from cases import each_case
from damage import bounded
from marian import as_pickle
from marian import published as published
from marian import theirs as theirs
from safetensors.torch import load_file, save_file

from model.checkpoints import checkpoint
from model.checkpoints.record import Origin
from model.checkpoints.weights import HEADER_BYTES, OVERHEAD_BYTES, weight_shapes
from model.errors import UserError
from model.layers import sinusoidal_halves
from model.opus import marian, weights
from model.opus.__main__ import main

ORIGIN = Origin(repository="Helsinki-NLP/opus-mt-en-fr")


def test_weights_of_16_bits_stay_such(theirs, tmp_path):
    path, kind = theirs / "model.safetensors", torch.bfloat16
    save_file({name: weight.to(kind) for name, weight in load_file(path).items()}, path)
    main([str(theirs), str(tmp_path / "made")])
    assert {weight.dtype for weight in load_file(tmp_path / "made" / "model.safetensors").values()} == {kind}
    checkpoint.load(tmp_path / "made")


@pytest.mark.parametrize("zipped", [True, False])  # torch's own archive, and what torch wrote before 1.6
def test_pickled_weights_give_the_same(theirs, zipped):
    expected = dict(marian.convert(theirs, ORIGIN).translator.model.named_parameters())
    as_pickle(theirs, _use_new_zipfile_serialization=zipped)
    found = marian.convert(theirs, ORIGIN).translator.model
    assert all(torch.equal(weight, expected[name]) for name, weight in found.named_parameters())


def in_shards(folder: Path) -> None:
    """As the transformers package writes larger models."""
    from transformers import MarianMTModel

    model = MarianMTModel.from_pretrained(folder)
    (folder / "model.safetensors").unlink()
    model.save_pretrained(folder, max_shard_size="10KB")
    assert len([*folder.glob("model-0*.safetensors")]) > 2 and not (folder / "model.safetensors").exists()


def test_weights_in_shards_give_the_same(theirs, tmp_path):
    expected = dict(marian.convert(theirs, ORIGIN).translator.model.named_parameters())
    in_shards(theirs)
    main([str(theirs), str(tmp_path / "made")])
    found = checkpoint.load(tmp_path / "made").model
    assert all(torch.equal(weight, expected[name]) for name, weight in found.named_parameters())


def link_to(folder: Path) -> Path:
    (folder / "link").symlink_to("/etc/passwd")
    return folder / "link"


@each_case(
    ("spoil", "said"),
    [
        (lambda folder: min(folder.glob("model-0*")).unlink(), "index.json names model-00001-of-.* which is not one"),
        (lambda folder: (folder / "model.safetensors").touch(), "model.safetensors is there, but not in"),
        (
            lambda folder: os.truncate(max(folder.glob("model-0*")), 50 * 10**9),
            "has 50,000,000,000 bytes, and the weights",
        ),
        (lambda folder: max(folder.glob("model-0*")).write_bytes(b""), "model-0.* holds no weights that can be read"),
        (lambda folder: os.replace(link_to(folder), max(folder.glob("model-0*"))), "model-0.* is a link"),
        (lambda folder: [path.unlink() for path in folder.glob("model*")], "no shards of it and no pytorch_model.bin"),
    ],
)
def test_shards_that_are_not_whole_are_refused_by_name(published, tmp_path, spoil, said):
    folder = shutil.copytree(published, tmp_path / "theirs")
    in_shards(folder)
    spoil(folder)
    with bounded(), pytest.raises(UserError, match=said):
        marian.convert(folder, ORIGIN)


class Trap:
    """Unpickled, it would make a file."""

    def __reduce__(self):
        return (Path.touch, (Path("sprung"),))


@pytest.mark.parametrize("zipped", [True, False])
def test_no_code_in_a_pickle_runs(theirs, tmp_path, monkeypatch, zipped):
    monkeypatch.chdir(tmp_path)
    (theirs / "model.safetensors").unlink()
    torch.save({"model.shared.weight": Trap()}, theirs / "pytorch_model.bin", _use_new_zipfile_serialization=zipped)
    with pytest.raises(UserError, match=r"pytorch_model\.bin holds no weights that can be read"):
        marian.convert(theirs, ORIGIN)
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("damage", [b"", pickle.dumps({"a": 1}, 2), b"PK\x03\x04"])
@pytest.mark.parametrize("name", ["model.safetensors", "pytorch_model.bin"])
def test_damaged_weights_are_refused_by_name(theirs, name, damage):
    (theirs / "model.safetensors").unlink()
    (theirs / name).write_bytes(damage)
    with pytest.raises(UserError, match=rf"{name} (holds no weights that can be read|must hold tensors)"):
        marian.convert(theirs, ORIGIN)


@pytest.mark.parametrize(
    "program",  # of a pickle: each ends the reader in another way than the ones above
    [
        b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n)R.",  # too few arguments
        b"\x80\x02K\x01Q.",  # a storage that is a number
        b"\x80\x02cbuiltins\nbytearray\n\x8a\x07" + b"\xff" * 6 + b"\x7f\x85R.",  # no room for it
    ],
    ids=["arguments", "storage", "room"],
)
def test_a_pickle_that_breaks_its_reader_is_refused(theirs, program):
    as_pickle(theirs)
    path = theirs / "pytorch_model.bin"
    with ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, program if name.endswith("data.pkl") else data)
    with pytest.raises(UserError, match=r"pytorch_model\.bin holds no weights that can be read"):
        marian.convert(theirs, ORIGIN)


@pytest.mark.parametrize(
    "endless",
    [
        torch.zeros(1, dtype=torch.float16).expand(10**6, 10**6),
        torch.zeros(10**6, 10**6, device="meta"),
        torch.zeros(64, 32).T,
    ],
    ids=["repeated", "elsewhere", "turned"],
)
def test_numbers_that_are_not_in_the_file_are_refused(theirs, endless):
    others = load_file(theirs / "model.safetensors")
    (theirs / "model.safetensors").unlink()
    torch.save({**others, weights.EMBEDDING: endless}, theirs / "pytorch_model.bin")
    with pytest.raises(UserError, match="must hold tensors of floats"):
        marian.convert(theirs, ORIGIN)


@pytest.mark.parametrize("name", ["model.safetensors", "pytorch_model.bin"])
def test_more_than_a_model_can_have_is_never_loaded(theirs, name, monkeypatch):
    change_weights(theirs, "more", lambda _: torch.zeros(400_000))
    if name == "pytorch_model.bin":
        as_pickle(theirs)
        pack(theirs / name)
        assert (theirs / name).stat().st_size < 1_000_000
    for reader in ("load_file", "torch.load"):
        monkeypatch.setattr(f"model.opus.weights.{reader}", lambda *_, **__: pytest.fail("it was loaded"))
    with pytest.raises(UserError, match=rf"{name} (has|holds no) .*bytes.* (model of config.json|config.json's model)"):
        marian.convert(theirs, ORIGIN)


def pack(path: Path) -> None:
    """Makes an archive of torch's small; torch writes none such, and reads them."""
    with ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def test_all_that_a_file_may_hold_is_taken(theirs):
    for name in weights.COPIES:
        change_weights(theirs, name, torch.clone)
    for name in weights.POSITIONS:
        change_weights(theirs, name, lambda _: sinusoidal_halves(64, 32))
    config = marian.convert(theirs, ORIGIN).translator.model.config
    numbers = sum(weight.numel() for weight in load_file(theirs / "model.safetensors").values())
    assert weights.max_bytes(config) == 4 * numbers + HEADER_BYTES * len(weight_shapes(config)) + OVERHEAD_BYTES


def change_weights(folder: Path, name: str, change: Any) -> None:
    found = load_file(folder / "model.safetensors")
    found[name] = change(found["model.shared.weight"].clone())
    save_file(found, folder / "model.safetensors")


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("lm_head.weight", lambda shared: shared + 1, "are not one matrix"),
        ("model.decoder.embed_positions.weight", lambda _: torch.full((64, 32), torch.nan), "is not the table"),
        ("model.shared.weight", lambda shared: shared.index_fill(0, torch.tensor([3]), torch.nan), "not finite"),
        ("final_logits_bias", lambda shared: shared[:1], "final_logits_bias has shape"),
        ("model.shared.weight", lambda shared: shared.long(), "must hold tensors of floats"),
    ],
)
def test_weights_that_are_others_are_refused(theirs, name, change, said):
    change_weights(theirs, name, change)
    with pytest.raises(UserError, match=said):
        marian.convert(theirs, ORIGIN)


def test_positions_may_be_rounded_as_the_file_is(theirs):
    kind = torch.bfloat16
    change_weights(theirs, weights.POSITIONS[0], lambda _: sinusoidal_halves(64, 32).to(kind))
    marian.convert(theirs, ORIGIN)
    change_weights(theirs, weights.POSITIONS[0], lambda _: (sinusoidal_halves(64, 32) + 0.05).to(kind))
    with pytest.raises(UserError, match="is not the table"):
        marian.convert(theirs, ORIGIN)
