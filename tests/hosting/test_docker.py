"""The Dockerfile, as far as can be said without Docker; .ci/run builds and runs it where there is one."""

import json
import re
import shlex
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

from explorer.server.allowlist import refusal_for

ROOT = Path(__file__).parents[2]
FILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
STEPS = [tuple(step.split(maxsplit=1)) for step in re.sub(r"#.*|\\\n", "", FILE).splitlines() if step.strip()]


def given(instruction: str) -> list[str]:
    return [text for name, text in STEPS if name == instruction]


def test_what_is_copied_is_there_and_not_ignored():
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {source for text in given("COPY") for source in shlex.split(text)[:-1]}
    assert copied == allowed and all((ROOT / name).exists() for name in copied)


def test_all_that_an_installation_needs_is_copied():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = {name.rstrip("*") for name in project["tool"]["setuptools"]["packages"]["find"]["include"]}
    copied = " ".join(given("COPY"))
    assert all(name in copied for name in {*packages, project["project"]["readme"], "LICENSE", "NOTICE"})
    assert json.loads(given("ENTRYPOINT")[0])[0] in project["project"]["scripts"]


def test_torch_is_taken_at_the_range_of_the_requirements():
    wanted = re.findall("^torch.*", (ROOT / "requirements.txt").read_text(), re.M)  # as grep finds it
    assert [Requirement(line).name for line in wanted] == ["torch"]
    assert '"$(grep ^torch requirements.txt)" --index-url https://download.pytorch.org/whl/cpu' in FILE


def test_it_runs_without_rights_and_answers_from_outside():
    names = [name for name, _ in STEPS]
    assert given("USER") == ["visitor"] and "root" not in FILE
    assert names.index("USER") > max(place for place, name in enumerate(names) if name == "RUN")
    assert "GRADIO_SERVER_NAME=0.0.0.0" in given("ENV")[0] and f"GRADIO_SERVER_PORT={given('EXPOSE')[0]}" in FILE


def test_health_is_asked_at_an_open_address():
    asked = re.findall(r"http://127\.0\.0\.1:(\d+)(/\w+)", given("HEALTHCHECK")[0])
    assert asked == [(given("EXPOSE")[0], "/health")]
    assert refusal_for({"method": "GET", "path": "/health", "headers": []}) is None


def test_its_python_is_the_one_of_a_space():
    version = re.findall(r'^python_version: "(.*)"', (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    assert given("FROM") == [f"python:{version[0]}-slim"]
