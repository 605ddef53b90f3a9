// Weights in their places: every cell of these maps has a value of its own, so that no other can stand in for it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { AttentionMap, contentOf, strongestWeights, weightOf, decodeTrace } from "../../explorer/attention_view/attention.js";

const LAYERS = 2, HEADS = 3, QUERIES = ["q0", "q1", "q2", "q3"], KEYS = ["k0", "k1", "k2", "k3", "k4"];
const levels = (rows) => rows.map((row) => Array.from(row, (weight) => Math.round(weight * 4095)));
const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-6, `${actual} is not ${expected}`);
const nearly = (actual, expected) => expected.forEach((value, i) => near(actual[i], value));

/** Gives a map its weights as levels of 4095, which are easier to read. */
function sent(map, integers) {
  return Object.assign(map, { decoded: Float64Array.from(integers, (integer) => integer / 4095) });
}

const encoded = (weights) => Buffer.from(Float32Array.from(weights).buffer).toString("base64");

const upTo = (count) => Array.from({ length: count }, (_, i) => i + 1);

/** Special pieces as a payload has them, here on the keys alone. */
function onKeys(keys) {
  return { queries: [], keys };
}

/** Numbered cells: layer by layer, head by head, row by row. */
function full(special = []) {
  const map = { shape: [LAYERS, HEADS, 4, 5], weights: "", queries: QUERIES, keys: KEYS, special: onKeys(special) };
  return sent(new AttentionMap("cross", map), upTo(LAYERS * HEADS * QUERIES.length * KEYS.length));
}

/** The same for the decoder, whose rows end at the diagonal. */
function triangle(special = []) {
  const map = { shape: [LAYERS, HEADS, 4, 4], weights: "", queries: QUERIES, keys: KEYS.slice(0, 4), special: onKeys(special) };
  return sent(new AttentionMap("decoder", map), upTo(60));
}

/** One layer with a head for each of the given matrices of levels. */
function heads(...matrices) {
  const queries = QUERIES.slice(0, matrices[0].length), keys = KEYS.slice(0, matrices[0][0].length);
  const shape = [1, matrices.length, queries.length, keys.length];
  return sent(new AttentionMap("cross", { shape, weights: "", queries, keys, special: onKeys([]) }), matrices.flat(2));
}

/** One layer and head with the given levels. */
function single(rows, special) {
  return Object.assign(heads(rows), { special: { queries: new Set(), keys: new Set(special) } });
}

const HEAD = { layer: 0, head: 0 };

test("a query reaches itself in the decoder and everything elsewhere", () => {
  assert.deepEqual(QUERIES.map((_, query) => triangle().reach(query)), [1, 2, 3, 4]);
  assert.deepEqual(QUERIES.map((_, query) => full().reach(query)), [5, 5, 5, 5]);
});

test("weights can come later than their map", () => {
  const later = { shape: [1, 1, 1, 2], weights: null, queries: ["q"], keys: KEYS.slice(0, 2), special: onKeys([]) };
  const map = new AttentionMap("cross", later);
  assert.equal(map.ready, false);
  map.encoded = encoded([1, 0]);
  assert.equal(map.ready, true);
  assert.deepEqual(levels(map.matrix(0, 0)), [[4095, 0]]);
});

test("a row with nothing left stays 0", () => {
  const content = contentOf(single([[4095, 0, 0], [95, 2000, 2000]], [0]), HEAD, false);
  assert.deepEqual([...content.rows[0]], [0, 0]);
  assert.equal(content.sums[0], 0);
  near(content.sums[1], 1);
  nearly(content.rows[1], [0.5, 0.5]);
});

test("where the start is hidden, the decoder's first row reaches nothing", () => {
  const content = contentOf(triangle([0]), HEAD, false);
  assert.deepEqual(content.reach, [0, 1, 2, 3]);
  assert.deepEqual([...content.rows[0]], [0, 0, 0]);
  nearly(content.rows[2], [5 / 11, 6 / 11, 0]);
});

test("weights are found by their key in the sentence, not by their column", () => {
  const content = contentOf(single([[1, 2, 3], [4, 5, 1]], [0]), HEAD, false);
  near(weightOf(content, 0, 2), 0.6);
  near(weightOf(content, 1, 1), 5 / 6);
  assert.equal(weightOf(content, 0, 0), 0);
});

test("the strongest come first, and next to nothing is left out", () => {
  assert.deepEqual(strongestWeights([0.1, 0.5, 0.0004, 0.3], 2), [[1, 0.5], [3, 0.3]]);
  assert.deepEqual(strongestWeights([0.0004, 0.5, 0.0005], 3), [[1, 0.5], [2, 0.0005]]);
  assert.deepEqual(strongestWeights(Float32Array.of(0.25, 0.75), 5), [[1, 0.75], [0, 0.25]]);
});

test("a payload becomes a trace with a map for every kind", () => {
  const map = { shape: [1, 1, 1, 1], weights: encoded([1]), queries: ["q"], keys: ["k"], special: onKeys([0]) };
  const trace = decodeTrace(JSON.stringify({ submission: 4, kinds: { encoder: map, cross: map } }));
  assert.equal(trace.submission, 4);
  assert.deepEqual([trace.kinds.encoder.kind, trace.kinds.cross.kind], ["encoder", "cross"]);
  assert.deepEqual(levels(trace.kinds.cross.matrix(0, 0)), [[4095]]);
});
