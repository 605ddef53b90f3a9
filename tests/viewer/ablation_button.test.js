// Which heads an experiment switches off when a view asks for it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { headsOf } from "../../explorer/attention_view/selected_cell.js";

const MAP = { layers: 2, heads: 3 };

test("one head is one head", () => {
  assert.deepEqual(headsOf({ kind: "cross", layer: 1, head: 2 }, MAP), [["cross", 1, 2]]);
});

test("a mean or maximum is all that it covers", () => {
  assert.deepEqual(headsOf({ kind: "encoder", layer: 0, head: "mean" }, MAP), [["encoder", 0, 0], ["encoder", 0, 1], ["encoder", 0, 2]]);
  assert.deepEqual(headsOf({ kind: "decoder", layer: "max", head: 1 }, MAP), [["decoder", 0, 1], ["decoder", 1, 1]]);
  assert.equal(headsOf({ kind: "cross", layer: "rollout", head: "mean" }, MAP).length, 6);
});
