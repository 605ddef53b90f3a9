// What follows from a step's readings after every layer.

import { decodeTensors } from "../ui/tensor.js";
import { nameToken } from "./token_names.js";

/**
 * The layer (0: the embedding) from which on a token stays the most probable; null if it never is.
 * @param {number[]} ranks
 */
export function winningLayer(ranks) {
  const first = ranks.findLastIndex((rank) => rank !== 1) + 1;
  return first < ranks.length ? first : null;
}

/**
 * A result of the model's call `lens`: the most probable tokens, what each layer would choose, and the ranks of all
 * these after every layer.
 * @typedef {object} Lens
 * @property {TensorPayload} state
 * @property {TensorPayload} logits
 * @property {Candidate[]} best
 * @property {Candidate[]} layers
 * @property {{ piece: { text: string, id: number }, ranks: number[] }[]} leaders
 */

/**
 * A step for the board, from the result of the model's call `lens`; its tokens are called by `names`.
 * @param {Lens} result @param {import("./token_names.js").TokenNames} names
 */
export function predictionOf(result, names) {
  const { layers, best, leaders, ...tensors } = result;
  const named = (/** @type {Candidate[]} */ tokens) => tokens.map((token) => nameToken(token, names));
  return {
    ...decodeTensors(tensors),
    best: named(best),
    layers: named(layers),
    leaders: leaders.map(({ piece, ranks }) => ({ ranks, piece: nameToken(piece, names) })),
  };
}
