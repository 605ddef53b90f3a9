// What is in focus on a head's board: a query and a key, and the cell of one matrix. The frames show it in all
// matrices at once.

import { HEAD_MATRICES, indicesOf } from "./head_matrices.js";

/** @typedef {import("./matrix.js").MatrixCell} MatrixCell */

/**
 * What the frames mark: a query and a key, and the cell of one matrix whose numbers the sentence tells.
 * @typedef {{ query: number, key: number, matrix: string, cell: MatrixCell }} Focus
 */

/**
 * The focus on a cell; what it does not tell stays as chosen. `strongestOf(query)` is a key.
 * @param {string} matrix
 * @param {MatrixCell} cell
 * @param {{ chosen: Focus, strongestOf: (query: number) => number }} options
 * @returns {Focus}
 */
export function focusOn(matrix, cell, { chosen, strongestOf }) {
  const { query, key } = indicesOf(matrix, cell);
  const strongest = query === undefined ? chosen.key : strongestOf(query);
  return { matrix, cell, query: query ?? chosen.query, key: key ?? strongest };
}

/**
 * Frames a focus in all matrices: in each the row or column of the query, the key or the dimension in focus,
 * and the cell where both of its axes are.
 * @param {Record<string, import("./matrix.js").Matrix>} matrices
 * @param {Focus} focus
 */
export function frameFocus(matrices, { matrix, cell, query, key }) {
  const indices = { ...indicesOf(matrix, cell), query, key };
  for (const [id, { axes: [rows, columns], frame }] of Object.entries(HEAD_MATRICES)) {
    const { [rows]: row = null, [columns]: column = null } = indices;
    matrices[id].frame({
      row: frame === "row" ? row : null,
      column: frame === "column" ? column : null,
      cell: row === null || column === null ? null : { row, column },
    });
  }
}
