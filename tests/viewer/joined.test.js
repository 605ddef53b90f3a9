// Pieces joined into words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { mergedColumn, mergedRow, single, words } from "../../explorer/attention_view/joined.js";

/** Pieces from their texts: "·" starts a word, "<" a special piece. */
function pieces(...texts) {
  return texts.map((text) => ({ text, special: text.startsWith("<"), starts_word: text.startsWith("·") }));
}

/** The words of such pieces, joined again. */
function joined(...texts) {
  return words(pieces(...texts)).map((group) => group.map((i) => texts[i]).join(" "));
}

test("a piece goes on with the word before it unless it starts one", () => {
  assert.deepEqual(words(pieces("·bi", "cy", "cle", "·path")), [[0, 1, 2], [3]]);
});

test("special pieces stand alone", () => {
  assert.deepEqual(joined("<s>", "·Ein", "en", "</s>"), ["<s>", "·Ein en", "</s>"]);
});

test("what follows a special piece is not joined to it", () => {
  assert.deepEqual(joined("<s>", "en", "de"), ["<s>", "en de"]);
});

test("punctuation after a word stands alone", () => {
  assert.deepEqual(joined("·gar", "den", ",", "·he", "."), ["·gar den", ",", "·he", "."]);
  assert.deepEqual(joined("·garden", ".", "</s>"), ["·garden", ".", "</s>"]);
  assert.deepEqual(joined("·five", "€", "·more"), ["·five", "€", "·more"]);
});

test("every mark of a run of punctuation after a word stands alone", () => {
  assert.deepEqual(joined("·Hi", "!", "!"), ["·Hi", "!", "!"]);
  assert.deepEqual(joined("·(", "re", "ally", ")", ".", "</s>"), ["·( re ally", ")", ".", "</s>"]);
});

test("punctuation within a word stays in it", () => {
  assert.deepEqual(joined("·I", "·don", "'", "t", "·know"), ["·I", "·don ' t", "·know"]);
  assert.deepEqual(joined("·3", ".", "5", "0", "."), ["·3 . 5 0", "."]);
});

test("a first piece opens a word whatever it is", () => {
  assert.deepEqual(joined("en", "de"), ["en de"]);
  assert.deepEqual(words([]), []);
});

test("every piece is in one word", () => {
  const given = pieces("<s>", "·a", "b", "'", "c", ".", "·", "-", "·d", "</s>");
  assert.deepEqual(words(given).flat(), [...given.keys()]);
});

test("without words every piece is on its own", () => {
  assert.deepEqual(single(pieces("·a", "b", "·c")), [[0], [1], [2]]);
});

const ROWS = [[0.1, 0.2, 0.7], [0.3, 0.5, 0.2]];
const weight = (query, key) => ROWS[query][key];
const rounded = (values) => values.map((value) => Number(value.toFixed(6)));

test("a word's weight is the sum over its keys and the mean over its queries", () => {
  assert.deepEqual(rounded(mergedRow(weight, [0, 1], [[0, 1], [2]])), [0.55, 0.45]);
  assert.deepEqual(rounded(mergedRow(weight, [1], [[0], [1, 2]])), [0.3, 0.7]);
});

test("a word's column is averaged over its queries and summed over its keys", () => {
  assert.deepEqual(rounded(mergedColumn(weight, [[0], [1], [0, 1]], [0, 2])), [0.8, 0.5, 0.65]);
});

test("without queries or keys a weight is 0", () => {
  assert.deepEqual(mergedRow(weight, [], [[0], [1, 2]]), [0, 0]);
  assert.deepEqual(mergedColumn(weight, [[0], []], []), [0, 0]);
});
