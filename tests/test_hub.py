"""Checkpoints fetched from a stand-in for the Hub."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
import torch
from huggingface_hub import constants
from tiny_checkpoint import RECORD, names_in
from tiny_checkpoint import folder as folder
from tiny_checkpoint import translator as translator

from model import checkpoint
from model.checkpoint import CheckpointError

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class StandIn(BaseHTTPRequestHandler):
    """Answers as the Hub does for one repository, me/tiny, whose files lie in `server.folder`."""

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        path = self.path.split("?")[0]
        files = {file.name: file.read_bytes() for file in self.server.folder.iterdir()}
        name = path.removeprefix(f"/me/tiny/resolve/{COMMIT}/")
        if path.startswith("/api/models/me/tiny/tree/"):
            listing = [{"type": "file", "path": n, "size": len(b), "oid": n} for n, b in files.items()]
            self.answer(json.dumps(listing).encode())
        elif path.startswith("/api/models/me/tiny"):
            self.answer(json.dumps({"id": "me/tiny", "sha": COMMIT, "siblings": []}).encode())
        elif name in files:
            self.answer(files[name], ETag=f'"{name}"')
        else:
            self.answer(b"{}", 404, **{"X-Error-Code": "RepoNotFound"})

    do_HEAD = do_GET

    def answer(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), "X-Repo-Commit": COMMIT, **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *_) -> None:
        pass


@pytest.fixture
def hub(folder, tmp_path, monkeypatch) -> Iterator[ThreadingHTTPServer]:
    """The stand-in as the Hub, with an empty cache."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), StandIn)
    server.folder, server.asked = folder, []
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr(constants, "ENDPOINT", address)
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", address + "/{repo_id}/resolve/{revision}/{filename}")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.chdir(tmp_path)
    yield server
    server.shutdown()
    server.server_close()


def test_a_repository_is_downloaded_and_then_taken_from_the_cache(hub, translator, monkeypatch):
    loaded = checkpoint.load("me/tiny")
    assert torch.equal(loaded.model.projection.weight, translator.model.projection.weight.half().float())
    asked = len(hub.asked)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert checkpoint.load("me/tiny").record == RECORD
    assert len(hub.asked) == asked


def test_a_cached_repository_serves_while_the_hub_is_down(hub, monkeypatch):
    checkpoint.load("me/tiny")
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:1")
    assert checkpoint.load("me/tiny").record == RECORD


def test_only_the_files_of_a_checkpoint_are_downloaded(hub, folder):
    (folder / "pytorch_model.bin").write_bytes(b"never unpickled")
    (folder / "optimizer.pt").write_bytes(b"nor this")
    assert names_in(checkpoint.locate("me/tiny")) == names_in(folder) - {"pytorch_model.bin", "optimizer.pt"}


def test_the_shards_of_a_repository_are_all_downloaded(hub, folder, translator, monkeypatch):
    monkeypatch.setattr(checkpoint, "SHARD_SIZE", "4KB")
    checkpoint.save(translator, folder)
    loaded = checkpoint.load("me/tiny").model
    assert all(torch.equal(loaded.get_parameter(n), w.half()) for n, w in translator.model.named_parameters())


def test_a_revision_is_asked_for_by_name(hub):
    checkpoint.load("me/tiny", revision="v2")
    assert any(path.startswith("/api/models/me/tiny/revision/v2") for path in hub.asked)


def test_a_damaged_repository_is_refused(hub, folder):
    (folder / "config.json").unlink()
    with pytest.raises(CheckpointError, match=r"cannot be read .*config\.json"):
        checkpoint.load("me/tiny")


@pytest.mark.parametrize("repo_id", ["me/nothing", "me/not a name", "me/.."])
def test_a_repository_that_does_not_exist_is_refused_with_the_hubs_reason(hub, repo_id):
    with pytest.raises(CheckpointError, match=r"no local folder me/.* cannot be loaded from the Hugging Face Hub: \w+"):
        checkpoint.load(repo_id)


def test_an_unknown_repository_is_refused_when_offline(hub, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(CheckpointError, match=r"cannot be loaded from the Hugging Face Hub: .*outgoing traffic"):
        checkpoint.load("me/tiny")
    assert hub.asked == []


def test_a_hub_that_cannot_be_reached_is_told_in_a_sentence(hub, monkeypatch):
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:1")
    with pytest.raises(CheckpointError, match=r"cannot be loaded from the Hugging Face Hub: .*ConnectError"):
        checkpoint.load("me/tiny")


def test_a_hub_that_hangs_up_is_told_in_a_sentence(hub, monkeypatch):
    monkeypatch.setattr(StandIn, "do_GET", lambda self: setattr(self, "close_connection", True))
    with pytest.raises(CheckpointError, match=r"cannot be loaded from the Hugging Face Hub: .*disconnected"):
        checkpoint.load("me/tiny")


@pytest.mark.parametrize("error", [TimeoutError(), ConnectionError("\n")])
def test_an_error_without_a_message_is_told_by_its_name(monkeypatch, error):
    def fail(*_, **__) -> None:
        raise error

    monkeypatch.setattr(checkpoint, "snapshot_download", fail)
    with pytest.raises(CheckpointError, match=rf"from the Hugging Face Hub: {type(error).__name__}$"):
        checkpoint.load("me/tiny")


def test_a_folder_comes_before_a_repository_of_the_same_name(hub, folder, tmp_path):
    (tmp_path / "me").mkdir()
    folder.rename(tmp_path / "me" / "tiny")
    assert checkpoint.load("me/tiny").record == RECORD
    assert hub.asked == []
