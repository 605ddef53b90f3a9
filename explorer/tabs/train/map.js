// The attention map of the example during the training: one head, or the mean of a layer's heads.

import { svg } from "../../ui/element.js";

const LETTER_WIDTH = 7.3, MAX_CELL_SIZE = 32, MIN_CELL_SIZE = 16, MAX_HEIGHT = 270; // pixels

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
