// One attention matrix with the labels of its rows and columns, as CSV.

import { numberText, shortenFloat } from "../engine/python_text.js";
import { csvCell, csvText, labelCell, numberCell } from "../ui/download.js";
import { sum } from "../ui/tensor.js";
import { withoutNames } from "./token_names.js";
import { axesOf, plainLabel } from "./trace.js";

/** The rows of the columns that are kept; weights are divided by the sum of what is left, if there is any. */
function keepColumns(rows, kept, isWeights) {
  return rows.map((row) => {
    const remaining = kept.map((key) => row[key]);
    if (!isWeights) return row.constructor.from(remaining);
    return Float64Array.from(remaining, (number) => number / (sum(remaining) || 1));
  });
}

/** Joins pieces into words: sums columns in each group of keys, averages rows in each group of queries. */
function groupPieces(rows, queries, keys) {
  const columns = rows.map((row) => row.constructor.from(keys, (group) => sum(group.map((key) => row[key]))));
  const average = (group, column) => sum(group.map((query) => columns[query][column])) / group.length;
  return queries.map((group) => rows[0].constructor.from(keys, (_, column) => average(group, column)));
}

/**
 * The matrix of a choice of heads. `map` is one of weights or of lengths of the trace; `words` are the groups of pieces
 * that form words and their labels, { queries, keys, queryLabels, keyLabels }, or null. `corner` is the text of the
 * first cell.
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

function matrixCsv(rows, queries, keys, corner) {
  const write = (row) => (number) =>
    numberCell(numberText(row instanceof Float32Array ? shortenFloat(number) : number));
  const lines = rows.map((row, i) => [labelCell(queries[i]), ...Array.from(row, write(row))]);
  return csvText([[csvCell(corner), ...keys.map(labelCell)], ...lines]);
}
