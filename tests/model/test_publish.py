"""Publishing to a stand-in for the Hub, and loading again what was published."""

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
from model.publish import main

# The Hub's client uploads large files by an argument that its HTTP library gives another name now.
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")


def published(hub) -> dict[str, bytes]:
    return hub.repositories["me/tiny"].files("main")


def refusal(*words: str | Path) -> str:
    """What the command says when it gives up: one line, and a status that is not zero."""
    with pytest.raises(SystemExit) as stop:
        main([str(word) for word in words])
    assert isinstance(stop.value.code, str) and "\n" not in stop.value.code
    return stop.value.code.removeprefix("python -m model.publish: ")


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
        ("tiny", "me/tiny@v1", "Repo id must use alphanumeric chars"),
    ],
)
def test_what_cannot_be_published_is_refused_unasked(hub, folder, name, repo_id, sentence):
    broken = shutil.copytree(folder, folder.with_name("broken"), dirs_exist_ok=True)
    (broken / "config.json").write_text(json.dumps({"d_model": 15}))
    assert re.match(sentence, refusal(folder.with_name(name), repo_id)) and hub.requests == []


def test_who_is_offline_not_logged_in_or_may_not_write_is_told_so(hub, folder, monkeypatch):
    assert "may not write to you/tiny: 403 Forbidden: You don't have the rights" in refusal(folder, "you/tiny")
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
    sentence = "me/tiny cannot be published on the Hugging Face Hub: Client error '418"
    assert refusal(folder, "me/tiny").startswith(sentence)
    assert "me/tiny" not in hub.repositories or published(hub) == {}
