"""The tab Architecture: the map, the shape trace and the parameter table of the loaded model.

The page contains the parameters. Shapes and blocks belong to the sentence of the attention view: the page computes them
from the sites of its pass when the component is visible.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from torch import nn

from explorer.recording.app_context import AppContext
from explorer.tabs.architecture.built import choices, remarks
from explorer.ui.component import Component, tab_component
from explorer.ui.glossary import link_terms
from explorer.ui.language import format_integer
from explorer.ui.translations import Translations
from model.parameters import BYTES_PER_PARAMETER, ModuleParameters, parameter_counts, parameter_table

FOLDER = Path(__file__).parent
words = Translations(__file__)


def architecture_tab(app: AppContext) -> list[Component]:
    """One component; map and shape trace are empty until it is first visible."""
    model, model_remarks = app.translator.model, remarks(app.translator)
    absent = ["positions"] if model.config.positions == "none" else []  # blocks that do nothing
    count = parameter_counts(model)[""]
    total = words.PARAMETERS_TOTAL.format(total=format_integer(count), megabytes=count * BYTES_PER_PARAMETER / 1e6)
    settings = {
        "text": words.ARCHITECTURE,
        "blocks": add_remarks({**words.BLOCKS, **(words.NO_POSITIONS if absent else {})}, model_remarks),
        "steps": add_remarks(words.SHAPE_STEPS, model_remarks),
        "absent": absent,
        **part_settings(model),
    }
    items = "".join(f"<li>{link_terms(choice.sentence)}</li>" for choice in choices(app.translator))
    texts = {**words.HTML, "tab_label": words.TAB, "total": total, "choices": items}
    return [tab_component(FOLDER, settings, styles=(), words=texts)]


def add_remarks(texts: Mapping[str, Sequence[str]], remarks_by_name: Mapping[str, str]) -> dict[str, list[str]]:
    """Title and reason of every block or step, with the remarks about this model."""
    return {
        name: [title, link_terms(f"{why} {remarks_by_name.get(name, '')}".rstrip())]
        for name, (title, why) in texts.items()
    }


def describe_matrix(part: ModuleParameters, name: str) -> str:
    """A matrix of a module with its shape and, if it is tied, its owner."""
    tied = part.tied.get(name)
    facts = {"name": name, "shape": list(part.shapes[name]), "owner": tied and tied.rpartition(".")[0]}
    return words.HELD["tied" if tied else "own"].format(**facts)


def part_json(part: ModuleParameters) -> dict[str, Any]:
    return {
        "path": part.path,
        "kind": part.kind,
        "own": ", ".join(describe_matrix(part, name) for name in part.shapes),
        "parameters": part.parameters,
        "share": part.share,
        "tied": part.tied.get("weight", "").removesuffix(".weight") or None,
    }


def part_settings(model: nn.Module) -> dict[str, Any]:
    """The rows of the table of parameters, and learned positions, which are blocks of the map, but no modules."""
    counts = parameter_counts(model)
    learned = [path for path in counts if path.endswith(".embedding.positions")]
    return {
        "parameters": [part_json(part) for part in parameter_table(model)],
        "learned": [{"path": path, "parameters": counts[path], "share": counts[path] / counts[""]} for path in learned],
    }
