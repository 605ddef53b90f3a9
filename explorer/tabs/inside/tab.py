"""The tab Inside: the arithmetic of one cell of an attention map, from the streams to the sub-layer's output."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from explorer.recording.app_context import AppContext
from explorer.recording.code_excerpts import MASK_CODE, Excerpt, excerpt
from explorer.ui.component import CONTEXT_STYLE, TAB_STYLE, Component, pickers, tab_component
from explorer.ui.glossary import link_terms
from explorer.ui.translations import Translations
from model.attention import MultiHeadAttention
from model.probe import KINDS, Kind

FOLDER = Path(__file__).parent
words = Translations(__file__)


class Stage(NamedTuple):
    """One stage: the shapes of its results, and the code that computes them."""

    name: str
    shapes: dict[str, str]  # axes of each result
    code: tuple[tuple[Callable, str], ...]  # functions of model/, and the expression in each

    @property
    def excerpts(self) -> list[Excerpt]:
        return [excerpt(function, expression) for function, expression in self.code]


ROW = "batch head query key"
DOT = MultiHeadAttention.scaled_dot_product
STAGES = (
    Stage(
        "project",
        {"q": "batch head query d_head", "k": "batch head key d_head"},
        ((MultiHeadAttention.attend, "self.w_q(query)"), (MultiHeadAttention.keys_values, "self.w_k(key)")),
    ),
    Stage("multiply", {"q k^T": ROW}, ((DOT, "k.transpose(-2, -1)"), (DOT, "q @ k_transposed"))),
    Stage("scale", {"scores": ROW}, ((DOT, "/ math.sqrt(q.size(-1))"),)),
    Stage("mask", {"scores": ROW}, ((DOT, "torch.where(mask, scores, -math.inf)"),)),
    Stage("softmax", {"weights": ROW}, ((DOT, ".softmax(dim=-1)"),)),
    Stage(
        "values",
        {"v": "batch head key d_value", "heads": "batch head query d_value"},
        ((MultiHeadAttention.keys_values, "self.w_v(value)"), (DOT, "self.dropout(weights) @ v")),
    ),
    Stage(
        "concatenate",
        {"concatenated": "batch query head·d_value"},
        (
            (MultiHeadAttention.attend, "heads.transpose(1, 2)"),
            (MultiHeadAttention.attend, "heads_transposed.flatten(2)"),
        ),
    ),
    Stage("output", {"output": "batch query d_model"}, ((MultiHeadAttention.attend, "self.w_o(concatenated)"),)),
)


def stages(kind: Kind) -> list[Stage]:
    """The stages of a kind of attention, in their order."""
    return [stage._replace(code=(*stage.code, *MASK_CODE[kind])) if stage.name == "mask" else stage for stage in STAGES]


def inside_tab(app: AppContext) -> list[Component]:
    """The arithmetic of Explore's cell; the page requests a head's numbers once."""
    config, dropout = app.translator.model.config, app.translator.model.config.dropout
    mistakes = {name: text for name, text in words.MISTAKES.items() if name != "dropped" or dropout}
    settings = {
        "text": {
            **words.INSIDE,
            "mistakes": mistakes,
            "stages": {name: {**text, "words": link_terms(text["words"])} for name, text in words.STAGES.items()},
        },
        "bias": config.attention_bias,
        "dropout": dropout,
        "stages": {kind: stages_json(kind) for kind in KINDS},
    }
    return [
        tab_component(
            FOLDER, settings, styles=(TAB_STYLE, CONTEXT_STYLE), words={**words.HTML, "pickers": pickers("choice")}
        )
    ]


def stages_json(kind: Kind) -> list[dict[str, Any]]:
    """The stages with their shapes and excerpts of the model's source."""
    return [
        {"name": stage.name, "shapes": stage.shapes, "excerpts": [found._asdict() for found in stage.excerpts]}
        for stage in stages(kind)
    ]
