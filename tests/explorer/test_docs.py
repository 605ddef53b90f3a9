"""README and docs tell the truth: links lead somewhere, Python runs, commands exist with the flags that are named."""

import re
import runpy
import shlex
import sys
from importlib.resources import files
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import plotly.graph_objects as go
import pytest
from cases import each_case

from explorer.drawer.drawer import PANELS
from explorer.lessons.url_state import PAGE_NAMES
from explorer.tabs import tab_labels
from explorer.ui.language import FIRST, LANGUAGES

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")] + sorted((ROOT / "docs").glob("*.md"))
BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.M | re.S)
INTO_THE_PAGE = ("docs/articles.md", "docs/courses.md", "docs/findings.md", "docs/guide.md", "docs/guide.de.md")
LINK = re.compile(r"\((http://127\.0\.0\.1:7860[^)\s]*)\)")
# Programs that these tests do not start: they install, need a network or another machine, or are tested elsewhere.
NOT_RUN = {
    "python -m pip": "installs packages",
    "python -m pytest": "is this",
    "python app.py": "starts the page: tests/hosting",
    "ruff": "is run by .ci/run",
    "pyright": "is run by .ci/run",
    "node --test": "is run by tests/viewer",
    "docker": "needs Docker",
    "torchrun": "several processes: tests/model",
    "python -m explorer.cluster": "needs Ray",
    "python -m tools.bench": "needs its own packages",
}


def blocks(language: str) -> list[tuple[str, str]]:
    """The fenced blocks of that language, each with the name of its page; continued lines are joined."""
    texts = ((page.name, page.read_text(encoding="utf-8").replace("\\\n", " ")) for page in PAGES)
    return [(name, block) for name, text in texts for kind, block in BLOCK.findall(text) if kind == language]


def commands() -> list[tuple[str, str]]:
    """Every command line in a block without a language, with the name of its page."""
    lines = ((page, line.strip()) for page, text in blocks("") for line in text.splitlines())
    parts = ((page, part.strip()) for page, line in lines for part in line.split("&&"))
    return [
        (page, re.sub(r"\s+#.*", "", part))
        for page, part in parts
        if re.match(r"(python|node|ruff|docker|pyright|torch)", part)
    ]


def is_not_run(command: str) -> bool:
    return any(command.startswith(start) for start in NOT_RUN)


@each_case("page", PAGES)
def test_a_link_within_the_repository_leads_somewhere(page):
    links = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    local = [link for link in links if not re.match(r"\w+:", link)]
    assert [link for link in local if not (page.parent / link).exists()] == []


def test_the_python_of_readme_and_docs_runs(monkeypatch, capsys):
    shown = []
    monkeypatch.setattr(go.Figure, "show", lambda figure: shown.append(figure))
    names = {}
    runnable = [(page, block) for page, block in blocks("python") if "gradio_client" not in block]
    for page, block in runnable:
        exec(compile(block, page, "exec"), names)
    assert len(runnable) >= 7 and len(shown) == 1
    assert "müde" in capsys.readouterr().out


@pytest.mark.filterwarnings("ignore:.*found in sys.modules:RuntimeWarning")  # imported by other tests
def test_every_module_that_is_named_as_a_command_has_the_flags_that_are_named(monkeypatch, capsys):
    named: dict[str, set[str]] = {}
    for _, command in commands():
        if not is_not_run(command):
            python, flag, module, *arguments = shlex.split(command)
            assert (python, flag) == ("python", "-m"), command
            named.setdefault(module, set()).update(word for word in arguments if word.startswith("--"))
    assert len(named) >= 12
    for module, flags in named.items():
        monkeypatch.setattr(sys, "argv", [module, "--help"])
        with pytest.raises(SystemExit) as ended:
            runpy.run_module(module, run_name="__main__", alter_sys=False)
        text = capsys.readouterr().out
        assert not ended.value.code and [flag for flag in sorted(flags) if flag not in text] == [], module


def links(text: str) -> list[str]:
    return LINK.findall((ROOT / text).read_text(encoding="utf-8"))


@each_case("text", INTO_THE_PAGE)
def test_every_link_leads_to_what_there_is(text):
    assert len(links(text)) >= 5
    lessons = {path.name.removesuffix(".yaml") for path in (files("assets") / "lessons").iterdir()}
    known = {*PAGE_NAMES, "lesson"}
    for link in links(text):
        parts = dict(parse_qsl(urlsplit(link).query, strict_parsing=bool(urlsplit(link).query)))
        assert urlsplit(link).path.strip("/") in {"", *LANGUAGES} - {FIRST}, link
        assert parts.get("tab", "explore") in tab_labels(), link
        assert parts.get("drawer.panel", "fork") in {panel.name for panel in PANELS}, link
        assert parts.get("lesson", "clause.1").partition(".")[0] in lessons, link
        assert {name for name in parts if "." not in name} <= known, link


STOP = re.compile(r"\[([\w/.]+)\]\(\.\./\1\): (`\w+`(?:, `\w+`)*)")  # a file, and what to read in it


def test_the_way_from_the_text_box_to_the_heatmap_leads_through_these_files_and_functions():
    stops = STOP.findall((ROOT / "docs" / "walkthrough.md").read_text(encoding="utf-8"))
    sources = {path: (ROOT / path).read_text(encoding="utf-8") for path, _ in stops}
    for path, names in stops:
        for name in re.findall(r"\w+", names):
            definition = rf"\b(def|class|function) {name}\b|^  (async )?{name}\(.*\) \{{$"
            assert re.search(definition, sources[path], re.M), f"{path}: {name}"
    lines = {path: len(source.splitlines()) for path, source in sources.items()}
    print("", *(f"{count:5} {path}" for path, count in lines.items()), f"{sum(lines.values()):5} in all", sep="\n")
    assert len(stops) >= 15
