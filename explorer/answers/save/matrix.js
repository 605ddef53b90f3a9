// One attention matrix with the labels of its rows and columns, as CSV: explorer/files/matrix.py and explorer/page/save/numbers.py.

import { ROLLOUT, rollout } from "../../derived/rollout.js";
import { KINDS } from "../../engine/probe.js";
import { csvCell, csvText, labelCell } from "../../ui/download.js";
import { sum } from "../../ui/tensor.js";
import { lengthsOf } from "../lengths.js";
import { lengthOf, numberText, shortenFloat } from "../../engine/python_text.js";
import { requireIndex } from "../refusal.js";
import { UserError } from "../../ui/user_error.js";
import { matrixOf, plainLabel } from "../trace.js";

/** The rollout of a trace, by the module that the page draws it with. */
function rolloutOf(trace, kind) {
  const mapOf = ({ weights, queries, keys }) => ({ queries, keys, layers: weights.shape[0], matrix: (layer, head) => matrixOf(weights, layer, head) });
  return rollout({ kind, kinds: Object.fromEntries(KINDS.map((each) => [each, mapOf(trace[each])])) });
}

/** The rows of the columns that are kept; weights are divided by the sum of what is left, if there is any. */
function keepColumns(rows, kept, isWeights) {
  return rows.map((row) => {
    const remaining = kept.map((key) => row[key]);
    return isWeights ? Float64Array.from(remaining, (number) => number / (sum(remaining) || 1)) : row.constructor.from(remaining);
  });
}

/** Joins pieces into words: sums columns in each group of keys, averages rows in each group of queries. */
function groupPieces(rows, queries, keys) {
  const columns = rows.map((row) => row.constructor.from(keys, (group) => sum(group.map((key) => row[key]))));
  return queries.map((group) => rows[0].constructor.from(keys, (_, column) => sum(group.map((query) => columns[query][column])) / group.length));
}

/** Whether groups contain known indices only, have a label each, and are of bounded size. */
function isGrouping(groups, labels, known, maxCharacters) {
  const isKnown = (group) => group.length > 0 && group.length <= known.length && group.every((i) => known.includes(i));
  const hasLabels = groups.length === labels.length && labels.every((label) => lengthOf(label) <= maxCharacters);
  return groups.length > 0 && groups.length <= known.length && hasLabels && groups.every(isKnown);
}

/** The matrix with words for pieces; its columns are `kept`. Throws a UserError if the groups do not fit. */
function mergeWords({ rows }, groups, kept, { refusals, MAX_LABEL_CHARS }) {
  const { queries, keys, query_labels: queryLabels, key_labels: keyLabels } = groups, places = [...rows.keys()];
  const fits = isGrouping(queries, queryLabels, places, MAX_LABEL_CHARS) && isGrouping(keys, keyLabels, kept, MAX_LABEL_CHARS);
  if (!fits) throw new UserError(refusals.no_matrix);
  const columns = keys.map((group) => group.map((key) => kept.indexOf(key)));
  return { rows: groupPieces(rows, queries, columns), queries: queryLabels, keys: keyLabels };
}

/** The requested matrix of a trace; `lengths` replace weights, if they are not null. */
function requestedMatrix(trace, { kind, layer, head, specials, words }, lengths, data) {
  const { weights, queries, keys } = trace[kind], kept = [...keys.keys()].filter((i) => specials || !keys[i].special);
  const all = layer === ROLLOUT ? rolloutOf(trace, kind) : matrixOf(lengths ?? weights, layer, head);
  const rows = specials ? all : keepColumns(all, kept, lengths === null);
  const matrix = { rows, queries: queries.map(plainLabel), keys: kept.map((key) => keys[key].text) };
  return words ? mergeWords(matrix, words, kept, data) : matrix;
}

function matrixCsv({ rows, queries, keys }, corner) {
  const write = (row) => (number) => numberText(row instanceof Float32Array ? shortenFloat(number) : number);
  const lines = rows.map((row, i) => [labelCell(queries[i]), ...Array.from(row, write(row))]);
  return csvText([[csvCell(corner), ...keys.map(labelCell)], ...lines]);
}

/** The shown matrix as CSV (RFC 4180). Throws a UserError if the model or the sentence has no such matrix. */
export function* csvJson(laboratory, request) {
  const { recordings } = laboratory, { sentence, kind, layer, head, measure } = request, { save } = recordings.data;
  const isChanged = Object.keys(request.experiment ?? {}).length > 0;
  const trace = isChanged ? yield* laboratory.trace(sentence, request.experiment) : recordings.trace(sentence);
  for (const [name, choice, axis] of [["layer", layer, 0], ["head", head, 1]]) {
    if (typeof choice === "number") requireIndex(name, choice, trace[kind].weights.shape[axis], recordings.refusals);
  }
  const isLength = measure === "length";
  if (isLength && (isChanged || layer === ROLLOUT)) throw new UserError(save.refusals.lengths);
  const lengths = isLength ? lengthsOf(recordings.forwardPass(sentence), kind) : null;
  return { text: matrixCsv(requestedMatrix(trace, request, lengths, save), save.corner) };
}
