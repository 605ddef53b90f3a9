// Groups pieces into words, and merges the rows and columns of a map accordingly.

import { isolate, startsWithMark, joinPieces, isUnspaced } from "../ui/scripts.js";
import { fill } from "../ui/text.js";

/** @typedef {(query: number, key: number) => number} WeightOf */

const ROUNDING = 1e-3; // of a sum of weights
const PUNCTUATION = /^[\p{P}\p{S}]+$/u;

/**
 * Indices of pieces by word. Special pieces and punctuation after a word stand alone; so does every piece of a script
 * without spaces.
 * @param {Piece[]} pieces
 */
export function groupByWord(pieces) {
  /** @type {number[][]} */
  const groups = [];
  pieces.forEach((piece, i) => {
    const isAlone = piece.special || pieces[i - 1]?.special || isTrailing(pieces, i);
    if (i === 0 || startsWord(pieces, i) || isAlone) groups.push([i]);
    else groups.at(-1).push(i);
  });
  return groups;
}

/** Whether a piece is a blank alone, whose raised dot plain.js removes. */
const isBlank = (/** @type {Piece | undefined} */ piece) => piece?.text === "·" || piece?.text === "";

/**
 * Whether a piece and all that follow it in the word are punctuation; not where the word has nothing else.
 * @param {Piece[]} pieces @param {number} i
 * @returns {boolean}
 */
function isTrailing(pieces, i) {
  if (!PUNCTUATION.test(pieces[i].text) || isBlank(pieces[i - 1])) return false;
  const next = pieces[i + 1];
  return !next || startsWord(pieces, i + 1) || next.special || isTrailing(pieces, i + 1);
}

/**
 * Whether a piece starts a word: after a space, or in a script without spaces (explorer/recording/splitting.py).
 * @param {Piece[]} pieces @param {number} i
 */
export function startsWord(pieces, i) {
  const { text, starts_word: isStart } = pieces[i];
  const before = pieces[i - 1];
  if (isStart || !before || before.special) return isStart;
  if (isBlank(before) || PUNCTUATION.test(text) || startsWithMark(text)) return false;
  return isUnspaced(text) || isUnspaced(before.text);
}

/** @param {unknown[]} pieces */
export function groupByPiece(pieces) {
  return pieces.map((_, i) => [i]);
}

/**
 * A row with a number per group of keys: `weight(query, key)` summed over the group's keys, averaged over the queries.
 * @param {WeightOf} weight @param {number[]} queries @param {number[][]} keyGroups
 */
export function mergedRow(weight, queries, keyGroups) {
  return keyGroups.map((keys) => mergeWeights(weight, queries, keys));
}

/**
 * A column with a number per group of queries: averaged over the group's queries, summed over the keys.
 * @param {WeightOf} weight @param {number[][]} queryGroups @param {number[]} keys
 */
export function mergedColumn(weight, queryGroups, keys) {
  return queryGroups.map((queries) => mergeWeights(weight, queries, keys));
}

/** @param {WeightOf} weight @param {number[]} queries @param {number[]} keys */
function mergeWeights(weight, queries, keys) {
  const sum = queries.reduce((total, query) => total + keys.reduce((row, key) => row + weight(query, key), 0), 0);
  return queries.length ? sum / queries.length : 0;
}

/**
 * The word axes of a kind: `groups` of queries and keys, and `name(group, number)`, the label of a group or its known
 * part. Labels of decoder rows contain the fed word and the predicted one.
 * @param {Pick<Trace, "source" | "steps">} trace @param {Kind} kind @param {string} pair
 * @returns {WordAxes}
 */
export function wordAxes({ source, steps }, kind, pair) {
  /** @type {(pieces: Piece[], groups: number[][]) => { groups: number[][], name: (group: number[]) => string }} */
  const createAxis = (pieces, groups) => ({
    groups,
    name: (group) => isolate(joinPieces(group.map((i) => pieces[i].text))),
  });
  const sourceAxis = createAxis(source, groupByWord(source));
  if (kind === "encoder") return { queries: sourceAxis, keys: sourceAxis };
  // Position 0 of the translation is the start token; the piece at position i is fed at step i and predicted at step
  // i - 1.
  const pieces = [steps[0].fed, ...steps.map((step) => step.predicted)];
  const targetAxis = createAxis(pieces, groupByWord(pieces));
  const predictingStep = (/** @type {number} */ position) => position - 1;
  const nonEmpty = (/** @type {number[][]} */ groups) => groups.filter((group) => group.length);
  /** @type {WordAxis} */
  const queries = {
    groups: nonEmpty(targetAxis.groups.map((group) => group.map(predictingStep).filter((step) => step >= 0))),
    name: (group, number) => fill(pair, {
      fed: targetAxis.name(targetAxis.groups[number]), predicted: targetAxis.name(group.map((step) => step + 1)),
    }),
  };
  const fed = nonEmpty(targetAxis.groups.map((group) => group.filter((position) => position < steps.length)));
  return { queries, keys: kind === "cross" ? sourceAxis : { ...targetAxis, groups: fed } };
}

/**
 * The known pieces of a group; the whole group if none is known, because then the word is invisible.
 * @param {number[]} group @param {number} known
 */
function knownPart(group, known) {
  const seen = group.filter((i) => i < known);
  return seen.length ? seen : group;
}

/**
 * Whether a word is known in part, so that its row or column changes at the next step.
 * @param {WordAxes} axes @param {number} known @param {Kind} kind
 */
