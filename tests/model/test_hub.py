"""Checkpoints fetched from a stand-in for the Hub, published there, and loaded again."""

import json
import re
import shutil
from pathlib import Path

import pytest
import torch
from cases import each_case
from hub import Repository
from hub import hub as hub
from huggingface_hub import ModelCard, constants
from tiny_models import RECORD, names_in
from tiny_models import folder as folder
from tiny_models import translator as translator

from model.checkpoints import checkpoint
from model.checkpoints.card import model_card
from model.checkpoints.checkpoint import CheckpointError
from tools.publish import main

# The Hub's client uploads large files by an argument that its HTTP library gives another name now.
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")


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
        ("me/..", False, "a repository is named as owner/name"),
        ("me/tiny", True, "it is not on this computer"),
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


def published(hub) -> dict[str, bytes]:
    return hub.repositories["me/tiny"].files("main")


def refusal(*words: str | Path) -> str:
    """What the command says when it gives up: one line, and a status that is not zero."""
    with pytest.raises(SystemExit) as stop:
        main([str(word) for word in words])
    assert isinstance(stop.value.code, str) and "\n" not in stop.value.code
    return stop.value.code.removeprefix("python -m tools.publish: ")


def test_what_is_published_loads_with_the_same_weights_and_translations(hub, translator, tmp_path, corpus, monkeypatch):
    monkeypatch.setattr(checkpoint, "SHARD_SIZE", "4KB")
    checkpoint.save(translator, tmp_path / "tiny")
    main([str(tmp_path / "tiny"), "me/tiny"])
    local, remote = checkpoint.load(str(tmp_path / "tiny")), checkpoint.load("me/tiny")
    assert all(torch.equal(remote.model.get_parameter(n), w) for n, w in local.model.named_parameters())
    assert remote.translate(corpus[:2]) == local.translate(corpus[:2])
    assert remote.record == RECORD


def test_the_commit_that_is_printed_names_the_version_for_good(hub, folder, capsys):
    main([str(folder), "me/tiny"])
    name = capsys.readouterr().out.split()[-1]
    checkpoint.save_record({**RECORD, "steps": 4}, folder)
    main([str(folder), "me/tiny"])
    assert checkpoint.load("me/tiny").record["steps"] == 4
    assert checkpoint.load(name).record["steps"] == 3


def test_one_commit_holds_the_files_of_the_checkpoint_and_no_others(hub, folder):
    (folder / "story.json.gz").write_bytes(b"a story")
    (folder / "LICENSE.md").write_text("For teaching.")
    ours = names_in(folder)
    for name in ("optimizer.pt", ".env", "notes.md", "model-last.safetensors"):
        (folder / name).write_text("private")
    main([str(folder), "me/tiny"])
    assert published(hub).keys() == ours
    assert sum("/commit/" in path for path in hub.requests) == 1


def test_the_published_card_names_the_repository_and_the_code(hub, folder):
    main([str(folder), "me/tiny", "--code", "https://example.org/code"])
    card = published(hub)["README.md"].decode()
    assert card == model_card(RECORD, "me/tiny", "https://example.org/code")
    assert ModelCard(card).data.pipeline_tag == "translation"
    assert (folder / "README.md").read_text(encoding="utf-8") == model_card(RECORD)


def test_shards_of_an_earlier_checkpoint_are_deleted_and_other_files_left(hub, translator, folder, monkeypatch):
    monkeypatch.setattr(checkpoint, "SHARD_SIZE", "4KB")
    checkpoint.save(translator, folder)
    (folder / "story.json.gz").write_bytes(b"an old story")
    hub.add(folder)
    hub.repositories["me/tiny"].files("main")["picture.png"] = b"theirs"
    (folder / "story.json.gz").unlink()
    monkeypatch.setattr(checkpoint, "SHARD_SIZE", "9MB")
    checkpoint.save(translator, folder)
    main([str(folder), "me/tiny"])
    assert published(hub).keys() == {*names_in(folder), "picture.png"}
    assert checkpoint.load("me/tiny").record == RECORD


