// Words, numbers and colours on the screen, and values in the address.

import assert from "node:assert/strict";
import { test } from "node:test";

import { describeOtherCandidates } from "../../explorer/ui/candidates.js";
import { id, index, indexOr, list, record, tuple } from "../../explorer/ui/codecs.js";
import { contrast, readableColour } from "../../explorer/ui/contrast.js";
import { entropy, formatChange, formatDecimal, formatInteger, shownDifference, softmax, median } from "../../explorer/ui/numbers.js";
import { requireWords, fill, headsName } from "../../explorer/ui/text.js";
test("names in braces are replaced by their values", () => {
  assert.equal(fill("Step {step} of {steps}: {step}", { step: 3, steps: 12 }), "Step 3 of 12: 3");
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

test("a mean or maximum is named with what it covers", () => {
  assert.equal(headsName(HEADS, { layer: 3, head: "mean" }), "layer 4 · mean of heads");
  assert.equal(headsName(HEADS, { layer: "max", head: 0 }), "max of layers · head 1");
});

const SENTENCE = "{count} others: {probability}";
const candidates = (...probabilities) => probabilities.map((probability) => ({ probability }));

test("the others are all pieces that are not among the candidates, with what probability is left", () => {
  assert.equal(describeOtherCandidates(SENTENCE, candidates(0.926, 0.001), 8000), "7,998 others: 0.073");
  assert.equal(describeOtherCandidates(SENTENCE, candidates(0.5), 2), "1 others: 0.500");
});

test("a rounded sum beyond 1 leaves nothing, not less", () => {
  assert.equal(describeOtherCandidates(SENTENCE, candidates(0.7, 0.2, 0.1000001), 80), "77 others: 0.000");
});

const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);

test("a temperature divides the logits", () => {
  const [high, low, never] = softmax(new Float32Array([2, 1, -Infinity]), 0.5);
  near(high, 1 / (1 + Math.exp(-2)));
  near(low, 1 / (1 + Math.exp(2)));
  assert.equal(never, 0);
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

test("places count from one in the address, and ids do not", () => {
  assert.deepEqual([index.write(0), index.read("1"), id.read("0")], ["1", 0, 0]);
  for (const text of ["", "0", "-1", "1.5", "x", "12345678"]) assert.equal(index.read(text), undefined);
});

test("a record reads what it writes, and nothing else", () => {
  const heads = record({ layer: indexOr("mean"), head: indexOr("mean") });
  for (const value of [{ layer: 3, head: "mean" }, { layer: "mean", head: 0 }]) assert.deepEqual(heads.read(heads.write(value)), value);
  assert.equal(heads.write({ layer: 3, head: "mean" }), "4.mean");
  for (const text of ["", "4", "0.1", "4.mean.1", "x.1"]) assert.equal(heads.read(text), undefined);
});

test("a list with one wrong value is none", () => {
  const places = list(tuple(index, index), ",");
  assert.deepEqual(places.read("1.2,3.4"), [[0, 1], [2, 3]]);
  assert.equal(places.read("1.2,3.x"), undefined);
});

test("the median of an even count lies between two", () => {
  assert.deepEqual([median([1, 2, 9]), median([1, 2, 4, 9])], [2, 3]);
});

test("black on white is 21, a colour on itself 1", () => {
  assert.equal(contrast([0, 0, 0], [255, 255, 255]), 21);
  assert.equal(contrast([255, 255, 255], [0, 0, 0]), 21);
  assert.equal(contrast([12, 200, 90], [12, 200, 90]), 1);
});

test("text keeps its colour where it can be read, and else is black or white", () => {
  assert.deepEqual(readableColour([255, 255, 255], [[30, 41, 59]]), [30, 41, 59]);
  assert.deepEqual(readableColour([0, 110, 80], [[75, 85, 99]]), [255, 255, 255]);
  assert.deepEqual(readableColour([200, 150, 0], [[196, 202, 212]]), [0, 0, 0]);
  for (let grey = 0; grey < 256; grey++) assert.ok(contrast(readableColour([grey, grey, grey], []), [grey, grey, grey]) >= 4.5);
});
