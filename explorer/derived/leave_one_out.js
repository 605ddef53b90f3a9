// Leave-one-out: what each piece of the translation loses if a source piece is hidden, beside the attention to it.

import { sum } from "../ui/tensor.js";
import { rankCorrelation } from "./rank_correlation.js";

const ROWS_PER_REQUEST = 600; // decoder and encoder rows: about a third of a second on two cores
const MIN_PIECES_PER_REQUEST = 4;
const TIE = 1e-3; // weights, and nats, that are closer share their ranks in a row, which has few numbers

/**
 * The source pieces from `start` on that one call of the model's `scores` hides, as indices.
 * @param {Pick<Trace, "source" | "steps">} trace @param {number} start
 */
export function piecesToHide({ source, steps }, start) {
  const size = Math.max(MIN_PIECES_PER_REQUEST, Math.floor(ROWS_PER_REQUEST / (source.length + steps.length)));
  return [...source.keys()].slice(start, start + size);
}

/**
 * How much the translation as a whole loses, in nats of its log-probability, without each piece of the source that is
 * no special token; what it needs most comes first. `effects` are [piece step].
 * @param {Trace["source"]} source @param {Numbers[]} effects
 */
export function neededPieces(source, effects) {
  const lost = effects.map((row) => -sum(row));
  const pieces = source.map((piece, index) => ({ piece, lost: lost[index] })).filter(({ piece }) => !piece.special);
  return pieces.sort((one, other) => other.lost - one.lost);
}

/**
 * The attention [step piece] of a choice of heads to the source, and its rank correlation with the sizes of the effects
 * [piece step]: of all numbers, and of each step. Sizes, as in Jain and Wallace (2019): a piece without an effect is
 * not needed. The correlation is null where all numbers are equal.
 * @param {Pick<Trace, "kinds" | "steps">} trace @param {Numbers[]} effects @param {Heads} heads
 */
export function agreementOf({ kinds, steps }, effects, { layer, head }) {
  const weights = kinds.cross.matrix(layer, head);
  const sizes = steps.map((_, step) => effects.map((row) => Math.abs(row[step])));
  return {
    weights,
    overall: rankCorrelation(weights.flatMap((row) => [...row]), sizes.flat()),
    rows: weights.map((row, step) => rankCorrelation([...row], sizes[step], TIE)),
  };
}
