"""Which way imports run: read from the source of Python and JavaScript, so that imports inside functions count too.

    python -m pytest -s tests/explorer/test_imports.py

prints the picture as a list of arrows.
"""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from functools import cache, partial
from graphlib import TopologicalSorter
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[2]
TOPS = ("app", "explorer", "model", "tools")
TRAINING = {"model.train", "model.training.trainer", "model.training.recipe", "tools.evaluate"}
SCREEN = {"gradio", "plotly"}

# What each part may import, itself included; a tab also its own folder.
STANDS_ON = {
    "model": "",
    "ui": "model",
    "engine": "experiments recording ui model",  # the model's calls, and the model once more in the browser
    "recording": "ui model",
    "experiments": "recording ui model",
    "atlas": "derived experiments recording ui model",  # when every neuron fires, and where every head looks
    "files": "experiments recording ui model",  # what leaves the page as numbers
    "lessons": "atlas experiments recording ui model",
    "toys": "recording ui model",  # small models that are trained while a class looks on
    "derived": "engine recording ui model",  # what follows from the model's results
    "changes": "derived ui",  # what is changed in a run, beside the unchanged one
    "attention_view": "changes derived recording ui model",
    "drawer": "atlas changes derived attention_view experiments recording ui model",  # panels that change and measure
    "notebook": "handout derived attention_view recording ui model",
    "tabs/*": "atlas toys files lessons derived engine changes attention_view experiments recording ui model",
    "tabs": "tabs/* recording ui",  # the list of the tabs
    "handout": "derived attention_view experiments recording ui model",  # what is given away: report and worksheet
    "page": "handout files lessons tabs drawer engine derived changes attention_view experiments recording ui model",
    "server": "page toys lessons files experiments recording ui model",  # command line, routes, middleware, cache
    "site": "page handout engine lessons tabs tabs/* experiments recording ui model",  # the page as plain files
    "explorer": "atlas handout files notebook experiments recording ui model",  # what a notebook imports, and commands
    "app": "server ui model",  # app.py, and explorer/__main__.py, which an installed copy has
    "cluster": "page server recording ui model",  # the page in front of replicas
    # Commands of the repository, which nothing imports.
    "tools": "explorer page server tabs tabs/* drawer notebook lessons derived attention_view experiments recording ui"
    " model",
}
IMPORTED = re.compile(r'(?:import|export)\b\s*(?:[\w*{][^"\';()=]*\bfrom\s*)?\(?"(\.[^"]+)"')


