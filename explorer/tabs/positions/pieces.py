"""The input of the first layer: each piece's embedding, its position, and their sum (sections 3.4 and 3.5)."""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from explorer.recording.forward_pass import Pass
from explorer.recording.trace import Piece
from model.probe import Site, Stack

Rows = Float[np.ndarray, "position d_model"]


@dataclass(frozen=True, eq=False)
class LayerInput:
    """The pieces of one side, with the three vectors of each."""

    pieces: tuple[Piece, ...]
    embedding: Rows  # times `scale`
    positions: Rows
    stream: Rows  # their sum
    scale: float  # sqrt(d_model), or 1 without scaling

    @property
    def norms(self) -> tuple[Float[np.ndarray, "position"], ...]:
        """The lengths of the embeddings, the positions and the sums."""
        embedding, positions, stream = (
            np.linalg.norm(rows, axis=1) for rows in (self.embedding, self.positions, self.stream)
        )
        return embedding, positions, stream

    def unscaled(self) -> "LayerInput":
        """The input without the scaling factor."""
        embedding = self.embedding / self.scale
        return replace(self, embedding=embedding, stream=embedding + self.positions, scale=1.0)


def layer_input(whole: Pass, stack: Stack) -> LayerInput:
    """The input of the first sentence's source (encoder) or of its fed target (decoder)."""
    names = ("embedding", "positions", "stream")
    embedding, positions, stream = (whole.tensors[Site(stack, tensor=name)] for name in names)
    pieces = whole.traces[0].source if stack == "encoder" else whole.traces[0].target
    return LayerInput(pieces, embedding[0], positions, stream[0], getattr(whole.model, stack).embedding.scale)
