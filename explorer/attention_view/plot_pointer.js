// What the mouse does on a heatmap: which cell or label it points at, and what clicks on them ask for.

import { cellOf, piecesAt } from "../derived/word_groups.js";
import { countKnownRows } from "./state.js";

const MAX_CLICK = 5; // pixels between press and release; what goes further is a drag

export class PlotPointer {
  pressed = null; // the cell of the first click of a double click

  /**
   * `choose` holds what clicks ask for: `pin` a row or column by its label, `cell` a cell, and `open` one, by a
   * double click.
   * @param {import("./plot.js").Plot} plot
   */
  constructor(plot, choose) {
    this.plot = plot;
    this.choose = choose;
    plot.node.addEventListener("mousedown", (event) => this.press(event), { capture: true });
    plot.node.addEventListener("click", (event) => this.clickLabel(event));
  }

  /**
   * The query and the key at a point of the screen, each with its side: below 0 before the first, where labels are,
   * above 0 after the last.
   */
  at({ clientX, clientY }) {
    const { heatmap, scene } = this.plot;
    const { layout: { xaxis, yaxis } } = heatmap;
    const plane = heatmap.querySelector(".nsewdrag").getBoundingClientRect();
    const locate = (share, from, to) => ({ index: Math.round(from + share * (to - from)), side: Math.floor(share) });
    const across = locate((clientX - plane.left) / plane.width, ...xaxis.range);
    const down = locate((clientY - plane.top) / plane.height, yaxis.range[1], yaxis.range[0]);
    return scene.view.transposed ? { query: across, key: down } : { query: down, key: across };
  }

  /**
   * The cell of the trace at a point of the screen; of a word's, the strongest. Null where none is, or none is known
   * yet.
   */
  cellAt(event) {
    const { content, known: { query: rows }, scene: { view, map } } = this.plot;
    const { query, key } = this.at(event);
    if (query.side || key.side || query.index >= rows || key.index >= content.reach[query.index]) return null;
    if (Number.isNaN(content.rows[query.index][key.index])) return null;
    return cellOf(content, query.index, key.index, countKnownRows(view, map));
  }

  /** Decides whether Plotly shows its hover text. */
  allowHover(event) {
    const { query, key } = this.at(event);
    if (query.side || key.side || query.index < this.plot.known.query) return true;
    this.plot.Plotly.Fx.unhover(this.plot.heatmap, {}); // covered cells have no hover text
    return false;
  }

  /**
   * Remembers the cell of the first click of a double click: the second may hit a neighbour. Plotly tells of it only
   * while it knows what is pointed at, which it may not where frames come late.
   */
  press(event) {
    if (!event.target.closest(".draglayer")) return;
    if (event.detail < 2) this.pressed = this.cellAt(event);
    else if (event.detail === 2 && this.pressed) this.openOnRelease(event, this.pressed);
    // As a click does where Plotly does not keep it to itself.
    /** @type {HTMLElement} */ (document.activeElement).blur();
  }

  /** Opens a cell unless the pointer is dragged before it is let go. */
  openOnRelease(pressed, cell) {
    const release = ({ clientX, clientY }) => {
      const way = Math.hypot(clientX - pressed.clientX, clientY - pressed.clientY);
      if (way < MAX_CLICK) this.choose.open(cell);
    };
    addEventListener("mouseup", release, { once: true, capture: true });
  }

  clickCell(event) {
    const found = this.cellAt(event);
    const isSecond = event.detail === 2 && this.pressed; // of a double click
    if (found && !isSecond) this.choose.cell(found);
  }

  /** Pins the first piece of a label's row or column, or releases its pinned piece. */
  clickLabel(event) {
    const { known, content, scene } = this.plot;
    if (!known || event.target.closest(".modebar")) return;
    const { pin } = scene.view;
    const found = this.at(event);
    const [axis, other] = found.key.side < 0 ? ["query", "key"] : ["key", "query"];
    const { index, side } = found[axis];
    if (side || found[other].side >= 0 || index >= known[axis]) return;
    const pieces = piecesAt(content, { axis, index });
    this.choose.pin({ axis, index: pin?.axis === axis && pieces.includes(pin.index) ? pin.index : pieces[0] });
  }
}