export function hasPartialWord({ queries, keys }, known, kind) {
  const isCut = (/** @type {WordAxis} */ { groups }) => (
    groups.some((group) => group[0] < known && group.at(-1) >= known));
  return kind !== "encoder" && (isCut(queries) || (kind === "decoder" && isCut(keys)));
}

/**
 * The words with shown keys: `group`, the pieces of word `number`, and their `columns` in the content.
 * @param {Content} content @param {WordAxis} axis
 */
function shownWords(content, { groups }) {
  const words = groups.map((group, number) => ({
    group,
    number,
    columns: group.map((key) => content.keys.indexOf(key)),
  }));
  return words.filter(({ columns }) => columns[0] >= 0); // a hidden special piece forms a group of its own
}

/**
 * The numbers of words: weights summed over a word's keys and averaged over its known queries.
 * @param {Content} content @param {number[][]} rowGroups @param {number[][]} columnGroups
 */
function mergeNumbers({ rows, sums, reach }, rowGroups, columnGroups) {
  /** @type {WeightOf} */
  const weight = (query, column) => rows[query][column];
  const meanSum = (/** @type {number[]} */ queries) => (
    queries.reduce((sum, query) => sum + sums[query], 0) / queries.length);
  return {
    rows: rowGroups.map((queries) => Float64Array.from(mergedRow(weight, queries, columnGroups))),
    sums: Float64Array.from(rowGroups, meanSum),
    reach: rowGroups.map((queries) => columnGroups.filter(([first]) => first < reach[queries.at(-1)]).length),
  };
}

/**
 * The largest number at any step, and the one with the full colour: sums of maxima and of lengths may be larger.
 * @param {Content} content @param {number[][]} queryGroups @param {number[][]} columnGroups
 */
function scaleOfWords({ rows, ceiling }, queryGroups, columnGroups) {
  /** @type {WeightOf} */
  const weight = (query, column) => rows[query][column];
  const top = Math.max(...queryGroups.map((queries) => maxRowWeight(weight, queries, columnGroups)));
  return { top, ceiling: top > ceiling + ROUNDING ? top : ceiling };
}

/**
 * Merges a content into words: of a partly known word only the known pieces count.
 * @param {Content} content of pieces
 * @param {WordAxes} axes
 * @param {number} known queries
 * @returns {Content} with a row and a column for each word
 */
export function mergeIntoWords(content, { queries, keys }, known) {
  const { kind, special } = content;
  const knownKeys = kind === "decoder" ? known : Infinity;
  const rowGroups = queries.groups.map((group) => knownPart(group, known));
  const words = shownWords(content, keys);
  const columnGroups = words.map(({ columns }) => columns);
  return {
    kind,
    ...mergeNumbers(content, rowGroups, columnGroups),
    ...scaleOfWords(content, queries.groups, columnGroups),
    queries: rowGroups.map((group, number) => queries.name(group, number)),
    keys: words.map(({ group }) => group[0]),
    labels: words.map(({ group, number }) => keys.name(knownPart(group, knownKeys), number)),
    special: { queries: groupsWith(queries.groups, special.queries), keys: special.keys },
    members: { query: queries.groups, key: words.map(({ group }) => group) },
    pieces: content,
    full: {
      queries: queries.groups.map(queries.name),
      labels: words.map(({ group, number }) => keys.name(group, number)),
    },
  };
}

/**
 * The largest weight that a row has at any step, while its word grows.
 * @param {WeightOf} weight @param {number[]} queries @param {number[][]} keyGroups
 */
function maxRowWeight(weight, queries, keyGroups) {
  return Math.max(...keyGroups.map((keys) => {
    let sum = 0;
    return Math.max(...queries.map((query, i) => {
      sum += keys.reduce((row, key) => row + weight(query, key), 0);
      return Math.abs(sum) / (i + 1);
    }));
  }));
}

/** The numbers of the groups that contain one of the pieces. @param {number[][]} groups @param {Set<number>} pieces */
function groupsWith(groups, pieces) {
  return new Set([...groups.keys()].filter((number) => groups[number].some((i) => pieces.has(i))));
}

/** The row or column that shows a piece; -1 if it is hidden. @param {Content} content @param {Pin} pin */
export function rowOrColumnOf({ members, keys }, { axis, index }) {
  if (members) return members[axis].findIndex((group) => group.includes(index));
  return axis === "query" ? index : keys.indexOf(index);
}

/** The pieces that a row or column shows. @param {Content} content @param {{ axis: string, index: number }} place */
export function piecesAt({ members, keys }, { axis, index }) {
  const isRow = axis === "query";
  if (members) return (isRow ? members.query : members.key)[index];
  return [isRow ? index : keys[index]];
}

/** The number of known rows for a number of known queries. @param {Content} content @param {number} known */
export function knownRows({ members }, known) {
  return members ? members.query.filter(([first]) => first < known).length : known;
}

/**
 * The cell of pieces at a row and a column; between words, the strongest cell among the known pieces.
 * @param {Content} content @param {number} row @param {number} column @param {number} known
 * @returns {Cell}
 */
export function cellOf(content, row, column, known) {
  const queries = knownPart(piecesAt(content, { axis: "query", index: row }), known);
  const keys = piecesAt(content, { axis: "key", index: column });
  const weight = (/** @type {Cell} */ { query, key }) => content.pieces.rows[query][content.pieces.keys.indexOf(key)];
  const cells = queries.flatMap((query) => keys.map((key) => ({ query, key })));
  return cells.length === 1 ? cells[0] : cells.reduce((best, cell) => (weight(cell) > weight(best) ? cell : best));
}
