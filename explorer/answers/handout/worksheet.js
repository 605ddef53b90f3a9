// The content of a worksheet: explorer/handout/sheets.py.

import { groupByWord, mergedRow } from "../../derived/word_groups.js";
import { joinPieces } from "../../ui/scripts.js";
import { createTrace } from "../../derived/trace.js";
import { matrixOf, rawTraceJson } from "../trace.js";
import { lengthOf } from "../../engine/python_text.js";
import { formatText } from "../../ui/format_text.js";
import { UserError } from "../../ui/user_error.js";

const PUNCTUATION = /^[\p{P}\p{S}]+$/u;

const joinedText = (pieces, group) => joinPieces(group.map((i) => pieces[i].text)).replace(/^·(?=.)/su, "");

/** The longest words, at most so many, in their order, without punctuation. */
function selectRowsToGuess(rows, limit) {
  const candidates = [...rows.keys()].filter((row) => !PUNCTUATION.test(rows[row]));
  return candidates.sort((a, b) => lengthOf(rows[b]) - lengthOf(rows[a])).slice(0, limit).sort((a, b) => a - b);
}

/** The row of the default step, and the rows to guess whose weights have the highest entropy. */
function selectRowsToRead(weights, rowsToGuess, defaultRow, count) {
  const entropy = weights.map((row) => -row.reduce((sum, weight) => sum + weight * Math.log(Math.max(weight, 1e-12)), 0));
  const byEntropy = rowsToGuess.filter((row) => row !== defaultRow).sort((a, b) => entropy[b] - entropy[a]);
  return [defaultRow, ...byEntropy.slice(0, count - 1)].sort((a, b) => a - b);
}

/** The number of crossings of the lines from the rows to guess to their strongest columns. */
function countCrossings(ends) {
  return ends.reduce((sum, first, i) => sum + ends.slice(i + 1).filter((second) => first > second).length, 0);
}

/** The worksheet of a trace. Throws a UserError if a page has no room for its words. */
export function worksheetOf(trace, { handout, language }) {
  const { source, steps, cross: { weights: { shape: [layers] } } } = trace, { MAX_WORDS, MAX_ROWS_TO_GUESS, ROWS_TO_READ } = handout;
  const target = [steps[0].fed, ...steps.map(({ predicted }) => predicted)];
  const keys = groupByWord(source), groups = groupByWord(target).filter(([first]) => !target[first].special);
  const count = Math.max(keys.length, groups.length);
  if (count > MAX_WORDS) throw new UserError(formatText(handout.refusals.tooLong, { words: count, limit: MAX_WORDS }, language));
  const queries = groups.map((group) => group.map((place) => place - 1)); // a piece is predicted in the row before its own
  const matrix = matrixOf(trace.cross.weights, layers - 1, "mean"), rows = groups.map((group) => joinedText(target, group));
  const weights = queries.map((query) => mergedRow((row, key) => matrix[row][key], query, keys));
  const rowsToGuess = selectRowsToGuess(rows, MAX_ROWS_TO_GUESS), strongest = weights.map((row) => row.indexOf(Math.max(...row)));
  const { defaultStep: step } = createTrace(rawTraceJson(trace)), defaultRow = Math.max(0, queries.findIndex((query) => query.includes(step)));
  return {
    sentence: trace.sentence,
    translation: trace.translation,
    columns: keys.map((group) => joinedText(source, group)),
    rows,
    weights,
    rowsToGuess,
    rowsToRead: selectRowsToRead(weights, rowsToGuess, defaultRow, ROWS_TO_READ),
    strongest,
    crossings: countCrossings(rowsToGuess.map((row) => strongest[row])),
  };
}
