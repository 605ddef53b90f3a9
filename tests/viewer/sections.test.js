// How the rows of the tables fall into sections.

import assert from "node:assert/strict";
import { test } from "node:test";

import { partSections, groupRuns, stepSections } from "../../explorer/tabs/architecture/sections.js";

const TEXT = { encoder: "Encoder", decoder: "Decoder", place: "{stack}, layer {layer}", start: "{stack} starts", end: "ends" };
const step = (stack, layer, key = "key") => ({ stack, layer, key });

test("runs are neighbours of one kind; the same kind later is another run", () => {
  assert.deepEqual(groupRuns([1, 1, 2, 1], (x) => x), [[1, 1], [2], [1]]);
  assert.deepEqual(groupRuns([], (x) => x), []);
});

test("steps fall into what is before the layers, each layer, and what is after them", () => {
  const rows = [step("encoder", null), step("encoder", null), step("encoder", 0), step("encoder", 1), step("decoder", null, "ids"),
    step("decoder", 0), step("decoder", 0), step("decoder", null, "logits")];
  const found = stepSections(rows, TEXT);
  assert.deepEqual(found.map(({ title }) => title), ["Encoder starts", "Encoder, layer 1", "Encoder, layer 2", "Decoder starts", "Decoder, layer 1", "ends"]);
  assert.deepEqual(found.map(({ first }) => first), [0, 2, 3, 4, 5, 7]);
  assert.deepEqual(found.flatMap((section) => section.rows), rows);
  assert.equal(new Set(found.map(({ id }) => id)).size, 6);
});

test("parts fall into embeddings, layers and the projection; one that holds something itself is its own first row", () => {
  const part = (path, own = "") => ({ path, own });
  const parts = [part(""), part("encoder"), part("encoder.embedding", "positions [9, 4]"), part("encoder.embedding.tokens", "weight"),
    part("encoder.layers"), part("encoder.layers.0"), part("encoder.layers.0.feed_forward"), part("encoder.layers.0.feed_forward.w_1", "weight"),
    part("encoder.layers.10"), part("encoder.layers.10.feed_forward"), part("projection", "weight, bias")];
  const found = partSections(parts, TEXT);
  assert.deepEqual(found.map(({ title, layer }) => [title, layer]), [["encoder.embedding", false], ["Encoder, layer 1", true], ["Encoder, layer 11", true], ["projection", false]]);
  assert.deepEqual(found.map(({ rows }) => rows.map(({ path }) => path)), [
    ["encoder.embedding", "encoder.embedding.tokens"], ["encoder.layers.0.feed_forward", "encoder.layers.0.feed_forward.w_1"],
    ["encoder.layers.10.feed_forward"], ["projection"],
  ]);
});
