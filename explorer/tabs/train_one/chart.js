// A training on this page as plain SVG, cheap enough to redraw three times a second: curves, and the attention map of
// the example, of one head or of the mean of a layer's heads.

import { tokenName } from "../../derived/token_names.js";
import { svg } from "../../ui/element.js";
import { sum } from "../../ui/tensor.js";

const HEIGHT = 120, LEFT = 34, RIGHT = 8, TOP = 6, BOTTOM = 18; // pixels
const MAX_POINTS = 240; // per curve
const MIN_SECONDS = 5; // of the time axis
const LETTER_WIDTH = 7.3, MAX_CELL_SIZE = 32, MIN_CELL_SIZE = 16, MAX_HEIGHT = 270; // pixels

/**
 * @typedef {[seconds: number, value: number | null][]} CurvePoints
 * @typedef {{ points: CurvePoints, colour: string, dashed?: boolean }} Curve
 * @typedef {import("./run.js").Picture} Picture
 * @typedef {{ rows: string[], columns: string[], wrong: boolean[] }} MapLabels `wrong` says which rows' predictions are
 */

/** At most `maxPoints` of the points, including the last. */
function thinPoints(points, maxPoints = MAX_POINTS) {
  const stride = Math.ceil(points.length / maxPoints);
  return points.filter((_, index) => (points.length - 1 - index) % stride === 0);
}

/** The scales of a chart: seconds to x, values from 0 to `maxValue` to y. */
export function scales(points, maxValue, width) {
  const end = Math.max(MIN_SECONDS, ...points.map(([seconds]) => seconds));
  return {
    end,
    x: (seconds) => LEFT + (seconds / end) * (width - LEFT - RIGHT),
    y: (value) => TOP + (1 - Math.min(value, maxValue) / maxValue) * (HEIGHT - TOP - BOTTOM),
  };
}

/** The SVG path of a curve without its null values. */
function curvePath(points, { x, y }) {
  const knownPoints = thinPoints(points.filter(([, value]) => value !== null));
  const places = knownPoints.map(([seconds, value]) => `${x(seconds).toFixed(1)} ${y(value).toFixed(1)}`);
  return places.map((place, index) => `${index ? "L" : "M"}${place}`).join("");
}

function drawCurve({ points, colour, dashed = false }, scale) {
  const line = { fill: "none", stroke: colour, "stroke-width": 2, "stroke-linejoin": "round" };
  const dashes = dashed ? { "stroke-dasharray": "5 3" } : {};
  return svg("path", { d: curvePath(points, scale), ...line, ...dashes });
}

/**
 * Draws curves into a node: `maxValue` is the top of the y axis, `goal` a horizontal line, `end(seconds)` labels the
 * end of the time axis, `label` the chart.
 *
 * @param {HTMLElement} node
 * @param {object} chart
 * @param {Curve[]} chart.curves
 * @param {number} chart.maxValue
 * @param {number[]} chart.ticks
 * @param {number | null} [chart.goal]
 * @param {Record<string, string>} chart.colours
 * @param {(seconds: number) => string} chart.end
 * @param {string} chart.label
 */
export function drawChart(node, { curves, maxValue, ticks, goal = null, colours, end, label }) {
  const width = node.clientWidth || 320;
  const scale = scales(curves.flatMap(({ points }) => points), maxValue, width);
  const text = (attributes, content) => svg("text", { fill: colours.text, "font-size": 11, ...attributes }, content);
  const horizontalLine = (value, attributes) => {
    const y = scale.y(value);
    return svg("line", { x1: LEFT, x2: width - RIGHT, y1: y, y2: y, stroke: colours.masked, ...attributes });
  };
  node.replaceChildren(svg("svg", { width, height: HEIGHT, role: "img", "aria-label": label },
    ...ticks.flatMap((value) => [
      horizontalLine(value, { "stroke-width": 0.6 }),
      text({ x: LEFT - 5, y: scale.y(value) + 4, "text-anchor": "end" }, value),
    ]),
    ...(goal === null ? [] : [horizontalLine(goal, { "stroke-dasharray": "4 3" })]),
    text({ x: width - RIGHT, y: HEIGHT - 4, "text-anchor": "end" }, end(scale.end)),
    text({ x: LEFT, y: HEIGHT - 4 }, "0"),
    ...curves.map((curve) => drawCurve(curve, scale)),
  ));
}

