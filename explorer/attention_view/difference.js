// The signed difference of two runs: the weights of the changed one minus those of the unchanged one, cell by cell, where
// row and column have partners. Elsewhere there is no number: NaN, which is hatched. No drawing here.

import { parseHex } from "../ui/contrast.js";
import { fill } from "../ui/text.js";

const LISTED = 3; // differences that are named in words

/**
 * What `shown` (attention.js) gives of the `changed` run, its weights replaced by differences. `partner(axis, index)` is the
 * query or key of the unchanged run that stands for one of the changed run, or null.
 */
export function difference(changed, unchanged, partner) {
  const columnOf = new Map(unchanged.keys.map((key, column) => [key, column]));
  const columns = changed.keys.map((key) => columnOf.get(partner("key", key)) ?? Infinity); // no row reaches so far
  const rows = changed.rows.map((row, query) => {
    const other = partner("query", query), reach = other === null ? 0 : unchanged.reach[other];
    return Float64Array.from(row, (weight, column) => (columns[column] < reach ? weight - unchanged.rows[other][columns[column]] : NaN));
  });
  return { ...changed, rows, signed: true, changed, unchanged };
}

/** A difference with its sign, to three digits; what rounds to nothing has none. */
export function signed(number) {
  const digits = Math.abs(number).toFixed(3);
  if (Number(digits) === 0) return digits;
  return `${number < 0 ? "−" : "+"}${digits}`;
}

/** The frame of a heatmap (frame.py) with a colour scale from below zero to above; zero looks like the page. */
export function signedFrame(frame, colours, kind) {
  const ink = (name, share) => `rgba(${parseHex(colours[name])},${share})`;
  const below = `${kind}_negative`;
  const colorscale = [[0, ink(below, 1)], [0.5, ink(below, 0)], [0.5, ink(kind, 0)], [1, ink(kind, 1)]];
  const [cells, ...others] = frame.data;
  return { ...frame, data: [{ ...cells, colorscale }, ...others] };
}

/**
 * x and y of a rectangle around every run of cells without a number; a null ends each of them, as Plotly has it. `cells`
 * are rows of numbers, `reach` says how many of a row may have one.
 */
export function gaps(cells, reach) {
  const x = [], y = [];
  const rectangle = (row, from, to) => {
    const [left, right, top, bottom] = [from - 0.5, to - 0.5, row - 0.5, row + 0.5];
    x.push(left, right, right, left, null);
    y.push(top, top, bottom, bottom, null);
  };
  cells.forEach((row, query) => {
    for (let from = 0, to; from < reach[query]; from = to + 1) {
      for (to = from; to < reach[query] && Number.isNaN(row[to]); to += 1);
      if (to > from) rectangle(query, from, to);
    }
  });
  return { x, y };
}

/** The largest differences of a row or column, by their size: pairs of index and number. */
export function largest(numbers) {
  const seen = [...numbers.entries()].filter(([, number]) => !Number.isNaN(number) && signed(number) !== "0.000");
  return seen.sort(([, a], [, b]) => Math.abs(b) - Math.abs(a)).slice(0, LISTED);
}

/**
 * What is read of a difference: of the row or column `place` of an axis, or of the first `known` rows where none stands
 * out. `text` holds the sentences.
 */
export function differenceInWords({ queries, labels, rows, reach }, { axis, place, known }, text) {
  const listed = (numbers, names) => largest(numbers).map(([i, number]) => `${names(i)} ${signed(number)}`).join(", ") || text.none;
  if (place === null) {
    const width = labels.length, all = rows.slice(0, known).flatMap((row) => Array.from(row));
    return fill(text.all, { found: listed(all, (i) => fill(text.pair, { query: queries[Math.floor(i / width)], key: labels[i % width] })) });
  }
  const query = axis === "query", name = query ? queries[place] : labels[place];
  const numbers = query ? Array.from(rows[place].subarray(0, reach[place])) : rows.slice(0, known).map((row) => row[place]);
  if (numbers.every(Number.isNaN)) return fill(text.noPartner, { name });
  return fill(text[query ? "row" : "column"], { name, found: listed(numbers, (i) => (query ? labels : queries)[i]) });
}
