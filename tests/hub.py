"""A stand-in for the Hugging Face Hub: what its client asks when it downloads and publishes models, over HTTP.

A repository is a list of commits, and a commit the files by name. Large files travel as the client's LFS protocol
wants it. Import the fixture `hub` `as` itself, which tells ruff that it is meant.
"""

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import pytest
from huggingface_hub import constants

TOKEN = "hf_valid"
LARGE = (".safetensors", ".model", ".gz")  # as in the .gitattributes of a new repository


@dataclass
class Repository:
    """Its commits, the newest last, by their ids; names of branches and tags with the commit they mean."""

    private: bool = False
    commits: dict[str, dict[str, bytes]] = field(default_factory=lambda: {"0" * 40: {}})
    references: dict[str, str] = field(default_factory=lambda: {"main": "0" * 40})

    def files(self, revision: str) -> dict[str, bytes]:
        return self.commits[self.references.get(revision, revision)]

    def add(self, files: dict[str, bytes]) -> str:
        """A commit on main that holds these files and no others; returns its id."""
        commit = hashlib.sha1(repr((len(self.commits), sorted(files.items()))).encode()).hexdigest()
        self.commits[commit] = files
        self.references["main"] = commit
        return commit


class Hub(ThreadingHTTPServer):
    """The repositories, the tokens that may write, and the requests so far."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.repositories: dict[str, Repository] = {}
        self.writers = {"me"}  # namespaces that the token may write to
        self.large: dict[str, bytes] = {}  # LFS objects by their SHA-256
        self.requests: list[str] = []
        self.broken = ""  # a part of the paths at which the Hub fails

    def add(self, folder: Path, repo_id: str = "me/tiny") -> str:
        """A commit of all files in a folder; returns its id."""
        files = {path.name: path.read_bytes() for path in folder.iterdir()}
        return self.repositories.setdefault(repo_id, Repository()).add(files)


class Answers(BaseHTTPRequestHandler):
    """One method for each question of the client; a question is a method and a path."""

    server: Hub
    questions: ClassVar = {
        r"GET /api/models/([\w-]+/[\w-]+)": "about",
        r"GET /api/models/([\w-]+/[\w-]+)/revision/([\w%.-]+)": "about",
        r"GET /api/models/([\w-]+/[\w-]+)/tree/([\w%.-]+)": "tree",
        r"(?:GET|HEAD) /([\w-]+/[\w-]+)/resolve/([\w%.-]+)/(.+)": "download",
        r"POST /api/repos/create": "create",
        r"POST /api/validate-yaml": "validate",
        r"POST /api/models/([\w-]+/[\w-]+)/preupload/main": "sort_files",
        r"POST /([\w-]+/[\w-]+)\.git/info/lfs/objects/batch": "offer_places",
        r"PUT /large/(\w+)": "keep",
        r"POST /large/(\w+)/verify": "verify",
        r"POST /api/models/([\w-]+/[\w-]+)/commit/main": "commit",
    }

    def respond(self) -> None:
        path = self.path.split("?")[0]
        self.server.requests.append(path)
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.server.broken and self.server.broken in path:
            return self.answer({}, 418)  # a status at which the client does not try again
        for pattern, name in self.questions.items():
            if match := re.fullmatch(pattern, f"{self.command} {path}"):
                return getattr(self, name)(*match.groups())
        return self.answer({}, 404, **{"X-Error-Code": "RepoNotFound"})

    do_GET = do_HEAD = do_POST = do_PUT = respond

    def answer(self, body: Any, status: int = 200, **headers: str) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def refused(self, namespace: str) -> bool:
        """Whether the asker may not write; the refusal is then sent."""
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            self.answer({"error": "Invalid username or password."}, 401)
        elif namespace not in self.server.writers:
            self.answer({}, 403, **{"X-Error-Message": f"You don't have the rights to write to {namespace}"})
        else:
            return False
        return True

    def find_repository(self, repo_id: str, revision: str = "main") -> Repository | None:
        """The repository, if it has the revision; what is missing is told otherwise."""
        repository = self.server.repositories.get(repo_id)
        if repository and revision in {*repository.references, *repository.commits}:
            return repository
        self.answer({}, 404, **{"X-Error-Code": "RevisionNotFound" if repository else "RepoNotFound"})
        return None

    def about(self, repo_id: str, revision: str = "main") -> None:
        if repository := self.find_repository(repo_id, revision):
            commit = repository.references.get(revision, revision)
            self.answer({"id": repo_id, "sha": commit, "private": repository.private, "siblings": []})

    def tree(self, repo_id: str, revision: str) -> None:
        if repository := self.find_repository(repo_id, revision):
            files = repository.files(revision).items()
            self.answer([{"type": "file", "path": n, "size": len(c), "oid": blob_id(c)} for n, c in files])

    def download(self, repo_id: str, revision: str, name: str) -> None:
        if (repository := self.find_repository(repo_id, revision)) and name in repository.files(revision):
            content = repository.files(revision)[name]
            self.answer(content, ETag=f'"{blob_id(content)}"', **{"X-Repo-Commit": revision})

    def create(self) -> None:
        wanted = json.loads(self.body)
        repo_id = f"{wanted['organization']}/{wanted['name']}"
        if self.refused(wanted["organization"]):
            return
        status = 409 if repo_id in self.server.repositories else 200
        private = wanted.get("visibility") == "private" or wanted.get("private") is True
        self.server.repositories.setdefault(repo_id, Repository(private))
        self.answer({"url": f"{self.server.address}/{repo_id}"}, status)

    def validate(self) -> None:
        content = json.loads(self.body)["content"]
        errors = [] if content.startswith("---\n") else [{"message": "no metadata"}]
        self.answer({"errors": errors, "warnings": []}, 400 if errors else 200)

    def sort_files(self, repo_id: str) -> None:
        if self.refused(repo_id.split("/")[0]):
            return
        names = [file["path"] for file in json.loads(self.body)["files"]]
        modes = {name: "lfs" if name.endswith(LARGE) else "regular" for name in names}
        self.answer({"files": [{"path": n, "uploadMode": m, "shouldIgnore": False} for n, m in modes.items()]})

    def offer_places(self, repo_id: str) -> None:
        if self.refused(repo_id.split("/")[0]):
            return
        offers = []
        for wanted in json.loads(self.body)["objects"]:
            place = f"{self.server.address}/large/{wanted['oid']}"
            offers.append({**wanted, "actions": {"upload": {"href": place}, "verify": {"href": f"{place}/verify"}}})
        self.answer({"transfer": "basic", "objects": offers})

    def keep(self, oid: str) -> None:
        self.server.large[oid] = self.body
        self.answer({})

    def verify(self, oid: str) -> None:
        content = self.server.large.get(oid, b"")
        self.answer({}, 200 if hashlib.sha256(content).hexdigest() == oid else 422)

    def commit(self, repo_id: str) -> None:
        if self.refused(repo_id.split("/")[0]):
            return
        repository = self.server.repositories[repo_id]
        files = dict(repository.files("main"))
        for line in map(json.loads, self.body.splitlines()):
            value = line["value"]
            if line["key"] == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif line["key"] == "lfsFile":
                files[value["path"]] = self.server.large[value["oid"]]
            elif line["key"] == "deletedFile":
                del files[value["path"]]
        commit = repository.add(files)
        self.answer({"commitOid": commit, "commitUrl": f"{self.server.address}/{repo_id}/commit/{commit}"})

    def log_message(self, *_: Any) -> None:
        pass


def blob_id(content: bytes) -> str:
    """The id that git gives to a file's content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


@pytest.fixture
def hub(tmp_path, monkeypatch) -> Iterator[Hub]:
    """An empty stand-in as the Hub, for someone who is logged in, with an empty cache."""
    server = Hub()
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    template = server.address + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(constants, "ENDPOINT", server.address)
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_ASSETS_CACHE", str(tmp_path / "assets"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)  # the stand-in speaks LFS, not Xet
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "token"))
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    monkeypatch.chdir(tmp_path)
    yield server
    server.shutdown()
    server.server_close()
