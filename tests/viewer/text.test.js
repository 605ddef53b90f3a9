// Words, numbers and colours on the screen, in any script; the sentence that sums up a picture; values in the address.

import assert from "node:assert/strict";
import { test } from "node:test";

import { truncate } from "../../explorer/attention_view/heatmap.js";
import { plainSentence, plainTrace } from "../../explorer/attention_view/plain.js";
import { shiftText } from "../../explorer/derived/positions.js";
import { nameTokens, withoutNames } from "../../explorer/derived/token_names.js";
import { groupByWord, wordAxes } from "../../explorer/derived/word_groups.js";
import { indexOr, record } from "../../explorer/ui/codecs.js";
import { contrast, readableColour } from "../../explorer/ui/contrast.js";
import { missingScripts } from "../../explorer/ui/fonts.js";
import { formatText } from "../../explorer/ui/format_text.js";
import { formulaParts } from "../../explorer/ui/formula.js";
import {
  formatSigned, formatDecimal, formatExact, formatInteger, formatPercent, formatSignificant, shownDifference,
} from "../../explorer/ui/numbers.js";
import { isolate, withoutIsolates } from "../../explorer/ui/scripts.js";
import { fill, innerPiece, plainPiece, requireWords } from "../../explorer/ui/text.js";

test("a value is only text, whatever signs it has", () => {
  assert.equal(fill("fed “{fed}”, then {next}", { fed: "$& {next}", next: "$1" }), "fed “$& {next}”, then $1");
});

test("a value or a sentence that is not there is never printed", () => {
  assert.throws(() => fill("Step {step}", { stop: 3 }), /no step for "Step \{step\}"/);
  assert.throws(() => fill(undefined, { step: 3 }), /undefined is no sentence/);
});

test("a shift of learned positions whose error cannot be known has a sentence without one", () => {
  const texts = { undetermined: "{distance} cannot be said", error: "{distance}: {error}%" };
  const learned = (error) => ({ isLearned: true, shiftError: () => error });
  assert.equal(shiftText(learned(null), 3, 0, texts), "3 cannot be said");
  assert.equal(shiftText(learned(0.25), 3, 0, texts), "3: 25%");
});

test("a word that is not there throws, also inside of others", () => {
  const text = requireWords({
    status: "Step {step}", rows: { scores: { title: "scores" } }, columns: ["Step", "Why"], none: "",
  });
  assert.deepEqual([text.status, text.rows.scores.title, text.none], ["Step {step}", "scores", ""]);
  assert.deepEqual(text.columns.map((name) => name.length), [4, 3]);
  assert.deepEqual(Object.entries(text.rows), [["scores", { title: "scores" }]]);
  assert.equal("alone" in text.rows, false);
  assert.throws(() => text.statos, /there is no text.statos/);
  assert.throws(() => text.rows.scores.words, /there is no text.rows.scores.words/);
});

test("a number has a true minus, and what rounds to 0 has none", () => {
  assert.deepEqual(
    [-0.349, 0.351, -0.004, 0].map((number) => formatDecimal(number, 2)),
    ["−0.35", "0.35", "0.00", "0.00"],
  );
  assert.deepEqual(
    [0.1234, -0.0996, 0.0004, -0.0004, 0].map((number) => formatSigned(number, 3)),
    ["+0.123", "−0.100", "0.000", "0.000", "0.000"],
  );
  assert.equal(formatText("{held:.4f} of {count:,}", { held: -0.5, count: 1200 }), "−0.5000 of 1,200");
});

test("German has a decimal comma and narrow spaces", () => {
  globalThis.document = { documentElement: { lang: "de" } };
  assert.deepEqual(
    [formatDecimal(-0.349, 2), formatSigned(0.5, 1), formatInteger(11484800), formatPercent(0.9451, { digits: 1 })],
    ["−0,35", "+0,5", "11\u202f484\u202f800", "94,5"],
  );
  assert.deepEqual([formatExact(-0.0012345678), formatSignificant(6.8e-8, 3)], ["−0,00123457", "6,80e−8"]);
  globalThis.document.documentElement.lang = "zh-CN"; // Chinese has those of English
  assert.equal(formatInteger(11484800), "11,484,800");
  delete globalThis.document;
});

test("a difference fits the numbers that are shown beside it", () => {
  const shown = (before, after) => [
    formatDecimal(before, 2), formatDecimal(after, 2), formatSigned(shownDifference(before, after, 2), 2),
  ];
  assert.deepEqual(shown(-4.7151, -4.7849), ["−4.72", "−4.78", "−0.06"]);
  assert.deepEqual(shown(-4.7161, -4.7159), ["−4.72", "−4.72", "0.00"]);
});

