"""Checkpoints fetched from a stand-in for the Hub."""

import pytest
import torch
from hub import hub as hub
from huggingface_hub import constants
from tiny_models import RECORD, names_in
from tiny_models import folder as folder
from tiny_models import translator as translator

from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import CheckpointError


@pytest.fixture
def commit(hub, folder) -> str:
    """The only commit of me/tiny, which holds the tiny checkpoint."""
    return hub.add(folder)


def change_record(folder, steps: int) -> None:
    checkpoint.save_record({**RECORD, "steps": steps}, folder)


def test_only_the_files_of_a_checkpoint_are_downloaded(hub, folder):
    (folder / "story.json.gz").write_bytes(b"a story")
    ours = names_in(folder)
    for name in ("pytorch_model.bin", "optimizer.pt", "model-last.safetensors", "modelling.py"):
        (folder / name).write_bytes(b"never read")
    hub.add(folder)
    assert names_in(checkpoint.locate("me/tiny")) == ours
    assert not any("pytorch_model.bin" in path for path in hub.requests)


def test_a_commit_a_tag_or_a_branch_pins_the_version(hub, commit, folder):
    change_record(folder, steps=4)
    newest = hub.add(folder)
    hub.repositories["me/tiny"].references |= {"v1": commit, "long": newest}
    steps = {name: checkpoint.load(f"me/tiny@{name}").record["steps"] for name in (commit, "v1", newest, "long")}
    assert steps == {commit: 3, "v1": 3, newest: 4, "long": 4}


def test_a_version_is_taken_from_the_cache_without_the_hub(hub, commit, folder, translator, monkeypatch):
    loaded = checkpoint.load(f"me/tiny@{commit}")
    assert torch.equal(loaded.model.projection.weight, translator.model.projection.weight.half().float())
    change_record(folder, steps=4)
    hub.add(folder)
    checkpoint.load("me/tiny")
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:1")  # it is down
    assert checkpoint.load("me/tiny").record["steps"] == 4
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert checkpoint.load(f"me/tiny@{commit}").record["steps"] == 3
    assert checkpoint.load("me/tiny").record["steps"] == 4


def test_without_a_revision_the_log_tells_the_commit_and_with_one_nothing(commit, caplog):
    checkpoint.load("me/tiny")
    assert [record.getMessage() for record in caplog.records] == [
        f"me/tiny is taken at its newest known version; me/tiny@{commit} keeps to it."
    ]
    caplog.clear()
    checkpoint.load(f"me/tiny@{commit}")
    assert caplog.records == []


@pytest.mark.parametrize("revision", ["", "../../main", "v 1"])
def test_a_revision_that_git_cannot_have_is_refused_unasked(hub, revision):
    with pytest.raises(CheckpointError, match="after the @ is not the name of a commit, tag or branch"):
        checkpoint.load(f"me/tiny@{revision}")
    assert hub.requests == []


def test_a_repository_of_pickled_weights_is_refused_without_fetching_them(hub, folder):
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    hub.add(folder)
    with pytest.raises(CheckpointError, match=r"no model\.safetensors .*pytorch_model\.bin, are never loaded"):
        checkpoint.load("me/tiny")
    assert not any("pytorch_model.bin" in path for path in hub.requests)


@pytest.mark.parametrize(
    ("name", "offline", "why"),
    [
        ("me/tiny@v9", False, "the repository has no such commit, tag or branch"),
        ("me/nothing", False, "there is no such repository"),
        ("me/..", False, "Repo id must"),
        ("me/tiny", True, ".*outgoing traffic"),
    ],
)
def test_what_does_not_exist_or_cannot_be_reached_is_refused_with_the_reason(commit, monkeypatch, name, offline, why):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", offline)
    with pytest.raises(CheckpointError, match=rf"no local folder {name}, .* the Hugging Face Hub: {why}"):
        checkpoint.load(name)


def test_a_folder_comes_before_a_repository_of_the_same_name(hub, commit, folder, tmp_path):
    (tmp_path / "me").mkdir()
    folder.rename(tmp_path / "me" / "tiny@v1")
    assert checkpoint.load("me/tiny@v1").record == RECORD
    assert hub.requests == []
