// The arithmetic of one cell, as in explorer/notebook/cell.py. What the pass computed is taken as it came; only what lies between
// (products, exponentials, weighted values) is computed here. No drawing.

import { softmax } from "../../ui/numbers.js";
import { sum } from "../../ui/tensor.js";

export function cellOf(head, query, key) {
  const q = head.q.row(query), k = head.k.row(key), v = head.v.row(key);
  const scores = head.scores.row(query), weights = head.weights.row(query), allowed = head.mask.row(query);
  const product = q.map((number, i) => number * k[i]);
  const masked = scores.map((score, j) => (allowed[j] ? score : -Infinity));
  const maximum = Math.max(...masked);
  const exponentials = masked.map((score) => Math.exp(score - maximum));
  return {
    query, key, q, k, v, product, scores, masked, exponentials, weights, maximum,
    allowed: Array.from(allowed, Boolean),
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

/** The row's weights had the dot products not been divided by sqrt(d_head). */
export function undivided(cell) {
  const root = Math.sqrt(cell.q.length);
  return softmax(cell.masked.map((score) => score * root));
}

/** The row's weights as dropout hands them on while training: some are 0, the others are larger. */
export function afterDropout(weights, p, random) {
  return Array.from(weights, (weight) => (random() < p ? 0 : weight / (1 - p)));
}

/** What is looked at until the visitor chooses: the row in focus and the key that it attends to most. */
export function strongestKey(row) {
  return row.indexOf(Math.max(...row));
}
