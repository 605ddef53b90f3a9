// What follows from a step's readings after every layer.

import { decodeTensors } from "../ui/tensor.js";
import { nameToken } from "./token_names.js";

/** The layer (0: the embedding) from which on a token stays the most probable; null if it never is. */
export function winningLayer(ranks) {
  const first = ranks.findLastIndex((rank) => rank !== 1) + 1;
  return first < ranks.length ? first : null;
}

/** A step for the board, from the result of the model's call `lens`; its tokens are called by `names`. */
export function predictionOf(result, names) {
  const { layers, best, leaders, ...step } = decodeTensors(result);
  const named = (tokens) => tokens.map((token) => nameToken(token, names));
  return {
    ...step,
    best: named(best),
    layers: named(layers),
    leaders: leaders.map(({ piece, ranks }) => ({ ranks, piece: nameToken(piece, names) })),
  };
}
