// The arithmetic of a cell, and what common mistakes make of it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { afterDropout, computeCell, strongestKey, withoutScaling } from "../../explorer/tabs/inside/arithmetic.js";
import { entropy, softmax } from "../../explorer/ui/numbers.js";
import { decodeTensors } from "../../explorer/ui/tensor.js";

function tensor(shape, numbers) {
  return { shape, data: Buffer.from(Float32Array.from(numbers).buffer).toString("base64") };
}

/** Two queries, three keys, one of them masked for the first query; d_head 2, d_value 1, two heads. */
const HEAD = decodeTensors({
  index: 1,
  queries_from: tensor([2, 4], [1, 0, 0, 0, 0, 1, 0, 0]),
  keys_from: tensor([3, 4], new Array(12).fill(0)),
  q: tensor([2, 2], [1, 2, 3, 4]),
  k: tensor([3, 2], [0.5, 0.25, -1, 1, 2, 0]),
  v: tensor([3, 1], [10, 20, 30]),
  mask: tensor([2, 3], [1, 1, 0, 1, 1, 1]),
  scores: tensor([2, 3], [0.7, 0.7, 1.4, 1, 2, 3]),
  weights: tensor([2, 3], [0.5, 0.5, 0, 0.25, 0.25, 0.5]),
  heads: tensor([2, 2, 1], [1, 15, 2, 22.5]),
  output: tensor([2, 4], [1, 2, 3, 4, 5, 6, 7, 8]),
});

test("products add up to the dot product", () => {
  const cell = computeCell(HEAD, 0, 1);
  assert.deepEqual([...cell.product], [-1, 2]);
  assert.equal(cell.dot, 1);
});

test("a masked key has the score minus infinity, and nothing of the sum", () => {
  const cell = computeCell(HEAD, 0, 2);
  assert.equal(cell.masked[2], -Infinity);
  assert.equal(cell.exponentials[2], 0);
  assert.deepEqual(cell.isAllowed, [true, true, false]);
  assert.equal(cell.exponentialSum, 2);
  assert.equal(cell.rowSum, 1);
});

test("values are weighted by the row, and the head's own part of all outputs is found", () => {
  const cell = computeCell(HEAD, 1, 0);
  assert.deepEqual(cell.weighted.map((row) => row[0]), [2.5, 5, 15]);
  assert.deepEqual([...cell.headOutput], [22.5]);
  assert.deepEqual([...cell.concatenated], [2, 22.5]);
  assert.deepEqual([...cell.output], [5, 6, 7, 8]);
});

test("without the division the softmax is sharper, and masked keys stay masked", () => {
  const cell = computeCell(HEAD, 1, 0);
  assert.ok(entropy(withoutScaling(cell)) < entropy(softmax(cell.scores)));
  assert.equal(withoutScaling(computeCell(HEAD, 0, 0))[2], 0);
});

test("dropout sets weights to zero and makes the others larger", () => {
  const numbers = [0.05, 0.5, 0.95];
  const dropped = afterDropout([0.5, 0.3, 0.2], 0.1, () => numbers.shift());
  assert.deepEqual(dropped.map((weight) => weight.toFixed(3)), ["0.000", "0.333", "0.222"]);
});

test("the strongest key of a row is the first of the largest weights", () => {
  assert.equal(strongestKey(Float32Array.of(0.2, 0.5, 0.3)), 1);
});
