// What each matrix of a head's board is: one record a matrix, in the order of the equation. Pure.

import { multiply } from "../../../ui/tensor.js";
import { transpose } from "./equation.js";

/** @typedef {import("./equation.js").HeadTensors} HeadTensors */
/** @typedef {import("./equation.js").Equation} Equation */
/** @typedef {import("./equation.js").Row} Row */
/** @typedef {import("./matrix.js").MatrixCell} MatrixCell */

/**
 * What the rows or columns of a matrix are: tokens, or numbers of the stream, of queries and keys, of values, or of
 * what the head adds.
 * @typedef {"query" | "key" | "stream" | "d_head" | "d_value" | "output"} Axis
 */

/** What stands before a matrix in the equation. @typedef {"times" | "equals" | "divided"} Sign */

/**
 * Where a matrix stands on a wide or a narrow board: in which line, the share of the line's width, and at which side
 * its rows have names.
 * @typedef {{ line: number, share: number, names?: "left" | "right" }} Spot
 */

/**
 * A matrix of the equation.
 * @typedef {object} HeadMatrix
 * @property {string} [symbol] its name in formulas, where that is no word
 * @property {[Axis, Axis]} axes what its rows and its columns are
 * @property {(head: HeadTensors, equation: Equation) => Row[]} rowsOf
 * @property {Sign} [sign]
 * @property {Spot} wide
 * @property {Spot} narrow
 * @property {"row" | "column"} [frame] what is framed beside the cell in focus
 * @property {"q" | "k" | "v" | "weights" | "mix"} [part] of the places of its numbers (place.js)
 * @property {"q" | "k" | "v"} [tensor] the tensor of a run that it shows as it is
 * @property {boolean} [isTransposed] whether its rows are the tensor's columns
 * @property {boolean} [isMasked] whether cells are hatched where a query may not look
 * @property {boolean} [isOutput] whether it counts as 0 where the head is off
 * @property {boolean} [isShare] whether its numbers are shares of a row, with names below the columns
 */

/** @type {Record<string, HeadMatrix>} */
export const HEAD_MATRICES = {
  x: {
    symbol: "X", axes: ["query", "stream"], frame: "row", rowsOf: (head) => head.queries_from.rows,
    wide: { line: 0, share: 0.46 }, narrow: { line: 0, share: 1 },
  },
  w_q: {
    symbol: "W_Q", axes: ["stream", "d_head"], frame: "column", rowsOf: (head) => transpose(head.w_q.rows),
    sign: "times", wide: { line: 0, share: 0.44 }, narrow: { line: 0, share: 0.6 },
  },
  q: {
    symbol: "Q", axes: ["query", "d_head"], frame: "row", rowsOf: (head) => head.q.rows, part: "q", tensor: "q",
    sign: "equals", wide: { line: 0, share: 1, names: "left" }, narrow: { line: 1, share: 1, names: "left" },
  },
  k: {
    symbol: "K^T", axes: ["d_head", "key"], frame: "column", rowsOf: (head) => transpose(head.k.rows),
    part: "k", tensor: "k", isTransposed: true,
    sign: "times", wide: { line: 0, share: 1 }, narrow: { line: 1, share: 1 },
  },
  products: {
    symbol: "QK^T", axes: ["query", "key"], rowsOf: (_, equation) => equation.products, part: "weights",
    sign: "equals", wide: { line: 0, share: 0.95 }, narrow: { line: 2, share: 1 },
  },
  scores: {
    axes: ["query", "key"], rowsOf: (_, equation) => equation.scores, part: "weights", isMasked: true,
    sign: "divided", wide: { line: 0, share: 0.95, names: "left" }, narrow: { line: 2, share: 1 },
  },
  weights: {
    axes: ["query", "key"], frame: "row", rowsOf: (_, equation) => equation.weights, part: "weights",
    isMasked: true, isShare: true,
    wide: { line: 1, share: 1.75, names: "left" }, narrow: { line: 3, share: 1, names: "left" },
  },
  v: {
    symbol: "V", axes: ["key", "d_value"], frame: "row", rowsOf: (head) => head.v.rows, part: "v", tensor: "v",
    sign: "times", wide: { line: 1, share: 1, names: "right" }, narrow: { line: 4, share: 1, names: "left" },
  },
  mix: {
    axes: ["query", "d_value"], frame: "row", rowsOf: (_, equation) => equation.mix, part: "mix", isOutput: true,
    sign: "equals", wide: { line: 1, share: 1, names: "left" }, narrow: { line: 4, share: 1 },
  },
  w_o: {
    symbol: "W_O", axes: ["d_value", "output"], frame: "column", rowsOf: (head) => head.w_o.rows,
    sign: "times", wide: { line: 1, share: 0.5 }, narrow: { line: 5, share: 0.6 },
  },
  added: {
    axes: ["query", "output"], frame: "row", rowsOf: (head, { mix }) => multiply(mix, head.w_o.rows), isOutput: true,
    sign: "equals", wide: { line: 1, share: 0.66 }, narrow: { line: 5, share: 1 },
  },
};

/**
 * Whether a matrix has a cell for every query and key.
 * @param {string} id
 */
export function isMap(id) {
  const [rows, columns] = HEAD_MATRICES[id].axes;
  return rows === "query" && columns === "key";
}

/**
 * The indices that a cell of a matrix names, by axis.
 * @param {string} id
 * @param {MatrixCell} cell
 * @returns {Partial<Record<Axis, number>>}
 */
export function indicesOf(id, { row, column }) {
  const [rows, columns] = HEAD_MATRICES[id].axes;
  return { [rows]: row, [columns]: column };
}

/**
 * Where the number of a cell is in its tensor.
 * @param {string} id
 * @param {MatrixCell} cell
 * @returns {MatrixCell}
 */
export function tensorCell(id, { row, column }) {
  return HEAD_MATRICES[id].isTransposed ? { row: column, column: row } : { row, column };
}
