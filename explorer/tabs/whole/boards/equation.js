// One head as an equation of matrices: the products of queries and keys, the scores, the weights, the mixture; and what
// common mistakes would make of them. Pure.

import { softmax } from "../../../ui/numbers.js";
import { multiply, sum } from "../../../ui/tensor.js";

/** @typedef {import("../../../ui/tensor.js").Tensor} Tensor */
/** @typedef {Float32Array | Float64Array} Row */

/**
 * The tensors of a head (explorer/recording/head.py) with its number among the heads of its layer.
 * @typedef {Record<"q" | "k" | "v" | "scores" | "weights" | "mask" | "heads" | "queries_from" | "w_q" | "w_o", Tensor>
 *   & { index: number }} HeadTensors
 */

/**
 * The matrices that follow from queries, keys and values, as rows: [query][key], the mixture [query][d_value].
 * @typedef {object} Equation
 * @property {Row[]} products
 * @property {Row[]} scores before the mask
 * @property {boolean[][]} allowed where a query may look
 * @property {Row[]} weights
 * @property {Row[]} mix
 */

const FROM_WEIGHTS = ["weights", "mix", "added"];
const FROM_SCORES = ["scores", ...FROM_WEIGHTS];

/**
 * A mistake: the matrices that it changes, whether its numbers depend on tokens to come, and in which heads it changes
 * something; `isMasked` says whether one of the decoder has masked cells.
 * @typedef {{ changes: string[], looksAhead?: boolean,
 *   isOffered?: (head: { isMasked: boolean, kind: Kind, dropout: number }) => boolean }} Mistake
 */

/**
 * The mistakes: no division by the root, no mask, the mask with rows and columns swapped, a softmax of columns, weights
 * read after dropout, and rows with the names of the source's tokens, which changes no number.
 * @type {Record<string, Mistake>}
 */
export const MISTAKES = {
  undivided: { changes: FROM_SCORES },
  unmasked: { changes: FROM_SCORES, looksAhead: true, isOffered: ({ isMasked }) => isMasked },
  turned: { changes: FROM_SCORES, looksAhead: true, isOffered: ({ isMasked }) => isMasked },
  columns: { changes: FROM_WEIGHTS, looksAhead: true },
  dropped: { changes: FROM_WEIGHTS, isOffered: ({ dropout }) => dropout > 0 },
  mislabelled: { changes: ["weights"], isOffered: ({ kind }) => kind !== "encoder" },
};

const SEED = 1, FACTOR = 48271, MODULUS = 2147483647; // Park and Miller's generator: the same weights every time

/**
 * The columns of rows as rows.
 * @param {Row[]} rows
 */
export function transpose(rows) {
  return Array.from(rows[0], (_, column) => Float64Array.from(rows, (row) => row[column]));
}

/** @param {HeadTensors} head @returns {boolean[][]} */
function allowedOf(head) {
  return head.mask.rows.map((row) => Array.from(row, Boolean));
}

/**
 * The equation as the model computed it; with a mistake, what that would give.
 * @param {HeadTensors} head
 * @param {string | null} mistake the name of one
 * @param {number} dropout the share of weights that dropout sets to 0 in training
 * @returns {Equation}
 */
export function equationOf(head, mistake = null, dropout = 0) {
  const products = multiply(head.q.rows, transpose(head.k.rows));
  const allowed = allowedOf(head);
  const right = { products, scores: head.scores.rows, allowed, weights: head.weights.rows, mix: mixOf(head) };
  if (mistake === null || mistake === "mislabelled") return right;
  if (mistake === "dropped") {
    const dropped = afterDropout(right.weights, dropout);
    return { ...right, weights: dropped, mix: multiply(dropped, head.v.rows) };
  }
  const scores = mistake === "undivided" ? products : head.scores.rows;
  const visible = allowedUnder(mistake, allowed);
  const weights = mistake === "columns" ? columnWeights(scores, visible) : rowWeights(scores, visible);
  return { products, scores, allowed: visible, weights, mix: multiply(weights, head.v.rows) };
}

