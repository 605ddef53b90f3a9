"""The parameters behind one number: those of one output of a linear layer, or of a layer normalisation."""

from typing import Any

from torch import nn

from explorer.recording.payload import tensor_json
from explorer.ui import words
from explorer.ui.questions import require_index
from model.errors import UserError
from model.layers import LayerNorm
from model.transformer import Transformer


def parameter_json(model: Transformer, module: str, row: int | None) -> dict[str, Any]:
    """Weight and bias of a module, called as PyTorch does: "decoder.layers.3.feed_forward.w_1".

    Of a linear layer they are those of the output number `row`, [in] and [1], the bias null if there is none. Of a
    layer normalisation they are whole, [d_model], and `row` is None. Raises UserError for anything else.
    """
    found = dict(model.named_modules()).get(module)
    if isinstance(found, nn.Linear) and row is not None:
        require_index("row", row, found.out_features)
        weight, bias = found.weight[row], None if found.bias is None else found.bias[row : row + 1]
    elif isinstance(found, LayerNorm) and row is None:
        weight, bias = found.weight, found.bias
    else:
        raise UserError(words.REFUSALS["no_answer"].format(fault=f"“{module}”."))
    weight, bias = (None if part is None else tensor_json(part.detach().cpu().numpy()) for part in (weight, bias))
    return {"weight": weight, "bias": bias}