test("a record reads what it writes, and nothing else", () => {
  const heads = record({ layer: indexOr("mean"), head: indexOr("mean") });
  for (const value of [{ layer: 3, head: "mean" }, { layer: "mean", head: 0 }]) {
    assert.deepEqual(heads.read(heads.write(value)), value);
  }
  assert.equal(heads.write({ layer: 3, head: "mean" }), "4.mean");
  for (const text of ["", "4", "0.1", "4.mean.1", "x.1"]) assert.equal(heads.read(text), undefined);
});

test("text keeps its colour where it can be read, and else is black or white", () => {
  assert.deepEqual(readableColour([255, 255, 255], [[30, 41, 59]]), [30, 41, 59]);
  assert.deepEqual(readableColour([0, 110, 80], [[75, 85, 99]]), [255, 255, 255]);
  assert.deepEqual(readableColour([200, 150, 0], [[196, 202, 212]]), [0, 0, 0]);
  for (let level = 0; level < 256; level++) {
    const grey = [level, level, level];
    assert.ok(contrast(readableColour(grey, []), grey) >= 4.5);
  }
});

const kinds = (text) => ({ encoder: `encoder ${text}`, decoder: `decoder ${text}`, cross: `cross ${text}` });
const rows = (kind) => ({ mostly: `${kind} {aim}|{name}|{found}`, spread: `${kind} {aim}|{name}|several: {found}` });
const WORDS = {
  word: "“{word}”", place: { start: "the start", end: "the end" },
  found: "{name} ({percent}%)", both: "{first} and {second}", aim: { word: "To write {name}", end: "To end" },
  row: { encoder: rows("encoder"), decoder: rows("decoder"), cross: rows("cross") },
  column: kinds("{name} from {found}"), unseen: "hardly {name}", hidden: "hidden {name}", off: "off",
  rows: "all",
};
const piece = (text, more = {}) => ({ text, ...more });
const row = (weights, pieces = [piece("Hund")]) => ({
  axis: "query", pieces, groups: [[piece("the")], [piece("accord"), piece("ion")], [piece("(end)", { mark: "end" })]],
  weights,
});

test("half of the weight or more is where the model looks mostly", () => {
  assert.equal(plainSentence(WORDS, "cross", row([0.2, 0.62, 0.18])), "cross To write “Hund”|“Hund”|“accordion” (62%)");
  assert.equal(plainSentence(WORDS, "cross", row([0.3, 0.5, 0.2])), "cross To write “Hund”|“Hund”|“accordion” (50%)");
});

test("less than half is told with the next strongest", () => {
  const said = plainSentence(WORDS, "decoder", row([0.29, 0.36, 0.35]));
  assert.equal(said, "decoder To write “Hund”|“Hund”|several: “accordion” (36%) and the end (35%)");
});

test("where nothing is looked at, the sentence says why", () => {
  const column = (pieces) => ({ ...row([0, 0, 0], pieces), axis: "key" });
  assert.equal(plainSentence(WORDS, "cross", row([0, 0, 0])), "off");
  assert.equal(plainSentence(WORDS, "cross", column([piece("dog")])), "hardly “dog”");
  assert.equal(plainSentence(WORDS, "cross", column([piece("dog", { gone: true })])), "hidden “dog”");
});

/** A share in whole percent, rounded once, from the exact value of its 64 bits. */
function exactPercent(share) {
  const [mantissa, denominator] = [BigInt(share * 2 ** 75), 2n ** 75n]; // shares here are not so small
  return Number((200n * mantissa + denominator) / (2n * denominator));
}

test("a share is the same percentage in a sentence and beside a bar", () => {
  const shares = [0.23495, 0.985 - 4e-5, 0.145, 0.285, 0.5, 1];
  for (let i = 1; i < 2000; i += 1) shares.push((i * 0.6180339887) % 1, i / 2000);
  for (const share of shares) {
    const percent = `${exactPercent(share) || "≈0"}`;
    assert.equal(formatPercent(share), percent, share);
    if (share >= 0.002) assert.match(plainSentence(WORDS, "cross", row([0, share, 0])), new RegExp(`\\(${percent}%`));
  }
});

