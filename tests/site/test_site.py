"""The folder of plain files: what goes in is checked, and nothing in it points to this machine or to another place."""

import gzip
import json
import os
import re
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from cases import each_case

from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.site import site
from explorer.site.answers import answers
from explorer.site.site import MAX_FILE_BYTES, MAX_SENTENCES, sentences_of, write
from model.probe import KINDS


def file_of(folder, text: str):
    path = folder / "sentences.txt"
    path.write_text(text, encoding="utf-8")
    return path


def settings_of(page: Path) -> dict[str, Any]:
    found = re.search('id="settings">(.*?)</script>', page.read_text(encoding="utf-8"))
    assert found
    return json.loads(found[1])


def test_a_file_of_notepad_begins_with_a_mark(toy, tmp_path):
    assert sentences_of(file_of(tmp_path, "\ufeffThe dog.\n"), toy) == ["The dog."]


def test_sentences_are_read_line_by_line(toy, tmp_path):
    assert sentences_of(file_of(tmp_path, "The dog.\n\n  A cat. \n"), toy) == ["The dog.", "A cat."]


@each_case(
    ("text", "reason"),
    [
        ("The dog.\n\n" + "the " * 120, "line 3: .*characters"),
        ("The dog.\nThe \x07 cat.", r"line 2: .*U\+0007"),
        ("The dog.\nA cat.\nThe dog.", "line 3: the same sentence stands on line 1"),
        ("\n \n", "holds no sentence"),
        ("\n".join(f"The dog {i}." for i in range(MAX_SENTENCES + 1)), f"{MAX_SENTENCES + 1} sentences"),
    ],
)
def test_a_sentence_is_refused_with_its_line(toy, tmp_path, text, reason):
    with pytest.raises(ValueError, match=reason):
        sentences_of(file_of(tmp_path, text), toy)


@each_case("make", [os.mkfifo, lambda path: path.write_bytes(bytes(MAX_FILE_BYTES + 1))])
def test_sentences_come_from_a_plain_file_of_a_sane_size(toy, tmp_path, make):
    make(tmp_path / "sentences.txt")
    with pytest.raises(ValueError, match=r"sentences\.txt (is no regular file|has 1,000,001 bytes)"):
        sentences_of(tmp_path / "sentences.txt", toy)


def first_answers(recordings, sentence, languages):
    """The lengths and the trace alone; tests/browser/test_site.py walks through all of a folder."""
    for language in languages:
        yield from islice(answers(recordings, sentence, [language]), len(KINDS) + 1)


def test_the_folder_is_whole_and_points_nowhere_else(toy, tmp_path, monkeypatch):
    monkeypatch.setattr(site, "answers", first_answers)
    folder, app = tmp_path / "site", AppContext(Recordings(toy), None)
    evil = "The </script><b>dog</b> {{x}} ${y} /gradio_api/"  # an address of Gradio too
    write(folder, app, ["The dog.", evil], ["en", "de"])
    for name, base in (("index.html", "./"), ("de/index.html", "../")):
        page = (folder / name).read_text(encoding="utf-8")
        assert (
            "/gradio_api/" not in page.replace("${y} /gradio_api/", "")
            and str(tmp_path) not in page
            and "<b>dog" not in page
        )
        assert not re.search(r'(?:src|href)="(?:https?:|/)', page)
        assert f'import modules from "{base}files/modules.js"' in page
        assert {match[1] for match in re.finditer(rf'"{re.escape(base)}files/([\w.]+)\\?"', page)} >= {"modules.js"}
    assert '<html lang="de">' in (folder / "de/index.html").read_text(encoding="utf-8")
    trace = json.loads(gzip.decompress((folder / "files/sentences/2/trace.de.bin").read_bytes()))
    assert trace["sentence"] == evil and all(kind["weights"] for kind in trace["kinds"].values())
    assert (folder / "README.md").read_text().split("---")[1].count("sdk: static") == 1
    assert [*settings_of(folder / "index.html")["languages"]] == ["en", "de"]
    write(folder, app, ["A cat."], ["de"])  # again, over what it wrote
    assert not (folder / "files/sentences/2").exists() and not (folder / "de").exists()
    assert '<html lang="de">' in (folder / "index.html").read_text(encoding="utf-8")
    settings = settings_of(folder / "index.html")
    offered = settings["components"]["toolbar"]["settings"]["languages"]["names"]
    assert offered.keys() == settings["languages"].keys() == {"de"}


def test_a_folder_of_other_things_is_left_alone(toy, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ValueError, match="something else"):
        write(tmp_path, AppContext(Recordings(toy), None), ["A cat."], ["en"])
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
