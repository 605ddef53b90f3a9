// What moves over a heatmap while stepping, so that the picture stays as it is: rows and columns not known yet are
// covered; the current row, the pin and the chosen cell are framed.

const OTHER = { query: "key", key: "query" };

export class Overlay {
  /** `plane` lies over the cells of a picture. */
  constructor(picture, plane) {
    Object.assign(this, { picture, plane, transposed: false });
    const part = (name) => plane.querySelector(`.${name}`);
    const names = ["later", "beyond", "edge", "mark", "pinned", "cell"];
    this.part = Object.fromEntries(names.map((name) => [name, part(name)]));
  }

  /** `rows` of `queries` and `columns` of `keys` are known; `current` is a row or null, `pin` and `cell` have columns as keys, -1 where hidden. */
  place({ rows, queries, columns, keys, current, pin, cell, transposed }) {
    this.transposed = transposed;
    const { l, t, w, h } = this.picture.place;
    Object.assign(this.plane.style, { left: `${l}px`, top: `${t}px`, width: `${w}px`, height: `${h}px` });
    const { later, beyond, edge, mark, pinned, cell: square } = this.part;
    const known = { query: rows, key: columns };
    this.known = known;
    this.cover(later, "query", rows, queries);
    this.cover(beyond, "key", columns, keys);
    Object.assign(edge.style, this.span("query", 0, rows), this.span("key", 0, columns));
    this.frame(mark, { axis: "query", index: current }, known);
    this.frame(pinned, pin ?? { axis: "query", index: null }, known);
    square.hidden = !cell || cell.query >= rows || cell.key < 0 || cell.key >= columns;
    if (!square.hidden) {
      Object.assign(square.style, this.span("query", cell.query, cell.query + 1), this.span("key", cell.key, cell.key + 1));
    }
    for (const axis of ["query", "key"]) this.label(axis, known[axis]);
  }

  vertical(axis) {
    return (axis === "query") !== this.transposed;
  }

  /** What an axis shows, from the top or the left. */
  range(vertical) {
    return this.picture.ranges[vertical ? "y" : "x"];
  }

  /** Rows or columns from one number to another, in percent of the plane; it follows a zoom. */
  span(axis, from, to) {
    const vertical = this.vertical(axis);
    const [start, end] = this.range(vertical);
    const at = (value) => (100 * (value - 0.5 - start)) / (end - start);
    const [place, size] = [`${at(from)}%`, `${at(to) - at(from)}%`];
    return vertical ? { top: place, height: size } : { left: place, width: size };
  }

  cover(node, axis, from, to) {
    node.hidden = from >= to;
    const whole = { inset: "0", width: "auto", height: "auto" };
    if (!node.hidden) Object.assign(node.style, whole, this.span(axis, from, to));
  }

  /** A frame around one row or column, as far as the other axis is known. */
  frame(node, { axis, index }, known) {
    node.hidden = index === null || index < 0 || index >= known[axis];
    if (node.hidden) return;
    const other = OTHER[axis];
    Object.assign(node.style, this.span(axis, index, index + 1), this.span(other, 0, known[other]));
  }

  /** Labels of what is not known yet keep their place but are not seen. */
  label(axis, known) {
    const { rows, columns } = this.picture.part;
    for (const tick of (this.vertical(axis) ? rows : columns).children) {
      tick.style.visibility = tick.dataset.at < known ? "" : "hidden";
    }
  }

  /** The row or column under a point beside the cells, where its label is; null elsewhere and in the future. */
  labelAt({ clientX, clientY }) {
    const box = this.plane.getBoundingClientRect();
    const right = (clientX - box.left) / box.width, down = (clientY - box.top) / box.height;
    const found = (vertical, part) => {
      const [start, end] = this.range(vertical);
      const axis = this.vertical("query") === vertical ? "query" : "key";
      const index = Math.round(start + part * (end - start));
      return index < this.known[axis] ? { axis, index } : null;
    };
    if (right < 0 && down > 0 && down < 1) return found(true, down);
    if (down < 0 && right > 0 && right < 1) return found(false, right);
    return null;
  }
}
