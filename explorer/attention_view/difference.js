// The signed difference of two runs: the weights of the changed run minus those of the unchanged run, in each cell whose row
// and column have partners. Other cells are NaN and drawn hatched. No drawing here.

import { parseHex } from "../ui/contrast.js";
import { fill, joinList } from "../ui/text.js";
import { formatChange } from "../ui/numbers.js";

const MAX_LISTED = 3; // differences in the readout

/**
 * The content (attention.js) of the `changed` run with differences instead of weights. `partner(axis, index)` is the
 * corresponding query or key of the unchanged run, or null.
 */
export function computeDifference(changed, unchanged, partner) {
  const columnOf = new Map(unchanged.keys.map((key, column) => [key, column]));
  const columns = changed.keys.map((key) => columnOf.get(partner("key", key)) ?? Infinity); // beyond the reach of every row
  const rows = changed.rows.map((row, query) => {
    const unchangedQuery = partner("query", query), reach = unchangedQuery === null ? 0 : unchanged.reach[unchangedQuery];
    return Float64Array.from(row, (weight, column) => (columns[column] < reach ? weight - unchanged.rows[unchangedQuery][columns[column]] : NaN));
  });
  return { ...changed, rows, signed: true, changed, unchanged };
}

/** The frame of a heatmap (component.py) with a diverging colour scale; zero is transparent. */
export function createSignedFrame(frame, colours, kind) {
  const ink = (name, share) => `rgba(${parseHex(colours[name])},${share})`;
  const negativeKind = `${kind}_negative`;
  const colorscale = [[0, ink(negativeKind, 1)], [0.5, ink(negativeKind, 0)], [0.5, ink(kind, 0)], [1, ink(kind, 1)]];
  const [cells, ...others] = frame.data;
  return { ...frame, data: [{ ...cells, colorscale }, ...others] };
}

/**
 * Outlines of all runs of NaN cells, as x and y for Plotly, where null ends a rectangle. `cells` are rows of numbers,
 * `reach` is the number of unmasked cells of a row.
 */
export function gapOutlines(cells, reach) {
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

/** The largest differences of a row or column by absolute value: pairs of index and number. */
export function largestDifferences(numbers) {
  const differing = [...numbers.entries()].filter(([, number]) => Math.abs(number) >= 0.0005);
  return differing.sort(([, a], [, b]) => Math.abs(b) - Math.abs(a)).slice(0, MAX_LISTED);
}

/**
 * A sentence about the largest differences in the row or column `place` of an axis, or in the first `known` rows if `place`
 * is null. `text` holds the sentences.
 */
export function describeDifference({ queries, labels, rows, reach }, { axis, place, known }, text) {
  const formatList = (numbers, names) => joinList(largestDifferences(numbers).map(([i, number]) => `${names(i)} ${formatChange(number, 3)}`)) || text.none;
  if (place === null) {
    const width = labels.length, all = rows.slice(0, known).flatMap((row) => Array.from(row));
    return fill(text.all, { found: formatList(all, (i) => fill(text.pair, { query: queries[Math.floor(i / width)], key: labels[i % width] })) });
  }
  const query = axis === "query", name = query ? queries[place] : labels[place];
  const numbers = query ? Array.from(rows[place].subarray(0, reach[place])) : rows.slice(0, known).map((row) => row[place]);
  if (numbers.every(Number.isNaN)) return fill(text.noPartner, { name });
  return fill(text[query ? "row" : "column"], { name, found: formatList(numbers, (i) => (query ? labels : queries)[i]) });
}
