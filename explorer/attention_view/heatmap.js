// Fills arrays and labels into the Plotly frame of component.py. A test compares the result with attention_heatmap in
// explorer/notebook/heatmap.py.

import { maskedRuns } from "../derived/masks.js";
import { CLEAR } from "../ui/figures.js";
import { withoutIsolates } from "../ui/scripts.js";
import { escapeLabel, fill } from "../ui/text.js";
import { formatSigned, formatDecimal } from "../ui/numbers.js";

const MOST_WITH_GAPS = 40;
const LEAST = 0.05; // the end of a scale of differences, so that rounding is not taken for one
export const ROOM = { gap: 8, title: 30, titleSize: 14 }; // pixels beside the cells: empty, and a line with a title
export const LIMITS = { rowLetters: 28, columnLetters: 14 };

export function truncate(text, letters) {
  if ([...withoutIsolates(text)].length <= letters) return text;
  let left = letters - 1; // what holds the parts of a label apart takes no room, and stays in pairs
  return `${[...text].filter((sign) => withoutIsolates(sign) === "" || left-- > 0).join("")}…`;
}

/** A label for every row or column; those of unknown pieces keep their space but are invisible. */
function ticks({ labels, known, special }, letters) {
  const ticktext = labels.map((text, i) => {
    const label = escapeLabel(truncate(text, letters));
    const shown = special(i) ? `<i>${label}</i>` : label;
    return i < known ? shown : `<span style="color:${CLEAR}">${shown}</span>`;
  });
  return { tickvals: [...labels.keys()], ticktext };
}

/**
 * Cells for the colour scale and its upper end: as they are, up to `ceiling`; each query's by its maximum; or all by
 * the map's, but at least by `least`; differences by size.
 */
export function scaled(rows, scale, { ceiling = 1, least = 0 } = {}) {
  const top = (row) => row.reduce((most, weight) => (Math.abs(weight) > most ? Math.abs(weight) : most), 0);
  if (scale === "fixed") return { z: rows, zmax: ceiling };
  if (scale === "auto") return { z: rows, zmax: Math.max(least, ...rows.map(top)) || 1 };
  const by = (row, most) => row.map((weight) => weight / most);
  return { z: rows.map((row) => by(row, top(row) || 1)), zmax: 1 };
}

function colourbar(frame, { scale, transposed, signed: isSigned, ceiling }, zmax, text) {
  if (scale === "fixed" && ceiling === 1 && !isSigned) return frame.data[0].colorbar;
  const end = scale === "row" ? (transposed ? text.columnMaximum : text.rowMaximum) : formatDecimal(zmax, 3);
  const ends = isSigned
    ? { tickvals: [-zmax, 0, zmax], ticktext: [`−${end}`, "0", `+${end}`] }
    : { tickvals: [0, zmax], ticktext: ["0", end] };
  return { ...frame.data[0].colorbar, ...ends };
}

/** The text of each cell under the mouse; "" where there is no weight. */
function hoverTexts({ queries, labels, signed: isSigned }, cells, words) {
  const keys = labels.map(escapeLabel);
  const sentence = isSigned ? words.compared.cell : words.cell;
  const format = isSigned ? formatSigned : formatDecimal;
  const textOf = (query, key, weight) =>
    Number.isNaN(weight) ? "" : fill(sentence, { query, key, weight: format(weight, 3) });
  return cells.map((row, i) => {
    const query = escapeLabel(queries[i]);
    return Array.from(row, (weight, j) => textOf(query, keys[j], weight));
  });
}

/** Masked cells, and those of rows not known yet, are no weight at all: NaN, not 0. */
function cellsOf({ rows, reach }, known) {
  return rows.map((row, query) => row.map((weight, key) => (query < known && key < reach[query] ? weight : NaN)));
}

function transpose(rows) {
  return Array.from(rows[0] ?? [], (_, key) => rows.map((row) => row[key]));
}

/**
 * The outline of what is hatched, as x and y for Plotly, where null ends a rectangle: the cells without a number in the
 * first `known` rows, because they are masked or have no partner in the other run.
 */
