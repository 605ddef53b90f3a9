"""The folder of plain files: what goes in is checked, and nothing in it points to this machine or to another place."""

import gzip
import io
import json
import os
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cases import each_case
from PIL import Image

from explorer.page.link_preview import HEIGHT_PX, PICTURE, WIDTH_PX
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.site import site
from explorer.site.site import write
from model.checkpoints import checkpoint
from model.errors import UserError


def file_of(folder, text: str):
    path = folder / "sentences.txt"
    path.write_text(text, encoding="utf-8")
    return path


def unpacked(path: Path) -> Any:
    return json.loads(gzip.decompress(path.read_bytes()))


def settings_of(folder: Path, language: str) -> dict[str, Any]:
    return unpacked(folder / f"files/page.{language}.bin")


@pytest.fixture(scope="module")
def toy_folder(toy, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("checkpoint")
    checkpoint.save(replace(toy, record={"steps": 1}), folder)
    return folder


def app_of(toy, folder: Path, tmp_path: Path, *sentences: str) -> AppContext:
    return AppContext(Recordings(toy), folder, examples=file_of(tmp_path, "\n".join(sentences)))


def test_the_folder_is_whole_and_points_nowhere_else(toy, toy_folder, tmp_path):
    (toy_folder / "LICENSE.md").write_text("For teaching.")
    folder, evil = tmp_path / "site", "The </script><b>dog</b> /gradio_api/"  # an address of Gradio too
    write(folder, app_of(toy, toy_folder, tmp_path, "The dog.", evil), ["en", "de"])
    for name, language, base in (("index.html", "en", "./"), ("de/index.html", "de", "../")):
        body = unpacked(folder / f"files/page.{language}.bin")["body"]
        content = gzip.decompress((folder / f"files/page.{language}.bin").read_bytes()).decode()
        page = (folder / name).read_text(encoding="utf-8") + content
        assert (
            "/gradio_api/" not in re.sub("dog.{1,20} /gradio_api/", "", page)
            and str(tmp_path) not in page
            and "<b>dog" not in body
        )
        assert not re.search(r'(?:src|href)="(?:https?:|/)', page)
        named = {match[1] for match in re.finditer(rf'"{re.escape(base)}files/([\w.]+)\\?"', page)}
        assert named >= {"modules.bin", f"page.{language}.bin", "plotly.bin"}
        assert all((folder / "files" / each).exists() for each in named)
    assert '<html lang="de">' in (folder / "de/index.html").read_text(encoding="utf-8")
    trace = unpacked(folder / "files/sentences/2.bin")
    assert trace["sentence"] == evil and all(kind["weights"] for kind in trace["kinds"].values())
    assert (folder / "README.md").read_text().split("---")[1].count("sdk: static") == 1
    assert (folder / "MODEL.md").read_bytes() == (toy_folder / "README.md").read_bytes()
    assert (folder / "LICENSE.md").read_text() == "For teaching."
    assert [*settings_of(folder, "en")["languages"]] == ["en", "de"]
    pictures = [(folder / f"files/preview.{language}.png").read_bytes() for language in ("en", "de")]
    assert Image.open(io.BytesIO(pictures[0])).size == (WIDTH_PX, HEIGHT_PX)
    assert len({*pictures, PICTURE.read_bytes()}) == 3  # of the first sentence, in the page's language
    (toy_folder / "LICENSE.md").unlink()
    write(folder, app_of(toy, toy_folder, tmp_path, "A cat."), ["de"], address="https://a.example/b/")  # again
    tags = (folder / "index.html").read_text(encoding="utf-8")
    assert 'property="og:image" content="https://a.example/b/files/preview.de.png"' in tags
    assert not (folder / "LICENSE.md").exists()
    assert not [*folder.glob("files/sentences/2.*")] and not (folder / "de").exists()
    assert '<html lang="de">' in (folder / "index.html").read_text(encoding="utf-8")
    settings = settings_of(folder, "de")
    offered = settings["components"]["toolbar"]["settings"]["languages"]["names"]
    assert offered.keys() == settings["languages"].keys() == {"de"}


def test_a_folder_of_other_things_is_left_alone(toy, toy_folder, tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    with pytest.raises(UserError, match="something other"):
        write(folder, app_of(toy, toy_folder, tmp_path, "A cat."), ["en"])
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]


@each_case(
    ("name", "inflict", "said"),
    [
        ("README.md", lambda path: path.symlink_to("/etc/passwd"), "is a link"),
        ("LICENSE.md", lambda path: path.symlink_to("nowhere"), "is a link"),
        ("LICENSE.md", os.mkfifo, "is no regular file"),
        ("LICENSE.md", lambda path: path.write_bytes(bytes(4_000_001)), "has 4,000,001 bytes, and at most 4,000,000"),
    ],
)
def test_no_file_of_this_machine_is_published_as_card_or_licence(toy, toy_folder, tmp_path, name, inflict, said):
    folder = shutil.copytree(toy_folder, tmp_path / "checkpoint")
    (folder / name).unlink(missing_ok=True)
    inflict(folder / name)
    with pytest.raises(UserError, match=f"{name} {said}"):
        write(tmp_path / "site", app_of(toy, folder, tmp_path, "A cat."), ["en"])
    assert not (tmp_path / "site").exists()


def test_what_a_browser_cannot_hold_is_refused_before_anything_is_written(toy, toy_folder, tmp_path, monkeypatch):
    app = app_of(toy, toy_folder, tmp_path, "A cat.")
    monkeypatch.setattr(site, "MAX_PARAMETERS", 1000)
    with pytest.raises(UserError, match="million parameters; a browser holds"):
        write(tmp_path / "site", app, ["en"])
    assert not (tmp_path / "site").exists()
