// Pieces joined into words, and the rows and columns of a map with them.

import { isolate, startsWithMark, joinPieces, isUnspaced } from "../ui/scripts.js";
import { fill } from "../ui/text.js";

const PUNCTUATION = /^[\p{P}\p{S}]+$/u;

/** Indices of pieces, word by word. Special pieces and the punctuation after a word stand alone; where a script has no blanks, every piece. */
export function words(pieces) {
  const groups = [];
  pieces.forEach((piece, i) => {
    const alone = piece.special || pieces[i - 1]?.special || trailing(pieces, i);
    if (i === 0 || begins(pieces, i) || alone) groups.push([i]);
    else groups.at(-1).push(i);
  });
  return groups;
}

/** Whether nothing but punctuation follows, up to the next word. */
function trailing(pieces, i) {
  if (!PUNCTUATION.test(pieces[i].text)) return false;
  const next = pieces[i + 1];
  return !next || begins(pieces, i + 1) || next.special || trailing(pieces, i + 1);
}

/** Whether a word begins with a piece: after a blank, and in a script without blanks anywhere (explorer/recording/joining.py). */
function begins(pieces, i) {
  const { text, starts_word: starts } = pieces[i], before = pieces[i - 1];
  if (starts || !before || before.special) return starts;
  const blank = before.text === "·" || before.text === ""; // as a reader writes it, it is nothing (plain.js)
  if (blank || PUNCTUATION.test(text) || startsWithMark(text)) return false;
  return isUnspaced(text) || isUnspaced(before.text);
}

export function single(pieces) {
  return pieces.map((_, i) => [i]);
}

/** A row for every group of keys: `weight(query, key)` summed over a group's keys, averaged over the queries. */
export function mergedRow(weight, queries, keyGroups) {
  return keyGroups.map((keys) => merged(weight, queries, keys));
}

/** A column for every group of queries: averaged over a group's queries, summed over the keys. */
export function mergedColumn(weight, queryGroups, keys) {
  return queryGroups.map((queries) => merged(weight, queries, keys));
}

function merged(weight, queries, keys) {
  const sum = queries.reduce((total, query) => total + keys.reduce((row, key) => row + weight(query, key), 0), 0);
  return queries.length ? sum / queries.length : 0;
}

/**
 * The words that the rows and columns of a kind stand for: `groups` of queries and keys, and the `name` of so many pieces
 * of the group of a number. Rows of the decoder are called by the word before and the word that they predict.
 */
export function wordsOf({ source, steps }, kind, pair) {
  const named = (pieces, groups) => ({ groups, name: (group) => isolate(joinPieces(group.map((i) => pieces[i].text))) });
  const read = named(source, words(source));
  if (kind === "encoder") return { queries: read, keys: read };
  // Place 0 of the translation is the start; place i is fed at step i and predicted at the step before.
  const pieces = [steps[0].fed, ...steps.map((step) => step.predicted)];
  const written = named(pieces, words(pieces));
  const within = (groups) => groups.filter((group) => group.length);
  const queries = {
    groups: within(written.groups.map((group) => group.map((place) => place - 1).filter((step) => step >= 0))),
    name: (group, number) => fill(pair, {
      fed: written.name(written.groups[number]), predicted: written.name(group.map((step) => step + 1)),
    }),
  };
  const fed = within(written.groups.map((group) => group.filter((place) => place < steps.length)));
  return { queries, keys: kind === "cross" ? read : { ...written, groups: fed } };
}

/** Those of a group that are known; all where none is, because then nothing of the word is seen. */
function part(group, known) {
  const seen = group.filter((i) => i < known);
  return seen.length ? seen : group;
}

/** Whether a word is known only in part, so that its row or column is another one at the next step. */
export function cuts({ queries, keys }, known, kind) {
  const cut = ({ groups }) => groups.some((group) => group[0] < known && group.at(-1) >= known);
  return kind !== "encoder" && (cut(queries) || (kind === "decoder" && cut(keys)));
}

/**
 * What `shown` (attention.js) gives in words: the same fields, with a word's first key in `keys`, and the pieces behind
 * every row and column as `members`. Of a word that is not known wholly, the part is shown that is.
 */
export function inWords(content, { queries, keys }, known) {
  const { kind, ceiling, special } = content;
  const lines = queries.groups.map((group) => part(group, known));
  const found = keys.groups.map((group, number) => ({ group, number, at: group.map((key) => content.keys.indexOf(key)) }));
  const columns = found.filter(({ at }) => at[0] >= 0); // a hidden piece is a word of its own
  const keysKnown = kind === "decoder" ? known : Infinity;
  const label = (all) => columns.map(({ group, number }) => keys.name(all ? group : part(group, keysKnown), number));
  const weight = (query, column) => content.rows[query][column];
  const at = columns.map((column) => column.at);
  return {
    kind,
    ceiling,
    queries: lines.map((line, number) => queries.name(line, number)),
    keys: columns.map(({ group }) => group[0]),
    labels: label(false),
    special: { queries: held(queries.groups, special.queries), keys: special.keys },
    reach: lines.map((line) => at.filter(([first]) => first < content.reach[line.at(-1)]).length),
    rows: lines.map((line) => Float64Array.from(mergedRow(weight, line, at))),
    sums: Float64Array.from(lines, (line) => line.reduce((sum, query) => sum + content.sums[query], 0) / line.length),
    members: { query: queries.groups, key: columns.map(({ group }) => group) },
    pieces: content,
    full: { queries: queries.groups.map(queries.name), labels: label(true) }, // as they are once all is known
    get top() {
      return Math.max(...queries.groups.map((group) => strongest(weight, group, at)));
    },
  };
}

/** The strongest weight that a row has at any step, while its word grows. */
function strongest(weight, queries, keyGroups) {
  return Math.max(...keyGroups.map((keys) => {
    let sum = 0;
    return Math.max(...queries.map((query, i) => {
      sum += keys.reduce((row, key) => row + weight(query, key), 0);
      return sum / (i + 1);
    }));
  }));
}

/** The numbers of the groups that hold one of some pieces. */
function held(groups, pieces) {
  return new Set([...groups.keys()].filter((number) => groups[number].some((i) => pieces.has(i))));
}

/** The number of the row or column that shows a piece; -1 where it is hidden. */
export function placeOf({ members, keys }, { axis, index }) {
  if (members) return members[axis].findIndex((group) => group.includes(index));
  return axis === "query" ? index : keys.indexOf(index);
}

/** The pieces that a row or column shows. */
export function piecesAt({ members, keys }, { axis, index }) {
  if (members) return members[axis][index];
  return [axis === "query" ? index : keys[index]];
}

/** How many rows are known at all where so many queries are. */
export function knownRows({ members }, known) {
  return members ? members.query.filter(([first]) => first < known).length : known;
}

/** The cell of pieces that a row and a column stand for: in words the strongest of the known ones. */
export function cellOf(content, row, column, known) {
  const queries = part(piecesAt(content, { axis: "query", index: row }), known);
  const keys = piecesAt(content, { axis: "key", index: column });
  const weight = ({ query, key }) => content.pieces.rows[query][content.pieces.keys.indexOf(key)];
  const cells = queries.flatMap((query) => keys.map((key) => ({ query, key })));
  return cells.length === 1 ? cells[0] : cells.reduce((best, cell) => (weight(cell) > weight(best) ? cell : best));
}
