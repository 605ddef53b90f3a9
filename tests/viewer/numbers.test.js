// Probabilities and their entropy, as the Predictions tab computes them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { entropy, formatChange, formatDecimal, formatInteger, shownDifference, softmax } from "../../explorer/ui/numbers.js";

const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);

test("a temperature divides the logits", () => {
  const [high, low, never] = softmax(new Float32Array([2, 1, -Infinity]), 0.5);
  near(high, 1 / (1 + Math.exp(-2)));
  near(low, 1 / (1 + Math.exp(2)));
  assert.equal(never, 0);
});

test("large logits do not overflow", () => {
  const [first, second] = softmax(new Float32Array([1000, 1000]), 0.1);
  near(first, 0.5);
  near(second, 0.5);
});

test("equal scores give an even distribution", () => {
  assert.deepEqual([...softmax([-1e9, -1e9])], [0.5, 0.5]);
});

test("entropy counts bits", () => {
  assert.equal(entropy([1, 0]), 0);
  assert.equal(entropy([0.5, 0.5, 0]), 1);
  near(entropy([0.25, 0.25, 0.25, 0.25]), 2);
});

test("a number has a true minus, and what rounds to 0 has none", () => {
  assert.deepEqual([-0.349, 0.351, -0.004, 0].map((number) => formatDecimal(number, 2)), ["−0.35", "0.35", "0.00", "0.00"]);
  assert.deepEqual([0.1234, -0.0996, 0.0004, -0.0004, 0].map((number) => formatChange(number, 3)), ["+0.123", "−0.100", "0.000", "0.000", "0.000"]);
});

test("German has a decimal comma and narrow spaces", () => {
  globalThis.document = { documentElement: { lang: "de" } };
  assert.deepEqual([formatDecimal(-0.349, 2), formatChange(0.5, 1), formatInteger(11484800)], ["−0,35", "+0,5", "11\u202f484\u202f800"]);
  globalThis.document.documentElement.lang = "zh-CN"; // Chinese has those of English
  assert.equal(formatInteger(11484800), "11,484,800");
  delete globalThis.document;
});

test("a difference fits the numbers that are shown beside it", () => {
  const shown = (before, after) => [before, after].map((number) => formatDecimal(number, 2)).concat(formatChange(shownDifference(before, after, 2), 2));
  assert.deepEqual(shown(-4.7151, -4.7849), ["−4.72", "−4.78", "−0.06"]);
  assert.deepEqual(shown(-4.7161, -4.7159), ["−4.72", "−4.72", "0.00"]);
});
