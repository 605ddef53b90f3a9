// What is looked at on a head's board: a query and a key, and the cell of one matrix. The frames show it in all
// matrices at once.

/** @typedef {import("./matrix.js").MatrixCell} MatrixCell */

/**
 * What the frames mark: a query and a key, and the cell of one matrix whose numbers the sentence tells.
 * @typedef {{ query: number, key: number, matrix: string, cell: MatrixCell }} Focus
 */

/** The matrices of queries and keys. */
export const MAPS = ["products", "scores", "weights"];

/**
 * The focus on a cell; what it does not tell stays as chosen. `strongestOf(query)` is a key.
 * @param {string} matrix
 * @param {MatrixCell} cell
 * @param {{ chosen: Focus, strongestOf: (query: number) => number }} options
 * @returns {Focus}
 */
export function focusOn(matrix, cell, { chosen: { query, key }, strongestOf }) {
  const focus = { matrix, cell, query, key };
  const { row, column } = cell;
  switch (matrix) {
    case "k": return { ...focus, key: column };
    case "v": return { ...focus, key: row };
    case "w_q": case "w_o": return focus;
    default: return { ...focus, query: row, key: MAPS.includes(matrix) ? column : strongestOf(row) };
  }
}

/**
 * The dimensions that a focus names: of the stream, of queries and keys, of values, of what is added.
 * @param {Focus} focus
 * @returns {{ x?: number, q?: number, v?: number, added?: number }}
 */
function dimensionsOf({ matrix, cell: { row, column } }) {
  return {
    x: { x: column }, w_q: { x: row, q: column }, q: { q: column }, k: { q: row }, v: { v: column },
    mix: { v: column }, w_o: { v: row, added: column }, added: { added: column },
  }[matrix] ?? {};
}

/**
 * Frames a focus in all matrices.
 * @param {Record<string, import("./matrix.js").Matrix>} matrices
 * @param {Focus} focus
 */
export function frameFocus(matrices, focus) {
  const { query, key, matrix } = focus;
  const { x, q, v, added } = dimensionsOf(focus);
  const cell = { row: query, column: key };
  const at = (row, column) => (row === undefined || column === undefined ? null : { row, column });
  const own = (id) => (matrix === id ? focus.cell : null);
  matrices.x.frame({ row: query, cell: at(query, x) });
  matrices.w_q.frame({ column: q, cell: own("w_q") });
  matrices.q.frame({ row: query, cell: at(query, q) });
  matrices.k.frame({ column: key, cell: at(q, key) });
  for (const id of ["products", "scores"]) matrices[id].frame({ cell });
  matrices.weights.frame({ row: query, cell });
  matrices.v.frame({ row: key, cell: at(key, v) });
  matrices.mix.frame({ row: query, cell: at(query, v) });
  matrices.w_o.frame({ column: added, cell: own("w_o") });
  matrices.added.frame({ row: query, cell: at(query, added) });
}
