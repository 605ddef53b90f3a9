// The arithmetic of one cell, as in explorer/notebook/cell.py. Uses the numbers of the pass, and computes only
// intermediate ones (products, exponentials, weighted values). This module draws nothing.

import { softmax } from "../../ui/numbers.js";
import { sum } from "../../ui/tensor.js";

export function computeCell(head, query, key) {
  const q = head.q.row(query);
  const k = head.k.row(key);
  const v = head.v.row(key);
  const scores = head.scores.row(query);
  const weights = head.weights.row(query);
  const isAllowed = head.mask.row(query);
  const product = q.map((number, i) => number * k[i]);
  const masked = scores.map((score, j) => (isAllowed[j] ? score : -Infinity));
  const maximum = Math.max(...masked);
  const exponentials = masked.map((score) => Math.exp(score - maximum));
  return {
    query, key, q, k, v, product, scores, masked, exponentials, weights, maximum,
    isAllowed: Array.from(isAllowed, Boolean),
    dot: sum(product),
    score: scores[key],
    exponentialSum: sum(exponentials),
    rowSum: sum(weights),
    weighted: head.v.rows.map((value, j) => value.map((number) => number * weights[j])),
    headOutput: headOutput(head, query),
    concatenated: head.heads.row(query),
    output: head.output.row(query),
  };
}

function headOutput(head, query) {
  const width = head.heads.shape[2];
  return head.heads.row(query).subarray(head.index * width, (head.index + 1) * width);
}

/** The row's weights without the division of the dot products by sqrt(d_head). */
export function withoutScaling(cell) {
  const scale = Math.sqrt(cell.q.length);
  return softmax(cell.masked.map((score) => score * scale));
}

/** The row's weights after dropout as in training: some are 0, the others are larger. */
export function afterDropout(weights, p, random) {
  return Array.from(weights, (weight) => (random() < p ? 0 : weight / (1 - p)));
}

/** The key with the largest weight, which is the default choice. */
export function strongestKey(row) {
  return row.indexOf(Math.max(...row));
}
