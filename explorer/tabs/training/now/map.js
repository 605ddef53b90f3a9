// What attends to what in the example, while it is learned: one head, or the mean of a layer's heads.

import { svg } from "../../../ui/element.js";

const LETTER = 7.3, CELL = 32, LEAST = 16, TALLEST = 270; // pixels

/** How large cells are, and how high the labels above them: they are written upwards where they are too long for a cell. */
export function layout({ rows, columns }, width) {
  const longest = LETTER * Math.max(...columns.map((text) => text.length)), left = 10 + LETTER * Math.max(...rows.map((row) => row.length));
  const sized = (top) => Math.max(LEAST, Math.min(CELL, Math.floor((width - left) / columns.length), Math.floor((TALLEST - top) / rows.length)));
  const turned = longest > sized(20), top = turned ? 8 + longest : 20;
  return { left, top, turned, size: sized(top) };
}

/** The weights of a head, or of the mean of all (head null): rows of numbers. */
export function weightsOf(layer, head) {
  if (head !== null) return layer[head];
  return layer[0].map((row, i) => row.map((_, j) => layer.reduce((sum, each) => sum + each[i][j], 0) / layer.length));
}

/** The labels of rows and columns of a kind, and which rows predict something wrong. */
export function axes({ source, fed, right, predicted }, kind, text) {
  if (kind === "encoder") return { rows: source, columns: source, wrong: source.map(() => false) };
  const wrong = predicted.map((piece, i) => piece !== right[i]);
  const rows = fed.map((piece, i) => text(wrong[i] ? "wrong" : "fed", { fed: piece, predicted: predicted[i], right: right[i] }));
  return { rows, columns: kind === "cross" ? source : fed, wrong };
}

/** Draws a map; `cell(row, column, weight)` says what a cell is, `label` the whole. */
export function drawMap(node, { rows, columns, wrong }, weights, { colours, colour, cell, label }) {
  const { left, top, turned, size } = layout({ rows, columns }, node.parentElement.clientWidth);
  const x = (column) => left + column * size, y = (row) => top + row * size;
  const text = (attributes, content) => svg("text", { fill: colours.ink, "font-size": 12, ...attributes }, content);
  const cells = weights.flatMap((row, i) => row.map((weight, j) => svg("rect", {
    x: x(j), y: y(i), width: size - 1, height: size - 1, fill: colour, "fill-opacity": (0.05 + 0.95 * weight).toFixed(3),
  }, svg("title", {}, cell(i, j, weight)))));
  node.replaceChildren(svg("svg", { width: left + columns.length * size, height: top + rows.length * size, role: "img", "aria-label": label },
    ...columns.map((piece, j) => (turned
      ? text({ transform: `translate(${x(j) + size / 2 + 4} ${top - 6}) rotate(-90)` }, piece)
      : text({ x: x(j) + size / 2, y: top - 6, "text-anchor": "middle" }, piece))),
    ...rows.map((row, i) => text({ x: left - 7, y: y(i) + size / 2 + 4, "text-anchor": "end", class: wrong[i] ? "wrong" : "right" }, row)),
    ...cells,
  ));
}
