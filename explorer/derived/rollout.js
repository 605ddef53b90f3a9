// Attention rollout across layers: the same numbers as explorer/recording/rollout.py. Matrices are arrays of rows.

import { multiply } from "../ui/tensor.js";

const MEAN = "mean";

export const ROLLOUT = "rollout"; // a choice of layer beside "mean" and "max"

/** The maps that a rollout of a kind is computed from. @param {AttentionMap} map */
function requiredMaps({ kind, kinds }) {
  return kind === "cross" ? [kinds.encoder, kinds.decoder, kinds.cross] : [kinds[kind]];
}

/**
 * A map that a view needs and whose weights are not loaded yet; undefined if all are loaded.
 * @param {Pick<View, "layer">} view
 * @param {AttentionMap & { base?: AttentionMap }} map
 */
export function missingMap({ layer }, map) {
  const maps = layer === ROLLOUT ? requiredMaps(map) : [map.base ?? map, map]; // lengths need weights
  return maps.find(({ ready }) => !ready);
}

/** The rollout of a kind; rows sum to 1. @param {Pick<AttentionMap, "kind" | "kinds">} map */
export function rollout({ kind, kinds }) {
  if (kind !== "cross") return selfRollout(kinds[kind]);
  const { encoder, decoder, cross } = kinds;
  const source = crossRollout(decoder, cross, selfRollout(encoder));
  for (const row of source) {
    const sum = row.reduce((total, share) => total + share, 0) || 1; // 0 if a row of weights is not a distribution
    for (let key = 0; key < row.length; key++) row[key] /= sum;
  }
  return source;
}

/** The share of a decoder row that comes from the source, for any weights. @param {number} layers */
export function sourceShare(layers) {
  return 1 - 0.5 ** layers;
}

/**
 * The share of each source piece in each decoder row; every cross-attention replaces half of a row.
 * @param {AttentionMap} decoder @param {AttentionMap} cross @param {Float64Array[]} encoder
 */
function crossRollout(decoder, cross, encoder) {
  /** @type {Float64Array[]} */
  let source = cross.queries.map(() => new Float64Array(cross.keys.length));
  for (let layer = 0; layer < cross.layers; layer++) {
    /** @type {Float64Array[]} */
    const attended = multiply(cross.matrix(layer, MEAN), encoder);
    source = mixWithResidual(decoder.matrix(layer, MEAN), source);
    source.forEach((row, query) => row.forEach((share, key) => { row[key] = (share + attended[query][key]) / 2; }));
  }
  return source;
}

/** The rollout of self-attention: the product of all layers. @param {AttentionMap} map */
function selfRollout(map) {
  const count = map.keys.length;
  /** @type {Float64Array[]} */
  let result = map.queries.map((_, query) => Float64Array.from({ length: count }, (_, key) => (key === query ? 1 : 0)));
  for (let layer = 0; layer < map.layers; layer++) result = mixWithResidual(map.matrix(layer, MEAN), result);
  return result;
}

/**
 * Half of the rows after a layer's attention, half of the rows before it, for the residual connection.
 * @param {Numbers[]} weights @param {Float64Array[]} rows
 */
function mixWithResidual(weights, rows) {
  /** @type {Float64Array[]} */
  const mixed = multiply(weights, rows);
  mixed.forEach((row, query) => row.forEach((share, key) => { row[key] = (share + rows[query][key]) / 2; }));
  return mixed;
}
