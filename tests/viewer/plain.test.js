// The level "picture" in words: what it says is what is shaded.

import assert from "node:assert/strict";
import { test } from "node:test";

import { betterTranslation } from "../../explorer/attention_view/beam_offer.js";
import { plainSentence, plainTrace } from "../../explorer/attention_view/plain.js";

const kinds = (text) => ({ encoder: `encoder ${text}`, decoder: `decoder ${text}`, cross: `cross ${text}` });
const rows = (kind) => ({ mostly: `${kind} {aim}|{name}|{found}`, spread: `${kind} {aim}|{name}|several: {found}` });
const WORDS = {
  word: "“{word}”", mark: { start: "(start)", end: "(end)" }, place: { start: "the start", end: "the end" },
  found: "{name} ({percent}%)", both: "{first} and {second}", aim: { word: "To write {name}", end: "To end" },
  row: { encoder: rows("encoder"), decoder: rows("decoder"), cross: rows("cross") },
  column: kinds("{name} from {found}"), unseen: "hardly {name}", rows: "all",
};
const piece = (text, more = {}) => ({ text, ...more });
const row = (weights, pieces = [piece("Hund")]) => ({
  axis: "query", pieces, groups: [[piece("the")], [piece("accord"), piece("ion")], [piece("(end)", { mark: "end" })]], weights,
});

test("half of the weight or more is where the model looks mostly", () => {
  assert.equal(plainSentence(WORDS, "cross", row([0.2, 0.62, 0.18])), "cross To write “Hund”|“Hund”|“accordion” (62%)");
  assert.equal(plainSentence(WORDS, "cross", row([0.3, 0.5, 0.2])), "cross To write “Hund”|“Hund”|“accordion” (50%)");
});

test("less than half is told with the next strongest", () => {
  const said = plainSentence(WORDS, "decoder", row([0.29, 0.36, 0.35]));
  assert.equal(said, "decoder To write “Hund”|“Hund”|several: “accordion” (36%) and the end (35%)");
});

test("percent are those of the printed thousandths", () => {
  assert.match(plainSentence(WORDS, "cross", row([0, 0.98496, 0])), /\(99%\)/); // printed as 0.985
  assert.match(plainSentence(WORDS, "cross", row([0, 0.98449, 0])), /\(98%\)/); // printed as 0.984
});

test("a column tells which row looks there most, and one that nobody looks at says so", () => {
  const column = { ...row([0.1, 0.95, 0]), axis: "key", pieces: [piece("dog")] };
  assert.equal(plainSentence(WORDS, "cross", column), "cross “dog” from “accordion” (95%)");
  assert.equal(plainSentence(WORDS, "cross", { ...column, weights: [0, 0.0004, 0] }), "hardly “dog”");
});

test("pieces are called without their signs, and the trace is left as it is", () => {
  const fed = piece("<s>", { special: true }), end = piece("</s>", { special: true });
  const trace = {
    source: [piece("·A"), piece("·"), piece("x·y"), end], other: 1,
    steps: [{ fed, predicted: piece("·Hund"), probability: 1 }, { fed: piece("·Hund"), predicted: end }],
  };
  const before = structuredClone(trace);
  const plain = plainTrace(trace, WORDS);
  assert.deepEqual(plain.source.map(({ text }) => text), ["A", "", "x·y", "(end)"]);
  assert.deepEqual(plain.steps.map((step) => [step.fed.text, step.predicted.text]), [["(start)", "Hund"], ["Hund", "(end)"]]);
  assert.deepEqual([plain.steps[0].fed.mark, plain.source[3].mark, plain.other], ["start", "end", 1]);
  assert.deepEqual(trace, before);
});

test("a beam's translation is better if its text is another one and its score is higher", () => {
  const greedy = { translation: "Guten Tag.", score: -0.3 };
  const better = (translation, score) => betterTranslation({ best: { translation, score }, greedy })?.translation ?? null;
  assert.equal(better("Hallo.", -0.2), "Hallo.");
  assert.equal(better("Guten Tag.", -0.2), null); // other pieces of the same text
  assert.equal(better("Hallo.", -0.4), null); // a beam may have pruned the greedy translation
  assert.equal(better("Hallo.", -0.3), null);
});