def imports_in(source: str, package: str = "") -> set[str]:
    """Every name imported anywhere in a Python source, with its module: `from a import b` gives a and a.b."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*parents, *([node.module] if node.module else [])])
            names |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
    return {".".join(name.split(".")[:n]) for name in names for n in range(1, name.count(".") + 2)}


def scripts_in(source: str, path: str) -> set[str]:
    """The files that a module of the browser imports, from the root of the repository."""
    return {os.path.normpath(PurePosixPath(path).parent / specifier) for specifier in IMPORTED.findall(source)}


def modules() -> dict[str, Path]:
    """Our Python modules by their dotted names."""
    files = [ROOT / "app.py", *(path for top in TOPS for path in (ROOT / top).rglob("*.py"))]
    names = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in files if path.exists()}
    return {name.removesuffix(".__init__"): path for path, name in names.items()}


@cache
def imports() -> dict[str, set[str]]:
    """What every module of ours imports."""
    found = {}
    for name, path in modules().items():
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        found[name] = imports_in(path.read_text(encoding="utf-8"), package)
    return found


def reachable(start: str) -> set[str]:
    """All that comes along when a module is imported."""
    graph, seen, waiting = imports(), set(), [start]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += graph.get(name, ())
    return seen


def part_of(path: str) -> str:
    """The folder to which a file belongs: "tabs/whole", "ui", "model"; "explorer" is what programs import.

    What starts the page is "app", wherever it lies.
    """
    if path == "explorer/__main__.py":
        return "app"
    top, *within = path.split("/")
    if top != "explorer":
        return top.removesuffix(".py")
    if len(within) < 2:
        return "explorer"
    return "/".join(within[:2]) if within[0] == "tabs" and len(within) > 2 else within[0]


def python_arrows() -> Iterable[tuple[str, str]]:
    files = {name: path.relative_to(ROOT).as_posix() for name, path in modules().items()}
    for name, found in imports().items():
        ours = found & files.keys()
        # What names a package's module does not name the package itself.
        for other in ours:
            if not any(longer.startswith(f"{other}.") for longer in ours):
                yield part_of(files[name]), part_of(files[other])


def browser_arrows() -> Iterable[tuple[str, str]]:
    for path in (ROOT / "explorer").rglob("*.js"):
        name = path.relative_to(ROOT).as_posix()
        for other in scripts_in(path.read_text(encoding="utf-8"), name):
            assert (ROOT / other).is_file(), f"{name} imports {other}, which is not there"
            yield part_of(name), part_of(other)


def wrong_way(arrows: Iterable[tuple[str, str]]) -> list[str]:
    """The arrows that the house does not allow."""
    wrong = []
    for start, end in arrows:
        rule = "tabs/*" if start.startswith("tabs/") else start
        ends = {end, "tabs/*"} if end.startswith("tabs/") else {end}
        if start != end and not ends & set(STANDS_ON[rule].split()):
            wrong.append(f"{start} -> {end}")
    return wrong


def test_imports_run_one_way():
    found = sorted({*python_arrows(), *browser_arrows()})
    print("\n" + "\n".join(f"{start} -> {end}" for start, end in found if start != end))
    assert len(found) > 40 and wrong_way(found) == []


def test_no_module_imports_itself_in_a_circle():
    graph = {}
    for name, found in imports().items():
        ours = found & modules().keys() - {name}
        graph[name] = {other for other in ours if not any(longer.startswith(f"{other}.") for longer in ours)}
    assert len(list(TopologicalSorter(graph).static_order())) == len(graph)


def test_the_folders_of_the_whole_model_import_each_other_one_way():
    whole = ROOT / "explorer" / "tabs" / "whole"
    graph: dict[str, set[str]] = {}
    for path in whole.rglob("*/*.js"):
        found = scripts_in(path.read_text(encoding="utf-8"), path.relative_to(whole).as_posix())
        folders = {other.split("/")[0] for other in found if other.count("/") == 1 and not other.startswith("..")}
        graph.setdefault(path.parent.name, set()).update(folders - {path.parent.name})
    assert {"boards", "picture", "guide", "film"} <= graph.keys() and all(graph[name] for name in ("boards", "film"))
    TopologicalSorter(graph).prepare()


def test_the_model_knows_nothing_of_screens():
    found = {name: found for name, found in imports().items() if name.split(".")[0] == "model"}
    assert {"model.attention", "model.transformer", "model.decoding", "model.train"} <= found.keys()
    for name, names in found.items():
        assert not names & SCREEN, name


def loaded_by(code: str) -> set[str]:
    """The modules that a new Python has imported after running this."""
    script = f"{code}\nimport sys; print('\\n', *sys.modules)"
    environment = {**os.environ, "GRADIO_ANALYTICS_ENABLED": "False"}
    run = partial(subprocess.run, capture_output=True, text=True, cwd=ROOT, env=environment, check=True)
    return set(run([sys.executable, "-c", script]).stdout.splitlines()[-1].split())


def test_a_notebook_needs_no_gradio():
    loaded = loaded_by("import explorer; explorer.record, explorer.attention_heatmap, explorer.cell")
    assert "plotly" in loaded and "gradio" not in loaded


# What takes long to import: PyTorch's compiler, all of Plotly, the client of the Hub, and others' libraries.
COMPILER = {"torch._dynamo", "torch._inductor", "sympy", "networkx"}
SLOW = COMPILER | {"_plotly_utils.basevalidators", "narwhals", "transformers", "matplotlib", "scipy"}


# One after the other in one Python, which takes seconds to start.
COMMANDS = """
from model.translate import main; main(["Hello."])
from model.parameters import main; main(["--preset", "seed"])
from model.train import main
try: main(["--help"])
except SystemExit: pass
import explorer, explorer.report
"""


def test_commands_import_only_what_they_use():
    loaded = loaded_by(COMMANDS)
    assert "torch" in loaded and not loaded & (SLOW | {"pandas", "huggingface_hub.hf_api"})


@pytest.mark.thorough
def test_the_page_is_built_without_a_compiler_and_without_plotlys_objects():
    loaded = loaded_by(
        "from explorer.__main__ import parse\n"
        "from explorer.server.start import create_ui, load_app\n"
        "page = create_ui(load_app(parse('app.py', []), 'cpu'))"
    )
    assert "gradio" in loaded and not loaded & SLOW


def test_the_app_brings_no_training_code_along():
    shown = [name for name in modules() if name.split(".")[0] in ("app", "explorer")]
    assert TRAINING & modules().keys() == TRAINING
    for name in shown:
        assert not reachable(name) & TRAINING, name


def test_ray_is_known_to_the_cluster_alone():
    found = {name for name, names in imports().items() if "ray" in names}
    assert "explorer.cluster.replica" in found
    assert all(name.startswith("explorer.cluster.") for name in found)
    for start in ("app", "explorer", "explorer.__main__", "explorer.server.start", "explorer.site.__main__"):
        assert start in modules() and not reachable(start) & {"ray", "explorer.cluster"}, start


def test_decoding_and_checkpoints_need_no_training_code():
    for name in ("model.decoding", "model.checkpoints.checkpoint", "model.translate"):
        assert not reachable(name) & (TRAINING | {"sacrebleu"})