/**
 * What this head found for every query: its part of the outputs of all heads.
 * @param {HeadTensors} head
 */
function mixOf({ heads, index }) {
  const width = heads.shape[2];
  return heads.rows.map((row) => row.subarray(index * width, (index + 1) * width));
}

/**
 * @param {string} mistake
 * @param {boolean[][]} allowed
 */
function allowedUnder(mistake, allowed) {
  if (mistake === "unmasked") return allowed.map((row) => row.map(() => true));
  return mistake === "turned" ? allowed.map((row, i) => row.map((_, j) => allowed[j][i])) : allowed;
}

/**
 * @param {Row[]} scores
 * @param {boolean[][]} allowed
 */
function rowWeights(scores, allowed) {
  return scores.map((row, i) => softmax(Float64Array.from(row, (score, j) => (allowed[i][j] ? score : -Infinity))));
}

/**
 * @param {Row[]} scores
 * @param {boolean[][]} allowed
 */
function columnWeights(scores, allowed) {
  return transpose(rowWeights(transpose(scores), allowed[0].map((_, j) => allowed.map((row) => row[j]))));
}

/**
 * The weights as training has them: some are 0, the others larger, so that a row sums to 1 on average.
 * @param {Row[]} weights
 * @param {number} dropout
 * @returns {Row[]}
 */
function afterDropout(weights, dropout) {
  let state = SEED;
  return weights.map((row) => row.map((weight) => {
    state = (state * FACTOR) % MODULUS;
    return state / MODULUS < dropout ? 0 : weight / (1 - dropout);
  }));
}

/** @param {boolean[][]} allowed */
export function isSomeMasked(allowed) {
  return allowed.some((row) => row.includes(false));
}

/**
 * What the model's mask masks and another one does not; null if there is nothing.
 * @param {HeadTensors} head
 * @param {boolean[][]} allowed
 */
export function forbiddenCells(head, allowed) {
  const cells = allowed.map((row, i) => row.map((isAllowed, j) => isAllowed && !head.mask.row(i)[j]));
  return cells.some((row) => row.includes(true)) ? cells : null;
}

/**
 * The names of the mistakes that change something in this head.
 * @param {HeadTensors} head
 * @param {{ kind: Kind, dropout: number }} options
 */
export function mistakesOf(head, { kind, dropout }) {
  const isMasked = kind === "decoder" && isSomeMasked(allowedOf(head)); // elsewhere only where tokens are hidden
  /** @param {[string, Mistake]} entry */
  const isOffered = ([, mistake]) => mistake.isOffered?.({ isMasked, kind, dropout }) ?? true;
  return Object.entries(MISTAKES).filter(isOffered).map(([name]) => name);
}

/**
 * The matrices that show something else under a mistake, or null.
 * @param {string | null} mistake
 * @returns {string[]}
 */
export function changedBy(mistake) {
  return mistake === null ? [] : MISTAKES[mistake].changes;
}

/**
 * Whether the numbers under a mistake, or null, depend on tokens that come later.
 * @param {string | null} mistake
 */
export function looksAhead(mistake) {
  return mistake !== null && Boolean(MISTAKES[mistake].looksAhead);
}

/**
 * The share of a row that lies on keys which the model itself may not see.
 * @param {ArrayLike<number>} row
 * @param {ArrayLike<number>} allowed
 */
export function forbiddenShare(row, allowed) {
  return sum(Array.from(row, (weight, key) => (allowed[key] ? 0 : weight)));
}

/**
 * The largest difference between two rows.
 * @param {ArrayLike<number>} row
 * @param {ArrayLike<number>} other
 */
export function changeOf(row, other) {
  return Math.max(0, ...Array.from(row, (weight, key) => Math.abs(weight - other[key])));
}