export function hatchedOutline(cells, { reach, known }) {
  const runs = maskedRuns(known, reach[known - 1], (row, column) => Number.isNaN(cells[row][column]));
  const sides = runs.map(({ row, from, to }) => ({
    left: from - 0.5, right: to - 0.5, top: row - 0.5, bottom: row + 0.5,
  }));
  return {
    x: sides.flatMap(({ left, right }) => [left, right, right, left, null]),
    y: sides.flatMap(({ top, bottom }) => [top, top, bottom, bottom, null]),
  };
}

/** The number with the full colour: that of all steps, so that a colour means the same at each of them. */
function fullColour(content, scale) {
  if (scale === "auto" && content.top) return content.top;
  const limits = { ceiling: content.ceiling ?? 1, least: content.signed ? LEAST : 0 };
  return scaled(cellsOf(content, content.queries.length), scale, limits).zmax;
}

/** The parts of a figure with queries down the rows: cells and texts [row][column], an outline, a mark, two axes. */
function uprightParts(content, { known, scale, words }) {
  const { kind, queries, labels, keys, special, reach } = content;
  const cells = cellsOf(content, known);
  const knownKeys = kind === "decoder" ? reach[known - 1] : keys.length;
  return {
    z: scaled(cells, scale).z,
    texts: hoverTexts(content, cells, words),
    outline: hatchedOutline(cells, { reach, known }),
    mark: { x0: -0.5, x1: keys.length - 0.5, y0: known - 1.5, y1: known - 0.5 }, // the last known row
    rows: { labels: queries, known, special: (row) => special.queries.has(row) },
    columns: { labels, known: knownKeys, special: (column) => special.keys.has(keys[column]) },
  };
}

/** The same parts with keys down the rows. */
function transposeParts({ z, texts, outline, mark, rows, columns }) {
  return {
    z: transpose(z),
    texts: transpose(texts),
    outline: { x: outline.y, y: outline.x },
    mark: { x0: mark.y0, x1: mark.y1, y0: mark.x0, y1: mark.x1 },
    rows: columns,
    columns: rows,
  };
}

/**
 * The figure of a content, in a frame of component.py. With a `step` it stops there and marks it, which is what an
 * export needs; without one it is whole, and the page covers what is not known yet.
 * @param {Content} content
 * @param {{ step?: number, scale?: string, transposed?: boolean, labels?: object, text: Settings }} options
 * `text` holds the words, `labels` limits as in LIMITS
 */
export function heatmapFigure(frame, content, options) {
  const { step = null, scale = "fixed", transposed = false, labels = {}, text: words } = options;
  const { rowLetters, columnLetters } = { ...LIMITS, ...labels };
  const { ceiling = 1, queries, keys, signed: isSigned } = content;
  const stopsAtStep = step !== null && content.kind !== "encoder";
  const upright = uprightParts(content, { known: stopsAtStep ? step + 1 : queries.length, scale, words });
  const { z, texts, outline, mark, rows, columns } = transposed ? transposeParts(upright) : upright;
  const zmax = fullColour(content, scale);
  const gap = Math.max(queries.length, keys.length) <= MOST_WITH_GAPS ? 1 : 0;
  const colorbar = colourbar(frame, { scale, transposed, signed: isSigned, ceiling }, zmax, words);
  const cells = { z, zmax, ...(isSigned && { zmin: -zmax }), xgap: gap, ygap: gap, colorbar, text: texts };
  const across = { ...ticks(columns, columnLetters), range: [-0.5, columns.labels.length - 0.5] };
  const down = { ...ticks(rows, rowLetters), range: [rows.labels.length - 0.5, -0.5] };
  const marks = frame.layout.shapes.filter(({ name }) => stopsAtStep && name === "mark");
  return {
    data: [
      { ...frame.data[0], ...cells },
      { ...frame.data[1], ...outline },
    ],
    layout: {
      ...frame.layout,
      xaxis: { ...frame.layout.xaxis, ...across },
      yaxis: { ...frame.layout.yaxis, ...down },
      shapes: marks.map((shape) => ({ ...shape, ...mark })),
    },
  };
}
