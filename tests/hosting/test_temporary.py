"""Temporary folders: those of killed processes are swept, and no others."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from explorer.ui.temporary import LOCK, PREFIX, TemporaryFolder, sweep

ROOT = Path(__file__).parents[2]
OWNER = """
import sys, tempfile
tempfile.tempdir = sys.argv[1]
from explorer.ui.temporary import TemporaryFolder
print(TemporaryFolder().path, flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


@pytest.fixture
def owner(tmp_path):
    """A process that has a folder, and the folder."""
    command = [sys.executable, "-c", OWNER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        yield process, Path(process.stdout.readline().strip())
        process.kill()


def test_a_folder_of_a_killed_process_is_swept_when_the_next_is_made(owner):
    process, folder = owner
    sweep()
    assert folder.is_dir()  # the process runs
    process.send_signal(signal.SIGKILL)
    process.wait(60)
    mine = TemporaryFolder()
    assert mine.path.is_dir() and not folder.exists()
    mine.remove()


def test_a_process_that_ends_leaves_no_folder(owner):
    process, folder = owner
    process.stdin.close()
    assert process.wait(60) == 0 and not folder.exists()


def test_only_folders_with_a_lock_that_nobody_holds_are_swept(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    for folder in (elsewhere, tmp_path / f"{PREFIX}unlocked", tmp_path / f"{PREFIX}stale"):
        folder.mkdir()
    for folder in (elsewhere, tmp_path / f"{PREFIX}stale"):
        (folder / LOCK).touch()
    (tmp_path / f"{PREFIX}link").symlink_to(elsewhere)
    sweep()
    assert {path.name for path in tmp_path.iterdir()} == {"elsewhere", f"{PREFIX}unlocked", f"{PREFIX}link"}
    assert (elsewhere / LOCK).exists()


def test_another_users_folder_stays(tmp_path, monkeypatch):
    folder = tmp_path / f"{PREFIX}theirs"
    folder.mkdir()
    (folder / LOCK).touch()
    monkeypatch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1)
    sweep()
    assert folder.is_dir()
