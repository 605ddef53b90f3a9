"""The stages of a cell's arithmetic in Inside: their shapes, and the model's code behind each."""

from collections.abc import Callable
from typing import NamedTuple

from explorer.recording.source import MASK_CODE, Excerpt, excerpt
from model.attention import MultiHeadAttention
from model.probe import Kind


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
