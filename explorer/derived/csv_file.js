// One attention matrix with the labels of its rows and columns, as CSV.

import { numberText, shortenFloat } from "../engine/python_text.js";
import { csvCell, csvText, labelCell, numberCell } from "../ui/download.js";
import { sum } from "../ui/tensor.js";
import { withoutNames } from "./token_names.js";
import { axesOf, plainLabel } from "./trace.js";

/** Numbers in as many bits as a row has. @type {(row: Numbers, numbers: number[]) => Numbers} */
const inBitsOf = (row, numbers) => (
  row instanceof Float32Array ? Float32Array.from(numbers) : Float64Array.from(numbers));

/**
 * The rows of the columns that are kept; weights are divided by the sum of what is left, if there is any.
 * @param {Numbers[]} rows @param {number[]} kept @param {boolean} isWeights
 */
function keepColumns(rows, kept, isWeights) {
  return rows.map((row) => {
    const remaining = kept.map((key) => row[key]);
    if (!isWeights) return inBitsOf(row, remaining);
    return Float64Array.from(remaining, (number) => number / (sum(remaining) || 1));
  });
}

/**
 * Joins pieces into words: sums columns in each group of keys, averages rows in each group of queries.
 * @param {Numbers[]} rows @param {number[][]} queries @param {number[][]} keys
 */
function groupPieces(rows, queries, keys) {
  const columns = rows.map((row) => inBitsOf(row, keys.map((group) => sum(group.map((key) => row[key])))));
  /** @type {(group: number[], column: number) => number} */
  const average = (group, column) => sum(group.map((query) => columns[query][column])) / group.length;
  return queries.map((group) => inBitsOf(rows[0], keys.map((_, column) => average(group, column))));
}

/**
 * The groups of pieces that form words, and their labels.
 * @typedef {{ queries: number[][], keys: number[][], queryLabels: string[], keyLabels: string[] }} WordGroups
 */

/**
 * The matrix of a choice of heads. `map` is one of weights or of lengths of the trace; `words` is null for pieces.
 * `corner` is the text of the first cell.
 * @param {Trace} trace
 * @param {AttentionMap} map
 * @param {Heads & { specials: boolean, words: WordGroups | null }} choice
 * @param {string} corner
 */
export function csvOf(trace, map, { layer, head, specials, words }, corner) {
  const { queries, keys } = axesOf(withoutNames(trace), map.kind);
  const kept = [...keys.keys()].filter((i) => specials || !keys[i].special);
  const all = map.matrix(layer, head);
  const rows = specials ? all : keepColumns(all, kept, map.measure === "weight");
  if (!words) return matrixCsv(rows, queries.map(plainLabel), kept.map((key) => keys[key].text), corner);
  const columns = words.keys.map((group) => group.map((key) => kept.indexOf(key)));
  return matrixCsv(groupPieces(rows, words.queries, columns), words.queryLabels, words.keyLabels, corner);
}

/** @param {Numbers[]} rows @param {string[]} queries @param {string[]} keys @param {string} corner */
function matrixCsv(rows, queries, keys, corner) {
  /** @type {(row: Numbers) => (number: number) => string} */
  const write = (row) => (number) =>
    numberCell(numberText(row instanceof Float32Array ? shortenFloat(number) : number));
  const lines = rows.map((row, i) => [labelCell(queries[i]), ...Array.from(row, write(row))]);
  return csvText([[csvCell(corner), ...keys.map(labelCell)], ...lines]);
}