def test_a_dry_run_shows_every_file_and_the_whole_card_and_asks_nobody(hub, folder, capsys, monkeypatch):
    monkeypatch.delenv("HF_TOKEN")
    (folder / "notes.md").write_text("private")
    main([str(folder), "me/tiny", "--private", "--dry-run"])
    shown, card = capsys.readouterr().out, model_card(RECORD, "me/tiny")
    sizes = {name: (folder / name).stat().st_size for name in names_in(folder) - {"notes.md"}}
    sizes["README.md"] = len(card.encode())
    assert {line.split()[2]: int(line.split()[0].replace(",", "")) for line in shown.splitlines()[2:8]} == sizes
    assert f"{sum(sizes.values()):,} bytes in all" in shown and "notes.md" not in shown
    assert card in shown
    assert f"Repository: {hub.address}/me/tiny\nIf it does not exist, it is created, private." in shown
    assert hub.requests == []


def test_no_file_from_elsewhere_is_published_under_the_name_of_one_of_the_checkpoints(hub, folder, tmp_path):
    (tmp_path / "secret").write_text("private")
    for name in ("LICENSE.md", "story.json.gz", "heads.json"):
        (folder / name).symlink_to(tmp_path / "secret")
        assert refusal(folder, "me/tiny").startswith(f"{name} is a link")
        (folder / name).unlink()
    assert hub.requests == []


def test_nothing_private_goes_into_a_repository_that_everybody_reads(hub, folder):
    main([str(folder), "me/tiny", "--private"])
    assert hub.repositories["me/tiny"].private
    hub.repositories["me/tiny"] = Repository(private=False)
    assert "everybody can read it" in refusal(folder, "me/tiny", "--private")
    assert published(hub) == {}


@each_case(
    ("name", "repo_id", "sentence"),
    [
        ("broken", "me/tiny", "The checkpoint in .*broken cannot be read .config.json: d_model must be even"),
        ("nowhere", "me/tiny", "There is no checkpoint folder at .*nowhere"),
        ("tiny", "tiny", "A repository on the Hub is named as owner/name, not tiny"),
        ("tiny", "me/tiny@v1", "me/tiny@v1 is no name: a repository is named as owner/name, in letters"),
    ],
)
def test_what_cannot_be_published_is_refused_unasked(hub, folder, name, repo_id, sentence):
    broken = shutil.copytree(folder, folder.with_name("broken"), dirs_exist_ok=True)
    (broken / "config.json").write_text(json.dumps({"d_model": 15}))
    assert re.match(sentence, refusal(folder.with_name(name), repo_id)) and hub.requests == []


def test_who_is_offline_not_logged_in_or_may_not_write_is_told_so(hub, folder, monkeypatch):
    assert "may not write to you/tiny: the Hub answers with status 403: You don't have the rights" in refusal(
        folder, "you/tiny"
    )
    monkeypatch.setenv("HF_TOKEN", "hf_expired")
    hub.repositories["me/tiny"] = Repository()
    assert "does not know who you are: run hf auth login" in refusal(folder, "me/tiny")
    monkeypatch.delenv("HF_TOKEN")
    assert "does not know who you are: run hf auth login" in refusal(folder, "me/new")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert "offline mode is enabled" in refusal(folder, "me/tiny")


@pytest.mark.parametrize("part", ["/api/repos/create", "/commit/"])
def test_a_hub_that_breaks_down_on_the_way_is_told_in_a_sentence(hub, folder, part):
    hub.broken = part
    sentence = "me/tiny cannot be published on the Hugging Face Hub: the Hub answers with status 418"
    assert refusal(folder, "me/tiny").startswith(sentence)
    assert "me/tiny" not in hub.repositories or published(hub) == {}