test("a column tells which row looks there most, and one that nobody looks at says so", () => {
  const column = { ...row([0.1, 0.95, 0]), axis: "key", pieces: [piece("dog")] };
  assert.equal(plainSentence(WORDS, "cross", column), "cross “dog” from “accordion” (95%)");
  assert.equal(plainSentence(WORDS, "cross", { ...column, weights: [0, 0.0004, 0] }), "hardly “dog”");
});

test("tokens are called without their signs, the start and the end by names, and the trace is left as it is", () => {
  const fed = piece("<s>", { special: true });
  const end = piece("</s>", { special: true });
  const trace = {
    source: [piece("·A"), piece("·"), piece("x·y"), end], other: 1,
    steps: [
      { fed, predicted: piece("·Hund"), probability: 1, candidates: [end, piece("</s>", { unknown: true })] },
      { fed: piece("·Hund"), predicted: end, candidates: [] },
    ],
  };
  const before = structuredClone(trace);
  const named = nameTokens(trace, { start: "(start)", end: "(end)" });
  assert.deepEqual(named.steps[0].candidates.map(({ text }) => text), ["(end)", "</s>"]); // typed, it is a text
  const plain = plainTrace(named);
  assert.deepEqual(plain.source.map(({ text }) => text), ["A", "·", "x·y", "(end)"]);
  assert.deepEqual(
    plain.steps.map((step) => [step.fed.text, step.predicted.text]),
    [["(start)", "Hund"], ["Hund", "(end)"]],
  );
  assert.deepEqual([plain.steps[0].fed.mark, plain.source[3].mark, plain.other], ["start", "end", 1]);
  assert.deepEqual([trace, JSON.parse(JSON.stringify(withoutNames(named)))], [before, before]);
});

const pieceOf = (text) => ({ text, special: text.startsWith("<"), starts_word: text.startsWith("·") });

test("a value from right to left leaves the sentence around it in place", () => {
  assert.equal(fill("“{word}” ({percent}%)", { word: "·في", percent: 36 }), "“\u2068·في\u2069” (36%)");
  assert.equal(fill("“{word}”", { word: "·猫" }), "“·猫”");
});

test("a label is cut by its letters, and what isolates them stays in pairs", () => {
  const label = `${isolate("·الحديقة")} → ${isolate("·كتاب")}`;
  assert.equal(truncate(label, [...withoutIsolates(label)].length), label);
  assert.equal(truncate(label, 6), "\u2068·الحد\u2069\u2068\u2069…");
});

test("a mark stands on the word before it, and alone on a circle", () => {
  assert.equal(plainPiece("◌\u064b"), "◌\u064b");
  assert.equal(innerPiece("◌\u064b"), "\u064b");
  const source = ["·كتاب", "◌\u064b", "ا"].map(pieceOf);
  const { keys } = wordAxes({ source, steps: [] }, "encoder", "");
  assert.deepEqual(keys.groups.map(keys.name), [isolate("·كتاب\u064bا")]);
});

test("a blank alone belongs to the word after it, also where it is not written", () => {
  const source = ["·", "男", "の子", "。", "</s>"].map(pieceOf);
  assert.deepEqual(groupByWord(source), [[0, 1], [2], [3], [4]]);
  const shown = plainTrace({ source, steps: [] }, { mark: { end: "(end)" } });
  assert.deepEqual(groupByWord(shown.source), groupByWord(source));
});

/** A device with pictures of some letters only; all others look alike. */
const device = (letters) => (letter) => (letters.includes(letter) ? letter : "□");

test("scripts are missing of which a letter looks like one that no font has", () => {
  assert.deepEqual(missingScripts("cat، في 猫", device("، في")), ["Hani"]);
  assert.deepEqual(missingScripts("猫は寝る。", device("")), ["Jpan"]);
  assert.deepEqual(missingScripts("ที่ 고양이", device("")), ["Thai", "Hang"]);
  assert.deepEqual(missingScripts("猫は", device("猫は")), []);
});

test("matrices in a text are written as in a formula, and other names as they are", () => {
  const below = (text) => formulaParts(text).map(([part, place]) => `${place}${part}`);
  assert.deepEqual(below("Column 3 of W_Q, plus a bias."), ["Column 3 of ", "W", "_Q", ", plus a bias."]);
  assert.deepEqual(below("W_O把"), ["W", "_O", "把"]);
  assert.deepEqual(below("× W_1 + b_1"), ["× ", "W", "_1", " + ", "b", "_1"]);
  assert.deepEqual(below("QK^T"), ["Q", "K", "^T"]);
  assert.deepEqual(below("√d_head, d_model, MAX_SIZE"), ["√d_head, d_model, MAX_SIZE"]);
});
