"""Who imports whom: read from the source, so that imports inside functions count too."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FLOORS = ("app", "explorer", "model")  # from the top down
TRAINING = {"model.train", "model.trainer", "model.recipe", "model.evaluate"}
SCREEN = {"gradio", "plotly"}


def imports_in(source: str, package: str = "") -> set[str]:
    """Every name imported anywhere in the source, with its module: `from a import b` gives a and a.b."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*parents, *([node.module] if node.module else [])])
            names |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
    return {".".join(name.split(".")[:n]) for name in names for n in range(1, name.count(".") + 2)}


def modules() -> dict[str, Path]:
    """Our modules by their dotted names."""
    files = [ROOT / "app.py", *(path for floor in FLOORS for path in (ROOT / floor).rglob("*.py"))]
    names = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in files if path.exists()}
    return {name.removesuffix(".__init__"): path for path, name in names.items()}


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


def on_floor(floor: str) -> dict[str, set[str]]:
    return {name: found for name, found in imports().items() if name.split(".")[0] == floor}


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import plotly.graph_objects as go", "plotly"),
        ("from model import train", "model.train"),
        ("from model.train import main", "model.train"),
        ("def f():\n    import gradio", "gradio"),
        ("try:\n    from gradio import Blocks\nexcept ImportError:\n    pass", "gradio"),
        ("from . import ui", "explorer.ui"),
        ("from .ui import create_ui", "explorer.ui"),
        ("from ..model import train", "model.train"),
    ],
)
def test_every_form_of_import_is_seen(source, name):
    assert name in imports_in(source, "explorer")


def test_the_modules_of_the_model_are_found():
    assert {"model.attention", "model.transformer", "model.decoding", "model.train"} <= modules().keys()
    assert "model.attention" in reachable("model.decoding") and "torch" in reachable("model.decoding")


def test_the_model_knows_nothing_of_screens():
    for name, found in on_floor("model").items():
        assert not found & {*SCREEN, "explorer", "app"}, name


def test_dependencies_point_downward_only():
    for level, floor in enumerate(FLOORS):
        for name, found in on_floor(floor).items():
            assert not found & set(FLOORS[:level]), name
    assert not [name for name, found in on_floor("explorer").items() if "app" in found]


def test_no_module_imports_itself_in_a_circle():
    graph = {}
    for name, found in imports().items():
        ours = found & modules().keys() - {name}
        # What needs a package's module does not need the package itself.
        graph[name] = {other for other in ours if not any(longer.startswith(f"{other}.") for longer in ours)}
    assert len(list(TopologicalSorter(graph).static_order())) == len(graph)


def test_figures_are_drawn_without_torch_and_gradio():
    figures = [found for name, found in imports().items() if name.split(".")[-1].endswith("figures")]
    assert len(figures) > 1 and not any(found & {"torch", "gradio"} for found in figures)


def test_the_app_brings_no_training_code_along():
    shown = [name for name in modules() if name.split(".")[0] in ("app", "explorer") and "bench" not in name.split(".")]
    assert TRAINING & modules().keys() == TRAINING
    for name in shown:
        assert not reachable(name) & {*TRAINING, "explorer.bench"}, name


def test_decoding_and_checkpoints_need_no_training_code():
    for name in ("model.decoding", "model.checkpoint", "model.translate"):
        assert not reachable(name) & (TRAINING | {"sacrebleu"})
