// Traces and tensors as JSON for the page: explorer/recording/payload.py.

import { KINDS } from "./probe.js";

/** @typedef {import("./trace.js").ComputedTrace} ComputedTrace */

const MAX_WEIGHTS_CHARACTERS = 5_000_000; // in one result: 6 x 8 heads fit up to 85 pieces
const CHUNK = 32768; // more arguments than that a function may not take

/**
 * Bytes in base64.
 * @param {Uint8Array} bytes
 */
export function encodeBytes(bytes) {
  let text = "";
  for (let start = 0; start < bytes.length; start += CHUNK) {
    text += String.fromCharCode.apply(null, bytes.subarray(start, start + CHUNK)); // in a fifth of the time of `...`
  }
  return btoa(text);
}

/** Numbers in order as 32-bit little-endian floats in base64. @param {ArrayLike<number>} numbers */
function encodeFloats(numbers) {
  return encodeBytes(new Uint8Array(new Float32Array(numbers).buffer)); // `from` goes through an iterator: five times
}

/**
 * The shape and all numbers of a tensor.
 * @param {{ shape: number[], data: ArrayLike<number> }} tensor
 */
export function tensorJson({ shape, data }) {
  return { shape, data: encodeFloats(data) };
}

/**
 * The numbers of all cells that are not masked; in the decoder's self-attention, the lower triangle.
 * @param {import("./tensor.js").Tensor} tensor @param {Kind} kind
 */
function unmaskedCells({ shape: [layers, heads, queries, keys], data }, kind) {
  /** @type {number[]} */
  const cells = [];
  for (let row = 0; row < layers * heads * queries; row++) {
    const end = kind === "decoder" ? (row % queries) + 1 : keys;
    for (let key = 0; key < end; key++) cells.push(data[row * keys + key]);
  }
  return cells;
}

/**
 * All weights of a kind, without masked cells.
 * @param {ComputedTrace} trace
 * @param {Kind} kind
 */
export function encodeWeights(trace, kind) {
  return encodeFloats(unmaskedCells(trace.weights[kind], kind));
}

/**
 * A trace as explorer/derived reads it; without weights if they are too large for one result.
 * @param {ComputedTrace} trace
 */
export function traceJson(trace) {
  const { sentence, translation, vocabulary, stoppedAtLimit, source, steps } = trace;
  const encoded = KINDS.map((kind) => encodeWeights(trace, kind));
  const fits = encoded.reduce((sum, { length }) => sum + length, 0) <= MAX_WEIGHTS_CHARACTERS;
  const kinds = KINDS.map((kind, i) => {
    return [kind, { shape: trace.weights[kind].shape, weights: fits ? encoded[i] : null }];
  });
  return {
    sentence,
    translation,
    vocabulary,
    stopped_at_limit: stoppedAtLimit,
    source,
    steps: steps.map(stepJson),
    kinds: Object.fromEntries(kinds),
  };
}

/** @param {ComputedTrace["steps"][number]} step */
function stepJson({ fed, predicted, probability, entropy, candidates, excluded, logProbability, rank }) {
  return { fed, predicted, probability, entropy, candidates, excluded, log_probability: logProbability, rank };
}
