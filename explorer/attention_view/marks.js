// Rectangles over a heatmap's cells: what is not known yet, the current row, what is pinned or framed.

/**
 * The shapes of a frame where they belong. `rows` of `queries` and `columns` of `keys` are known; `current` is a row or
 * null, `pin` and `cell` have columns as keys, -1 where hidden.
 */
export function marks(shapes, { rows, queries, columns, keys, current, pin, cell, transposed }) {
  const row = (index) =>
    index !== null && index >= 0 && index < rows && { query: [index, index + 1], key: [0, columns] };
  const column = (index) => index >= 0 && index < columns && { query: [0, rows], key: [index, index + 1] };
  const spans = {
    later: rows < queries && { query: [rows, queries], key: [0, keys] },
    beyond: columns < keys && { query: [0, queries], key: [columns, keys] },
    edge: { query: [0, rows], key: [0, columns] },
    pinned: pin && (pin.axis === "query" ? row : column)(pin.index),
    mark: row(current),
    cell: cell && row(cell.query) && column(cell.key) && { ...row(cell.query), key: column(cell.key).key },
  };
  return shapes.map((shape) => ({ ...shape, ...rectangleOf(spans[shape.name], transposed) }));
}

/** Cell 0 reaches from -0.5 to 0.5. */
function rectangleOf(span, transposed) {
  if (!span) return { visible: false };
  const [[x0, x1], [y0, y1]] = transposed ? [span.query, span.key] : [span.key, span.query];
  return { visible: true, x0: x0 - 0.5, x1: x1 - 0.5, y0: y0 - 0.5, y1: y1 - 0.5 };
}