/** The width of the longest label. */
function labelWidth(labels) {
  return LETTER_WIDTH * Math.max(...labels.map((label) => label.length));
}

/** The sizes of cells and labels; column labels are vertical if they are too long for a cell. */
function mapLayout({ rows, columns }, width) {
  const columnLabel = labelWidth(columns);
  const left = 10 + labelWidth(rows);
  const cellSize = (top) => {
    const across = Math.floor((width - left) / columns.length);
    const down = Math.floor((MAX_HEIGHT - top) / rows.length);
    return Math.max(MIN_CELL_SIZE, Math.min(MAX_CELL_SIZE, across, down));
  };
  const isVertical = columnLabel > cellSize(20);
  const top = isVertical ? 8 + columnLabel : 20;
  return { left, top, isVertical, size: cellSize(top) };
}

/** The weights of a head, or of the mean of all heads if `head` is null: rows of numbers. */
export function headWeights(layer, head) {
  if (head !== null) return layer[head];
  const mean = (i, j) => sum(layer.map((weights) => weights[i][j])) / layer.length;
  return layer[0].map((row, i) => row.map((_, j) => mean(i, j)));
}

/** A picture whose tokens are called by names (explorer/derived/token_names.js). */
export function nameTokens({ source, fed, right, predicted, weights }, names) {
  const named = (tokens) => tokens.map((token) => tokenName(token, names));
  return { source: named(source), fed: named(fed), right: named(right), predicted: named(predicted), weights };
}

/**
 * The labels of rows and columns for a kind of attention.
 *
 * @param {Picture} picture
 * @param {Kind} kind
 * @param {(name: string, values: Record<string, string>) => string} formatLabel
 * @returns {MapLabels}
 */
export function mapLabels({ source, fed, right: correct, predicted }, kind, formatLabel) {
  if (kind === "encoder") return { rows: source, columns: source, wrong: source.map(() => false) };
  const isWrong = predicted.map((piece, i) => piece !== correct[i]);
  const rows = fed.map((piece, i) => {
    const values = { fed: piece, predicted: predicted[i], right: correct[i] };
    return formatLabel(isWrong[i] ? "wrong" : "fed", values);
  });
  return { rows, columns: kind === "cross" ? source : fed, wrong: isWrong };
}

/**
 * Draws a map; `describeCell(row, column, weight)` puts a cell in words, `label` the map.
 *
 * @param {HTMLElement} node
 * @param {MapLabels} labels
 * @param {number[][]} weights
 * @param {object} look
 * @param {Record<string, string>} look.colours
 * @param {string} look.colour of the weights
 * @param {(row: number, column: number, weight: number) => string} look.describeCell
 * @param {string} look.label
 */
export function drawMap(node, { rows, columns, wrong: isWrong }, weights, { colours, colour, describeCell, label }) {
  const { left, top, isVertical, size } = mapLayout({ rows, columns }, node.parentElement.clientWidth);
  const x = (column) => left + column * size;
  const y = (row) => top + row * size;
  const text = (attributes, content) => svg("text", { fill: colours.ink, "font-size": 12, ...attributes }, content);
  const drawColumnLabel = (piece, column) => {
    const middle = x(column) + size / 2;
    if (isVertical) return text({ transform: `translate(${middle + 4} ${top - 6}) rotate(-90)` }, piece);
    return text({ x: middle, y: top - 6, "text-anchor": "middle" }, piece);
  };
  const drawRowLabel = (piece, row) => {
    const attributes = { x: left - 7, y: y(row) + size / 2 + 4, "text-anchor": "end" };
    return text({ ...attributes, class: isWrong[row] ? "wrong" : "right" }, piece);
  };
  const drawCell = (row, column, weight) => {
    const square = { x: x(column), y: y(row), width: size - 1, height: size - 1 };
    const opacity = (0.05 + 0.95 * weight).toFixed(3);
    const title = svg("title", {}, describeCell(row, column, weight));
    return svg("rect", { ...square, fill: colour, "fill-opacity": opacity }, title);
  };
  const width = left + columns.length * size;
  const height = top + rows.length * size;
  node.replaceChildren(svg("svg", { width, height, role: "img", "aria-label": label },
    ...columns.map(drawColumnLabel),
    ...rows.map(drawRowLabel),
    ...weights.flatMap((ofRow, row) => ofRow.map((weight, column) => drawCell(row, column, weight))),
  ));
}
