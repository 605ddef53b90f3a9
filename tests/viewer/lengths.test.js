// Of lengths in the place of weights: how many rows look elsewhere than by weight.

import assert from "node:assert/strict";
import { test } from "node:test";

import { AttentionMap } from "../../explorer/attention_view/attention.js";
import { mapOfMeasure } from "../../explorer/attention_view/lengths.js";

const HEAD = { layer: 0, head: 1 };

test("the share of changed rows is that of the choice, and of all heads", () => {
  const all = { rows: 4, different: [[1, 3, 2, 4], [0, 0, 0, 0], [0, 0, 0, 2]] };
  const rest = { rows: 0, different: [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]] };
  const special = { queries: [], keys: [2] }, shape = [1, 2, 1, 3]; // one layer with two heads; the last key is special
  const found = mapOfMeasure(new AttentionMap("cross", { shape, weights: null, queries: ["q"], keys: ["a", "b", "c"], special }), "length");
  const data = Buffer.from(Float32Array.of(1, 2, 3, 4, 5, 6).buffer).toString("base64");
  found.encoded = JSON.stringify({ lengths: { shape: [1, 2, 3], data }, changed: [all, rest] });
  assert.deepEqual(found.changed(HEAD, true), { rows: 4, here: 3, all: 0.5 });
  assert.deepEqual(found.changed({ layer: "max", head: "max" }, true).here, 2);
  assert.deepEqual(found.changed(HEAD, false), { rows: 0, here: 0, all: 0 });
});
