// Pieces joined into words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { piecesOf } from "../../explorer/engine/trace.js";
import {
  hasPartialWord, mergeIntoWords, rowOrColumnOf, groupByWord, wordAxes,
} from "../../explorer/derived/word_groups.js";
import { surprisingWord } from "../../explorer/derived/surprising_word.js";

/** Pieces from their texts: "·" starts a word, "<" a special piece. */
function pieces(...texts) {
  return texts.map((text) => ({ text, special: text.startsWith("<"), starts_word: text.startsWith("·") }));
}

/** The words of such pieces, joined again. */
function joined(...texts) {
  return groupByWord(pieces(...texts)).map((group) => group.map((i) => texts[i]).join(" "));
}

test("punctuation after a word stands alone", () => {
  assert.deepEqual(joined("·gar", "den", ",", "·he", "."), ["·gar den", ",", "·he", "."]);
  assert.deepEqual(joined("·garden", ".", "</s>"), ["·garden", ".", "</s>"]);
  assert.deepEqual(joined("·five", "€", "·more"), ["·five", "€", "·more"]);
});

test("punctuation within a word stays in it", () => {
  assert.deepEqual(joined("·I", "·don", "'", "t", "·know"), ["·I", "·don ' t", "·know"]);
  assert.deepEqual(joined("·3", ".", "5", "0", "."), ["·3 . 5 0", "."]);
});

const rounded = (values) => values.map((value) => Number(value.toFixed(6)));

const PAIR = "{fed} > {predicted}";
/** Two German words of two pieces and the end; fed are the start and all but the last. */
const STEPS = (() => {
  const made = pieces("·a", "b", "·c", "d", "</s>");
  const fed = [pieces("<s>")[0], ...made.slice(0, -1)];
  return made.map((predicted, i) => ({ fed: fed[i], predicted }));
})();
const TRACE = { source: pieces("·x", "y", "</s>"), steps: STEPS };
const CAUSAL = {
  kind: "decoder",
  queries: STEPS.map(() => ""),
  keys: [0, 1, 2, 3, 4],
  labels: STEPS.map(() => ""),
  special: { queries: new Set([0, 4]), keys: new Set([0]) },
  reach: [1, 2, 3, 4, 5],
  rows: [[1, 0, 0, 0, 0], [0.5, 0.5, 0, 0, 0], [0.2, 0.2, 0.6, 0, 0], [0.1, 0.2, 0.3, 0.4, 0], [0, 0, 0.5, 0.25, 0.25]],
  sums: [1, 1, 1, 1, 1],
};

test("rows of the decoder are the words it predicts, columns the words fed", () => {
  const { queries, keys } = wordAxes(TRACE, "decoder", PAIR);
  assert.deepEqual([queries.groups, keys.groups], [[[0, 1], [2, 3], [4]], [[0], [1, 2], [3, 4]]]);
  assert.deepEqual(queries.groups.map(queries.name), ["<s> > ·ab", "·ab > ·cd", "·cd > </s>"]);
  assert.deepEqual(wordAxes(TRACE, "cross", PAIR).keys.groups, [[0, 1], [2]]);
});

test("of a word known in part, its known pieces are shown", () => {
  const axes = wordAxes(TRACE, "decoder", PAIR);
  const content = mergeIntoWords(CAUSAL, axes, 3);
  assert.deepEqual(content.queries, ["<s> > ·ab", "·ab > ·c", "·cd > </s>"]);
  assert.deepEqual(rounded([...content.rows[1]]), [0.2, 0.8, 0]);
  assert.deepEqual(content.reach[1], 2);
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((known) => hasPartialWord(axes, known, "decoder")),
    [true, true, true, true, false],
  );
  assert.deepEqual(
    [1, 2, 3, 4].map((known) => hasPartialWord(wordAxes(TRACE, "cross", PAIR), known, "cross")),
    [true, false, true, false],
  );
});

test("a word's maximum over heads may exceed 1, and then ends the scale; a distribution's may not", () => {
  const axes = wordAxes(TRACE, "decoder", PAIR);
  const maximum = { ...CAUSAL, ceiling: 1, rows: CAUSAL.rows.map((row) => row.map((weight) => 2 * weight)) };
  assert.deepEqual(
    [mergeIntoWords(maximum, axes, 5).ceiling, mergeIntoWords({ ...CAUSAL, ceiling: 1 }, axes, 5).ceiling],
    [2, 1],
  );
});

test("a hidden piece has no column, and its words none", () => {
  const hidden = {
    ...CAUSAL, keys: [1, 2, 3, 4], rows: CAUSAL.rows.map((row) => row.slice(1)), reach: [0, 1, 2, 3, 4],
  };
  const content = mergeIntoWords(hidden, wordAxes(TRACE, "decoder", PAIR), 5);
  assert.deepEqual([content.keys, content.reach], [[1, 3], [1, 2, 2]]);
  assert.deepEqual([0, 4].map((index) => rowOrColumnOf(content, { axis: "key", index })), [-1, 1]);
});

test("a class is asked about the word that looks least at its own translation, and most at another", () => {
  const source = pieces("·in", "·a", "·blue", "·shirt", ".", "</s>");
  const predicted = pieces("·in", "·einem", "·blau", "en", "·Hemd", ".", "</s>");
  const steps = predicted.map((piece, i) => ({ fed: i ? predicted[i - 1] : pieces("<s>")[0], predicted: piece }));
  const weights = [
    [0.1, 0.1, 0, 0, 0, 0.8], // looks most at the end: no question about a word
    [0, 0.1, 0.7, 0.1, 0.1, 0],
    [0, 0, 0.9, 0.1, 0, 0],
    [0, 0, 0.9, 0.1, 0, 0],
    [0, 0, 0.1, 0.9, 0, 0],
    [0, 0.6, 0, 0, 0.4, 0], // no word
    [0, 0, 0, 0, 0, 1],
  ];
  assert.equal(surprisingWord({ source, steps }, weights), 1);
});

test("the start, the end and padding are special tokens, an unknown one is none", () => {
  const texts = ["<pad>", "<unk>", "<s>", "</s>", "▁dog", "s"];
  const tokenizer = { padId: 0, unkId: 1, bosId: 2, eosId: 3, pieces: (ids) => ids.map((id) => texts[id]) };
  const pieces = piecesOf(/** @type {any} */ ({ tokenizer }), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(pieces.map(({ special }) => special), [true, false, true, true, false, false]);
  assert.deepEqual(pieces.map(({ unknown }) => unknown), [false, true, false, false, false, false]);
  assert.deepEqual(pieces.map(({ starts_word: starts }) => starts), [false, false, false, false, true, false]);
  assert.equal(pieces[4].text, "·dog");
});
