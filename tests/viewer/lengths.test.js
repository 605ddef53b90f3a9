// Lengths in the place of weights: read by the same rules, but for what is said of numbers that do not sum to 1.

import assert from "node:assert/strict";
import { test } from "node:test";

import { AttentionMap, contentOf, mapOfMeasure } from "../../explorer/attention_view/attention.js";
import { heatmapFigure } from "../../explorer/attention_view/heatmap.js";
import { requiredMaps, sourceShare } from "../../explorer/attention_view/rollout.js";

const KEYS = ["k0", "k1", "k2"];

/** One layer with two heads; the last key is special. */
function map(kind, queries) {
  const special = { queries: [], keys: [2] };
  return new AttentionMap(kind, { shape: [1, 2, queries.length, 3], weights: null, queries, keys: KEYS, special });
}

function sent(numbers, changed = []) {
  const data = Buffer.from(new Float32Array(numbers).buffer).toString("base64");
  return JSON.stringify({ lengths: { shape: [1, 2, numbers.length / 2], data }, changed });
}

function lengthsOf(kind, queries, numbers, changed) {
  const found = mapOfMeasure(map(kind, queries), "length");
  found.encoded = sent(numbers, changed);
  return found;
}

const rows = (content) => content.rows.map((row) => [...row]);
const HEAD = { layer: 0, head: 1 };

test("lengths lie as weights do, the decoder's without the future", () => {
  assert.deepEqual(rows(contentOf(lengthsOf("cross", ["q"], [1, 2, 3, 4, 5, 6]), HEAD, true)), [[4, 5, 6]]);
  const causal = lengthsOf("decoder", KEYS, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  assert.deepEqual(rows(contentOf(causal, HEAD, true)), [[7, 0, 0], [8, 9, 0], [10, 11, 12]]);
});

test("without the special pieces the other lengths stay as they are", () => {
  const content = contentOf(lengthsOf("cross", ["q"], [1, 2, 3, 4, 5, 6]), HEAD, false);
  assert.deepEqual([rows(content), [...content.sums], content.labels], [[[4, 5]], [9], ["k0", "k1"]]);
});

test("the full colour is the longest of all heads, and the scale says so", () => {
  const content = contentOf(lengthsOf("cross", ["q"], [1, 2, 8, 4, 5, 6]), HEAD, true);
  assert.equal(content.ceiling, 8);
  const frame = { data: [{ colorbar: {} }, {}], layout: { xaxis: {}, yaxis: {}, shapes: [{}] } };
  const [{ zmax, colorbar }] = heatmapFigure(frame, content, { text: { cell: "{weight}" } }).data;
  assert.deepEqual([zmax, colorbar.ticktext], [8, ["0", "8.000"]]);
});

test("the share of changed rows is that of the choice, and of all heads", () => {
  const all = { rows: 4, different: [[1, 3, 2, 4], [0, 0, 0, 0], [0, 0, 0, 2]] };
  const rest = { rows: 0, different: [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]] };
  const found = lengthsOf("cross", ["q"], [1, 2, 3, 4, 5, 6], [all, rest]);
  assert.deepEqual(found.changed(HEAD, true), { rows: 4, here: 3, all: 0.5 });
  assert.deepEqual(found.changed({ layer: "max", head: "max" }, true).here, 2);
  assert.deepEqual(found.changed(HEAD, false), { rows: 0, here: 0, all: 0 });
});

test("a rollout of cross-attention needs the weights of every kind, others their own", () => {
  const kinds = Object.fromEntries(["encoder", "decoder", "cross"].map((kind) => [kind, map(kind, KEYS)]));
  for (const one of Object.values(kinds)) one.kinds = kinds;
  assert.deepEqual(requiredMaps(kinds.cross), [kinds.encoder, kinds.decoder, kinds.cross]);
  assert.deepEqual(requiredMaps(kinds.decoder), [kinds.decoder]);
  assert.equal(sourceShare(2), 0.75);
});
