// Words, numbers and colours on the screen, and values in the address.

import assert from "node:assert/strict";
import { test } from "node:test";

import { describeOtherCandidates } from "../../explorer/ui/candidates.js";
import { indexOr, record } from "../../explorer/ui/codecs.js";
import { contrast, readableColour } from "../../explorer/ui/contrast.js";
import { formatChange, formatDecimal, formatInteger, shownDifference, softmax } from "../../explorer/ui/numbers.js";
import { requireWords, fill } from "../../explorer/ui/text.js";
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

const SENTENCE = "{count} others: {probability}";
const candidates = (...probabilities) => probabilities.map((probability) => ({ probability }));

test("the others are all pieces that are not among the candidates, with what probability is left", () => {
  assert.equal(describeOtherCandidates(SENTENCE, candidates(0.926, 0.001), 8000), "7,998 others: 0.073");
  assert.equal(describeOtherCandidates(SENTENCE, candidates(0.5), 2), "1 others: 0.500");
});

const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);

test("a temperature divides the logits", () => {
  const [high, low, never] = softmax(new Float32Array([2, 1, -Infinity]), 0.5);
  near(high, 1 / (1 + Math.exp(-2)));
  near(low, 1 / (1 + Math.exp(2)));
  assert.equal(never, 0);
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

test("a record reads what it writes, and nothing else", () => {
  const heads = record({ layer: indexOr("mean"), head: indexOr("mean") });
  for (const value of [{ layer: 3, head: "mean" }, { layer: "mean", head: 0 }]) assert.deepEqual(heads.read(heads.write(value)), value);
  assert.equal(heads.write({ layer: 3, head: "mean" }), "4.mean");
  for (const text of ["", "4", "0.1", "4.mean.1", "x.1"]) assert.equal(heads.read(text), undefined);
});

test("text keeps its colour where it can be read, and else is black or white", () => {
  assert.deepEqual(readableColour([255, 255, 255], [[30, 41, 59]]), [30, 41, 59]);
  assert.deepEqual(readableColour([0, 110, 80], [[75, 85, 99]]), [255, 255, 255]);
  assert.deepEqual(readableColour([200, 150, 0], [[196, 202, 212]]), [0, 0, 0]);
  for (let grey = 0; grey < 256; grey++) assert.ok(contrast(readableColour([grey, grey, grey], []), [grey, grey, grey]) >= 4.5);
});
