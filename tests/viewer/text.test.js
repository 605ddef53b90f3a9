// Words on the screen.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fill, headsName } from "../../explorer/shared/text.js";

test("names in braces are replaced by their values", () => {
  assert.equal(fill("Step {step} of {steps}: {step}", { step: 3, steps: 12 }), "Step 3 of 12: 3");
});

test("zero is a value", () => {
  assert.equal(fill("{bits} bits", { bits: 0 }), "0 bits");
});

test("a value is only text, whatever signs it has", () => {
  assert.equal(fill("fed “{fed}”, then {next}", { fed: "$& {next}", next: "$1" }), "fed “$& {next}”, then $1");
});

test("layers and heads are named from one on", () => {
  assert.equal(headsName({ layer: 0, head: 7 }), "layer 1 · head 8");
});

test("a mean or maximum is named with what it covers", () => {
  assert.equal(headsName({ layer: 3, head: "mean" }), "layer 4 · mean of heads");
  assert.equal(headsName({ layer: "max", head: 0 }), "max of layers · head 1");
});
