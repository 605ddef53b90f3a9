// The word of a translation at which a class is asked where the model looks: one whose answer no dictionary gives.

import { mergedRow, wordAxes } from "./word_groups.js";

const LETTER = /\p{L}/u;

/** The words of a translation as the steps that write them. @param {Pick<Trace, "source" | "steps">} trace */
export function writtenWords(trace) {
  return wordAxes(trace, "cross", "").queries.groups;
}

/**
 * The word that looks least at its own translation, while it looks most at another word or at that: its number among
 * `writtenWords`, or -1 if none looks at a word most. `weights` has a row for each step, and a column for each piece of
 * the source.
 * @param {Trace} trace
 * @param {ArrayLike<number>[]} weights
 */
export function surprisingWord(trace, weights) {
  const { queries, keys } = wordAxes(trace, "cross", "");
  const rows = queries.groups.map((steps) => mergedRow((step, piece) => weights[step][piece], steps, keys.groups));
  /** @type {(pieces: Piece[]) => boolean} */
  const isWord = (pieces) => pieces.every(({ special }) => !special) && pieces.some(({ text }) => LETTER.test(text));
  const isTarget = queries.groups.map((steps) => isWord(steps.map((step) => trace.steps[step].predicted)));
  const isSource = keys.groups.map((group) => isWord(group.map((piece) => trace.source[piece])));
  const strongest = rows.map((row) => row.indexOf(Math.max(...row)));
  const candidates = [...rows.keys()].filter((i) => isTarget[i] && isSource[strongest[i]]);
  const onPartner = weightsOnPartners(rows, (i, key) => isTarget[i] && isSource[key]);
  return candidates.reduce((best, i) => (best < 0 || onPartner[i] < onPartner[best] ? i : best), -1);
}

/**
 * The weight of every row on its own translation: no two rows have the same column, and large weights come first.
 * `isPair(row, column)` says which may belong together.
 * @param {number[][]} rows @param {(row: number, column: number) => boolean} isPair
 */
function weightsOnPartners(rows, isPair) {
  /** @type {{ i: number, key: number, weight: number }[]} */
  const cells = [];
  for (const [i, row] of rows.entries()) for (const [key, weight] of row.entries()) cells.push({ i, key, weight });
  cells.sort((one, other) => other.weight - one.weight);
  const onPartner = rows.map(() => 0);
  /** @type {Set<number>} */
  const found = new Set();
  /** @type {Set<number>} */
  const taken = new Set();
  for (const { i, key, weight } of cells) {
    if (found.has(i) || taken.has(key) || !isPair(i, key)) continue;
    onPartner[i] = weight;
    found.add(i);
    taken.add(key);
  }
  return onPartner;
}
