// What stands on a worksheet: the last layer's mean cross-attention by words, and the rows that its exercises use.

import { joinPieces } from "../ui/scripts.js";
import { defaultStep } from "./default_step.js";
import { groupByWord, mergedRow } from "./word_groups.js";

const PUNCTUATION = /^[\p{P}\p{S}]+$/u;
const MAX_ROWS_TO_GUESS = 12;
const ROWS_TO_READ = 2;

/**
 * @typedef {object} Worksheet
 * @property {string} sentence
 * @property {string} translation
 * @property {string[]} columns words of the sentence, with its end
 * @property {string[]} rows words of the translation, without its end
 * @property {number[][]} weights [row column]
 * @property {number[]} rowsToGuess of which students guess the strongest column
 * @property {number[]} rowsToRead of which students read the weights to one decimal
 * @property {number[]} strongest the strongest column of every row
 * @property {number} crossings of the lines from the rows to guess to their strongest columns
 */

/**
 * The worksheet of a trace.
 *
 * @param {Trace} trace
 * @returns {Worksheet}
 */
export function worksheetOf(trace) {
  const { sentence, translation, source, steps, kinds: { cross } } = trace;
  const target = [steps[0].fed, ...steps.map(({ predicted }) => predicted)];
  const keys = groupByWord(source);
  const groups = groupByWord(target).filter(([first]) => !target[first].special);
  const queries = groups.map((group) => group.map((i) => i - 1)); // a piece is predicted in the row before its own
  const matrix = cross.matrix(cross.layers - 1, "mean");
  const weights = queries.map((query) => mergedRow((row, key) => matrix[row][key], query, keys));
  const rows = groups.map((group) => wordOf(target, group));
  const rowsToGuess = selectRowsToGuess(rows);
  const strongest = weights.map((row) => row.indexOf(Math.max(...row)));
  const step = defaultStep(trace);
  const defaultRow = Math.max(0, queries.findIndex((query) => query.includes(step)));
  return {
    sentence,
    translation,
    columns: keys.map((group) => wordOf(source, group)),
    rows,
    weights,
    rowsToGuess,
    rowsToRead: selectRowsToRead(weights, rowsToGuess, defaultRow),
    strongest,
    crossings: countCrossings(rowsToGuess.map((row) => strongest[row])),
  };
}

/**
 * A word without the raised dot of its start; of a blank alone, the dot.
 * @param {Piece[]} pieces @param {number[]} group
 */
function wordOf(pieces, group) {
  return joinPieces(group.map((i) => pieces[i].text)).replace(/^·(?=.)/su, "");
}

/** The longest words in their order, without punctuation. @param {string[]} rows */
function selectRowsToGuess(rows) {
  const lengths = rows.map((row) => [...row].length);
  const candidates = [...rows.keys()].filter((row) => !PUNCTUATION.test(rows[row]));
  const longest = candidates.sort((a, b) => lengths[b] - lengths[a]).slice(0, MAX_ROWS_TO_GUESS);
  return longest.sort((a, b) => a - b);
}

/**
 * The row of the default step, and the row to guess whose weights have the highest entropy.
 * @param {number[][]} weights @param {number[]} rowsToGuess @param {number} defaultRow
 */
function selectRowsToRead(weights, rowsToGuess, defaultRow) {
  const entropy = weights.map(
    (row) => -row.reduce((sum, weight) => sum + weight * Math.log(Math.max(weight, 1e-12)), 0),
  );
  const byEntropy = rowsToGuess.filter((row) => row !== defaultRow).sort((a, b) => entropy[b] - entropy[a]);
  return [defaultRow, ...byEntropy.slice(0, ROWS_TO_READ - 1)].sort((a, b) => a - b);
}

/** How many pairs of lines cross that end at these columns, from rows in order. @param {number[]} ends */
export function countCrossings(ends) {
  return ends.reduce((sum, first, i) => sum + ends.slice(i + 1).filter((second) => first > second).length, 0);
}
