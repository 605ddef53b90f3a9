// A training on this page as plain SVG, cheap enough to redraw three times a second: curves, and the attention map of the
// example, of one head or of the mean of a layer's heads.

import { svg } from "../../ui/element.js";

const HEIGHT = 120, LEFT = 34, RIGHT = 8, TOP = 6, BOTTOM = 18; // pixels
const MAX_POINTS = 240; // per curve
const MIN_SECONDS = 5; // of the time axis
const LETTER_WIDTH = 7.3, MAX_CELL_SIZE = 32, MIN_CELL_SIZE = 16, MAX_HEIGHT = 270; // pixels

/** At most `maxPoints` of the points, including the last. */
export function thinPoints(points, maxPoints = MAX_POINTS) {
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

/** The SVG path of a curve; points are [seconds, value], and null values are left out. */
export function curvePath(points, { x, y }) {
  const knownPoints = thinPoints(points.filter(([, value]) => value !== null));
  return knownPoints.map(([seconds, value], index) => `${index ? "L" : "M"}${x(seconds).toFixed(1)} ${y(value).toFixed(1)}`).join("");
}

/**
 * Draws curves into a node: `curves` are { points, colour, dashed }, `maxValue` is the top of the y axis, `ticks` are
 * { value, label }, `goal` (or null) is a horizontal line, `end(seconds)` labels the end of the time axis, `label` the chart.
 */
export function drawChart(node, { curves, maxValue, ticks, goal = null, colours, end, label }) {
  const width = node.clientWidth || 320, all = curves.flatMap(({ points }) => points);
  const scale = scales(all, maxValue, width);
  const text = (attributes, content) => svg("text", { fill: colours.text, "font-size": 11, ...attributes }, content);
  const horizontalLine = (value, attributes) => svg("line", { x1: LEFT, x2: width - RIGHT, y1: scale.y(value), y2: scale.y(value), stroke: colours.masked, ...attributes });
  node.replaceChildren(svg("svg", { width, height: HEIGHT, role: "img", "aria-label": label },
    ...ticks.flatMap(({ value, label: tickLabel }) => [
      horizontalLine(value, { "stroke-width": 0.6 }),
      text({ x: LEFT - 5, y: scale.y(value) + 4, "text-anchor": "end" }, tickLabel),
    ]),
    ...(goal === null ? [] : [horizontalLine(goal, { "stroke-dasharray": "4 3" })]),
    text({ x: width - RIGHT, y: HEIGHT - 4, "text-anchor": "end" }, end(scale.end)),
    text({ x: LEFT, y: HEIGHT - 4 }, "0"),
    ...curves.map(({ points, colour, dashed }) => svg("path", {
      d: curvePath(points, scale), fill: "none", stroke: colour, "stroke-width": 2, "stroke-linejoin": "round", ...(dashed ? { "stroke-dasharray": "5 3" } : {}),
    })),
  ));
}

/** The sizes of cells and labels; column labels are vertical if they are too long for a cell. */
export function mapLayout({ rows, columns }, width) {
  const longestLabel = LETTER_WIDTH * Math.max(...columns.map((text) => text.length)), left = 10 + LETTER_WIDTH * Math.max(...rows.map((row) => row.length));
  const cellSize = (top) => Math.max(MIN_CELL_SIZE, Math.min(MAX_CELL_SIZE, Math.floor((width - left) / columns.length), Math.floor((MAX_HEIGHT - top) / rows.length)));
  const isVertical = longestLabel > cellSize(20), top = isVertical ? 8 + longestLabel : 20;
  return { left, top, isVertical, size: cellSize(top) };
}

/** The weights of a head, or of the mean of all heads if `head` is null: rows of numbers. */
export function headWeights(layer, head) {
  if (head !== null) return layer[head];
  return layer[0].map((row, i) => row.map((_, j) => layer.reduce((sum, each) => sum + each[i][j], 0) / layer.length));
}

/** The labels of rows and columns for a kind of attention, and which rows have a wrong prediction. */
export function mapLabels({ source, fed, right: correct, predicted }, kind, formatLabel) {
  if (kind === "encoder") return { rows: source, columns: source, wrong: source.map(() => false) };
  const isWrong = predicted.map((piece, i) => piece !== correct[i]);
  const rows = fed.map((piece, i) => formatLabel(isWrong[i] ? "wrong" : "fed", { fed: piece, predicted: predicted[i], right: correct[i] }));
  return { rows, columns: kind === "cross" ? source : fed, wrong: isWrong };
}

/** Draws a map; `describeCell(row, column, weight)` puts a cell in words, `label` the map. */
export function drawMap(node, { rows, columns, wrong: isWrong }, weights, { colours, colour, describeCell, label }) {
  const { left, top, isVertical, size } = mapLayout({ rows, columns }, node.parentElement.clientWidth);
  const x = (column) => left + column * size, y = (row) => top + row * size;
  const text = (attributes, content) => svg("text", { fill: colours.ink, "font-size": 12, ...attributes }, content);
  const cells = weights.flatMap((row, i) => row.map((weight, j) => svg("rect", {
    x: x(j), y: y(i), width: size - 1, height: size - 1, fill: colour, "fill-opacity": (0.05 + 0.95 * weight).toFixed(3),
  }, svg("title", {}, describeCell(i, j, weight)))));
  node.replaceChildren(svg("svg", { width: left + columns.length * size, height: top + rows.length * size, role: "img", "aria-label": label },
    ...columns.map((piece, j) => (isVertical
      ? text({ transform: `translate(${x(j) + size / 2 + 4} ${top - 6}) rotate(-90)` }, piece)
      : text({ x: x(j) + size / 2, y: top - 6, "text-anchor": "middle" }, piece))),
    ...rows.map((row, i) => text({ x: left - 7, y: y(i) + size / 2 + 4, "text-anchor": "end", class: isWrong[i] ? "wrong" : "right" }, row)),
    ...cells,
  ));
}
