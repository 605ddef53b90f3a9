"""The tab Architecture: the map, the shape trace and the parameter table of the loaded model.

The page contains the parameters. The shapes belong to the sentence of the attention view: the browser requests them
when the component is visible.
"""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.tabs.architecture.blocks import Block, Row, blocks, shapes_of
from explorer.tabs.architecture.built import choices, remarks
from explorer.ui.component import Component, tab_component
from explorer.ui.glossary import link_terms
from explorer.ui.language import format_integer
from explorer.ui.translations import Translations
from model.parameters import BYTES_PER_PARAMETER, ModuleParameters, parameter_table

FOLDER = Path(__file__).parent
words = Translations(__file__)


def architecture_tab(app: AppContext) -> list[Component]:
    """One component; map and shape trace are empty until it is first visible."""
    app.questions.add("shapes", partial(shapes_payload, app.recordings))
    table, model_remarks = parameter_table(app.translator.model), remarks(app.translator)
    absent = ["positions"] if app.translator.model.config.positions == "none" else []  # blocks that do nothing
    total = words.PARAMETERS_TOTAL.format(
        total=format_integer(table[0].parameters), megabytes=table[0].parameters * BYTES_PER_PARAMETER / 1e6
    )
    settings = {
        "text": words.ARCHITECTURE,
        "blocks": add_remarks({**words.BLOCKS, **(words.NO_POSITIONS if absent else {})}, model_remarks),
        "steps": add_remarks(words.SHAPE_STEPS, model_remarks),
        "absent": absent,
        "parameters": [part_json(part) for part in table],
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


def shapes_payload(recordings: Recordings, sentence: str) -> str:
    """Blocks and steps of a sentence's pass. Raises UserError if the sentence is refused."""
    rows = shapes_of(recordings.forward_pass(sentence))
    map_blocks = blocks(recordings.translator.model, rows)
    return json.dumps({"blocks": [block_json(block) for block in map_blocks], "rows": [row_json(row) for row in rows]})


def block_json(block: Block) -> dict[str, Any]:
    shapes = {
        side: {name: str(shape) for name, shape in getattr(block, side).items()} for side in ("inputs", "outputs")
    }
    sizes = list(block.outputs.values())[-1].sizes
    return {**block._asdict(), **shapes, "sizes": sizes, "links": [link._asdict() for link in block.links]}


def row_json(row: Row) -> dict[str, Any]:
    return {
        **row.site._asdict(),
        "key": row.key,
        "before": [str(shape) for shape in row.before.values()],
        "after": str(row.after),
        "size": row.size,
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
    }
