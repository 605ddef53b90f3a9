"""What hosting and installing need says the same everywhere: requirements, a Space, packages, the Dockerfile."""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import yaml
from cases import each_case
from huggingface_hub import RepoCard
from packaging.requirements import Requirement

from explorer.server import health
from explorer.server.allowlist import refusal_for

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = PYPROJECT["project"]
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
    assert matter["python_version"] == "3.12" and given("FROM") == ["python:3.12-slim"]
    static = RepoCard.load(ROOT / "explorer" / "site" / "space.md").data.to_dict()
    assert static.keys() < SPACE
    assert matter["license"] == static["license"] == "other" and "LicenseRef" in PROJECT["license"]
    gradio = next(r for r in map(Requirement, PROJECT["dependencies"]) if r.name == "gradio")
    assert matter["sdk_version"] in gradio.specifier


def test_every_package_and_data_file_is_declared():
    declared = PYPROJECT["tool"]["setuptools"]
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


def test_every_python_that_is_declared_is_tested():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8"))
    matrix = workflow["jobs"]["part"]["strategy"]["matrix"]
    tested = {*matrix["python"], *(each["python"] for each in matrix["include"] if each["part"] == "tests")}
    assert tested == set(re.findall(r"Python :: (3\.\d+)", str(PROJECT["classifiers"])))
    assert f">={min(tested)}" == PROJECT["requires-python"]


@each_case("name", [health.PROGRAM, "never-installed"])
def test_the_program_knows_its_version_installed_or_not(monkeypatch, name):
    monkeypatch.setattr(health, "PROGRAM", name)
    assert health.program_version() == PROJECT["version"]


START = """
import runpy, sys
sys.argv = ["app.py", "--model", "no/such/folder"]
try:
    runpy.run_path("app.py", run_name="__main__")
finally:
    print("gradio" in sys.modules)
"""


def test_the_app_stops_with_one_sentence_where_it_cannot_start_and_before_gradio_is_imported():
    result = subprocess.run([sys.executable, "-c", START], capture_output=True, text=True, cwd=ROOT)
    assert result.returncode == 1 and result.stdout == "False\n"
    assert "There is no checkpoint folder at no/such/folder" in result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


# What of the Dockerfile can be said without Docker; .ci/run builds and runs it where there is one.
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
STEPS = [tuple(step.split(maxsplit=1)) for step in re.sub(r"#.*|\\\n", "", DOCKERFILE).splitlines() if step.strip()]


def given(instruction: str) -> list[str]:
    return [text for name, text in STEPS if name == instruction]


def test_what_is_copied_is_there_and_not_ignored():
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {source for text in given("COPY") for source in shlex.split(text)[:-1]}
    assert copied == allowed and all((ROOT / name).exists() for name in copied)


def test_all_that_an_installation_needs_is_copied():
    packages = {name.rstrip("*") for name in PYPROJECT["tool"]["setuptools"]["packages"]["find"]["include"]}
    copied = " ".join(given("COPY"))
    assert all(name in copied for name in {*packages, PROJECT["readme"], "LICENSE", "NOTICE"})
    assert json.loads(given("ENTRYPOINT")[0])[0] in PROJECT["scripts"]


def test_torch_is_taken_at_the_range_of_the_requirements():
    wanted = re.findall("^torch.*", (ROOT / "requirements.txt").read_text(), re.M)  # as grep finds it
    assert [Requirement(line).name for line in wanted] == ["torch"]
    assert '"$(grep ^torch requirements.txt)" --index-url https://download.pytorch.org/whl/cpu' in DOCKERFILE


def test_it_runs_without_rights_and_answers_from_outside():
    names = [name for name, _ in STEPS]
    assert given("USER") == ["visitor"] and "root" not in DOCKERFILE
    assert names.index("USER") > max(place for place, name in enumerate(names) if name == "RUN")
    assert "GRADIO_SERVER_NAME=0.0.0.0" in given("ENV")[0] and f"GRADIO_SERVER_PORT={given('EXPOSE')[0]}" in DOCKERFILE


def test_health_is_asked_at_an_open_address():
    asked = re.findall(r"http://127\.0\.0\.1:(\d+)(/\w+)", given("HEALTHCHECK")[0])
    assert asked == [(given("EXPOSE")[0], "/health")]
    assert refusal_for({"method": "GET", "path": "/health", "headers": []}) is None
