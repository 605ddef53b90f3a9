"""What hosting and installing need says the same everywhere."""

import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

from cases import each_case
from huggingface_hub import RepoCard
from packaging.requirements import Requirement

from explorer.server import answer_service

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
# The keys of https://huggingface.co/docs/hub/spaces-config-reference that we use, and those of any card's licence.
SPACE = {
    *("title", "emoji", "colorFrom", "colorTo", "sdk", "sdk_version", "python_version", "app_file", "fullWidth"),
    *("header", "short_description", "tags", "pinned", "license", "license_name"),
}


def test_spaces_installs_the_same_ranges():
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    assert [line for line in lines if not line.startswith("#")] == PROJECT["dependencies"]


def test_the_spaces_front_matter_is_complete_and_fits():
    matter = RepoCard.load(ROOT / "README.md", ignore_metadata_errors=False).data.to_dict()
    assert matter.keys() == SPACE and len(matter["short_description"]) <= 60
    assert matter["sdk"] == "gradio"
    assert matter["app_file"] == "app.py"
    assert matter["python_version"] == "3.12"
    static = RepoCard.load(ROOT / "explorer" / "site" / "space.md").data.to_dict()
    assert static.keys() < SPACE
    assert matter["license"] == static["license"] == "other" and "LicenseRef" in PROJECT["license"]
    gradio = next(r for r in map(Requirement, PROJECT["dependencies"]) if r.name == "gradio")
    assert matter["sdk_version"] in gradio.specifier


def test_every_package_and_data_file_is_declared():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    included, patterns = declared["packages"]["find"]["include"], declared["package-data"]
    for top in ("model", "explorer", "assets"):
        for path in (ROOT / top).rglob("*"):
            name = ".".join(path.parent.relative_to(ROOT).parts)
            if path.suffix == ".py":
                assert any(fnmatch(name, pattern) for pattern in included), name
            if path.suffix in (".js", ".css", ".html", ".svg", ".wasm", ".woff2") or (
                path.suffix in (".json", ".tsv") and path.parent.name == top
            ):
                found = [*patterns["*"], *patterns.get(name, [])]
                assert any(fnmatch(path.name, pattern) for pattern in found), path


@each_case("name", [answer_service.PROGRAM, "never-installed"])
def test_the_program_knows_its_version_installed_or_not(monkeypatch, name):
    monkeypatch.setattr(answer_service, "PROGRAM", name)
    assert answer_service.program_version() == PROJECT["version"]


def test_the_app_stops_with_one_sentence_where_it_cannot_start():
    command = [sys.executable, ROOT / "app.py", "--model", "no/such/folder"]
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert result.returncode == 1
    assert "There is no checkpoint folder at no/such/folder" in result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
