// Words on the screen.

import assert from "node:assert/strict";
import { test } from "node:test";

import { requireWords, fill, headsName } from "../../explorer/ui/text.js";

test("names in braces are replaced by their values", () => {
  assert.equal(fill("Step {step} of {steps}: {step}", { step: 3, steps: 12 }), "Step 3 of 12: 3");
});

test("zero is a value", () => {
  assert.equal(fill("{bits} bits", { bits: 0 }), "0 bits");
});

test("a value is only text, whatever signs it has", () => {
  assert.equal(fill("fed “{fed}”, then {next}", { fed: "$& {next}", next: "$1" }), "fed “$& {next}”, then $1");
});

test("a value or a sentence that is not there is never printed", () => {
  assert.throws(() => fill("Step {step}", { stop: 3 }), /no step for "Step \{step\}"/);
  assert.throws(() => fill(undefined, { step: 3 }), /undefined is no sentence/);
});

test("a word that is not there throws, also inside of others", () => {
  const text = requireWords({ status: "Step {step}", rows: { scores: { title: "scores" } }, columns: ["Step", "Why"], none: "" });
  assert.deepEqual([text.status, text.rows.scores.title, text.none], ["Step {step}", "scores", ""]);
  assert.deepEqual(text.columns.map((name) => name.length), [4, 3]);
  assert.deepEqual(Object.entries(text.rows), [["scores", { title: "scores" }]]);
  assert.equal("alone" in text.rows, false);
  assert.throws(() => text.statos, /there is no text.statos/);
  assert.throws(() => text.rows.scores.words, /there is no text.rows.scores.words/);
});

const HEADS = {
  both: "{layer} · {head}",
  layer: { one: "layer {number}", mean: "mean of layers", max: "max of layers" },
  head: { one: "head {number}", mean: "mean of heads", max: "max of heads" },
};

test("layers and heads are named from one on", () => {
  assert.equal(headsName(HEADS, { layer: 0, head: 7 }), "layer 1 · head 8");
});

test("a mean or maximum is named with what it covers", () => {
  assert.equal(headsName(HEADS, { layer: 3, head: "mean" }), "layer 4 · mean of heads");
  assert.equal(headsName(HEADS, { layer: "max", head: 0 }), "max of layers · head 1");
});
