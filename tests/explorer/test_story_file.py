"""Which file may be served as the story of a training: the checkpoint's own, packed, small, and small unpacked."""

import gzip
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from cases import each_case

from explorer.experiments import words as experiments_words
from explorer.experiments.head_measurements import read
from explorer.recording import words
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.recording.story_file import MAX_FILE_BYTES, MAX_UNPACKED_BYTES, find_story
from explorer.tabs.train_one.replay import why_no_story
from explorer.tabs.train_one.replay import words as replay_words
from explorer.tabs.train_one.tab import train_tab
from model.checkpoints.checkpoint import HEADS, STORY
from model.errors import UserError

STORY_TOLD = gzip.compress(json.dumps({"sentences": [], "moments": []}).encode())


def secret(folder: Path) -> Path:
    """A file of this machine that no visitor is to see, which could even be a story."""
    (folder.parent / "secret.gz").write_bytes(STORY_TOLD)
    return folder.parent / "secret.gz"


def bomb(path: Path) -> None:
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(MAX_UNPACKED_BYTES // 1_000_000 + 1):
            file.write(b"{" + bytes(999_999))


FAULTS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "a link to a file elsewhere": ("link", lambda path: path.symlink_to(secret(path.parent))),
    "a pipe": ("irregular", os.mkfifo),
    "a folder": ("irregular", Path.mkdir),
    "too large": ("large", lambda path: path.write_bytes(STORY_TOLD + bytes(MAX_FILE_BYTES))),
    "a bomb": ("unpacked", bomb),
    "another checksum": ("unreadable", lambda path: path.write_bytes(STORY_TOLD[:-8] + bytes(8))),
    "no story": ("unreadable", lambda path: path.write_bytes(gzip.compress(b"root:x:0:0"))),
}


@each_case("kind", FAULTS)
def test_what_is_no_story_of_the_checkpoints_own_is_not_served_and_said_in_the_log(tmp_path, caplog, kind):
    folder = tmp_path / "checkpoint"
    folder.mkdir()
    fault, inflict = FAULTS[kind]
    inflict(folder / STORY)
    told = words.STORY_FAULTS[fault].format(file=STORY, largest=8, unpacked=64)
    assert find_story(folder) == (None, told)
    assert f"{folder}: {told}" in caplog.text


def test_a_story_of_the_checkpoints_own_is_served(tmp_path, toy):
    (tmp_path / STORY).write_bytes(STORY_TOLD)
    app = AppContext(Recordings(toy), tmp_path)
    assert (app.story, app.story_file.fault) == (tmp_path / STORY, "")


def test_the_tab_says_why_a_story_is_not_shown(tmp_path, toy):
    (tmp_path / "checkpoint").mkdir()
    (tmp_path / "checkpoint" / STORY).symlink_to(secret(tmp_path / "checkpoint"))
    [tab] = train_tab(AppContext(Recordings(toy), tmp_path / "checkpoint"))
    assert "This checkpoint's story is not shown. story.json.gz is a link" in tab.html
    assert not tab.settings["replay"] and not tab.files and "secret" not in f"{tab}"


def test_a_checkpoint_without_a_story_is_told_how_to_get_one_only_if_a_run_is_recorded(toy):
    for record, said in (({}, replay_words.NO_RUN), ({"steps": 3}, replay_words.NO_STORY)):
        assert why_no_story(AppContext(Recordings(replace(toy, record=record)), None)) == said


def hub_folder(cache: Path) -> Path:
    """A repository as the Hub's client keeps it: names are links to contents."""
    (cache / "models--me--tiny" / "blobs").mkdir(parents=True)
    snapshot = cache / "models--me--tiny" / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    return snapshot


def test_the_links_of_the_hubs_cache_are_followed(tmp_path):
    snapshot = hub_folder(tmp_path)
    (tmp_path / "models--me--tiny" / "blobs" / "123").write_bytes(STORY_TOLD)
    (snapshot / STORY).symlink_to("../../blobs/123")
    assert find_story(snapshot).path == snapshot / STORY


def test_a_folder_made_up_like_the_hubs_cache_leads_nowhere_else(tmp_path):
    snapshot = hub_folder(tmp_path)
    (snapshot / STORY).symlink_to(secret(snapshot))
    assert find_story(snapshot).path is None
    blobs = tmp_path / "models--me--tiny" / "blobs"
    blobs.rmdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "123").write_bytes(STORY_TOLD)
    blobs.symlink_to(tmp_path / "elsewhere")
    (snapshot / STORY).unlink()
    (snapshot / STORY).symlink_to("../../blobs/123")
    assert find_story(snapshot).path is None


@each_case(
    "inflict",
    [os.mkfifo, Path.mkdir, lambda path: path.symlink_to("nowhere"), lambda path: path.write_bytes(b"\xff{}")],
)
def test_numbers_of_the_heads_that_are_no_file_are_refused(tmp_path, toy, inflict):
    inflict(tmp_path / HEADS)
    with pytest.raises(UserError, match=r"heads\.json\) cannot be read") as refused:
        read(tmp_path, toy)
    assert str(refused.value) == experiments_words.UNREADABLE_HEADS
