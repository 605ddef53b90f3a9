// A heat map as an HTML table, which screen readers can read and arrow keys can move through. Positive numbers have the
// accent colour, negative ones another.

import { cellStyle, parseHex } from "../ui/contrast.js";
import { element } from "../ui/element.js";
import { keepFocus } from "../ui/page.js";

const MAX_HORIZONTAL_LABEL_CHARS = 2; // longer column labels are vertical
const MAX_COLOUR_SHARE = 0.9; // some of the background stays visible

/** The style of a cell; `scale` is the number of full colour, and `number` may be null. */
function styleOf(palette, number, scale) {
  const colours = Object.fromEntries(Object.entries(palette).map(([name, css]) => [name, parseHex(css)]));
  const share = number === null ? 0 : Math.min(1, Math.abs(number) / scale) * MAX_COLOUR_SHARE;
  return cellStyle(colours, number, share);
}

/** The colours of one kind of attention in a palette (explorer/ui/palette.py). */
export function paletteOf(palette, kind) {
  const { [kind]: accent, [`${kind}_negative`]: negative, ink, ground } = palette;
  return { accent, negative, ink, ground };
}

export class HeatTable {
  /**
   * `onPoint(row, column)` is called for the cell under the mouse or with the focus. `onChoose({ row, column,
   * isShiftHeld })`, which is optional, is called for a clicked cell, or with column null for a clicked row name.
   */
  constructor(node, { onPoint, onChoose = null }) {
    this.node = node;
    this.onChoose = onChoose;
    for (const event of ["pointerover", "focusin"]) {
      node.addEventListener(event, ({ target }) => {
        const cell = target.closest("td[data-row]");
        if (cell) onPoint(Number(cell.dataset.row), Number(cell.dataset.column));
      });
    }
    if (onChoose) node.addEventListener("click", (event) => this.click(event));
  }

  click({ target, shiftKey }) {
    const cell = target.closest("[data-row]");
    if (!cell || !target.closest("button")) return;
    const { row, column } = cell.dataset;
    this.onChoose({ row: Number(row), column: column === undefined ? null : Number(column), isShiftHeld: shiftKey });
  }

  /**
   * `rows` and `columns` are labels, `values` rows of numbers, null if not known yet; `formatNumber(number)` is the
   * text of a cell. `cellName(row, column)` and `rowName(row)` say what a click does; `isChosen(row, column)` marks
   * cells.
   * @param {Record<string, any>} scene
   */
  draw(scene) {
    const { caption, columns, rows } = scene;
    const head = element("tr", {}, element("td"), ...columns.map(columnHead));
    const body = element("tbody", this.onChoose ? { "data-rove": "", "data-columns": columns.length + 1 } : {});
    body.append(...rows.map((label, row) => this.row(scene, label, row)));
    const attributes = { class: "heat", translate: "no", "aria-label": caption };
    const table = element("table", attributes, element("thead", {}, head), body);
    const region = { tabindex: 0, role: "group", "aria-label": caption, "data-scrolls": "" };
    const wide = element("div", { class: "wide", ...region }, table);
    const content = [element("p", { class: "caption" }, caption), wide];
    keepFocus(this.node, () => this.node.replaceChildren(...content));
  }

  row(scene, label, row) {
    const { rowName, values } = scene;
    const title = element("th", { scope: "row", title: label, "data-row": row });
    title.append(this.onChoose ? element("button", { type: "button", title: rowName(row) }, label) : label);
    return element("tr", {}, title, ...values[row].map((number, column) => this.cell(scene, number, row, column)));
  }

  cell(scene, number, row, column) {
    const { palette, scale, formatNumber, cellName, isChosen } = scene;
    const text = number === null ? "" : formatNumber(number);
    const cell = element("td", { "data-row": row, "data-column": column });
    const isZero = Number(text) === 0;
    // Many cells with "0.00" would hide the few other numbers.
    if (isZero) cell.classList.add("zero");
    else Object.assign(cell.style, styleOf(palette, number, scale));
    const label = text !== "" && isZero ? "0" : text;
    const attributes = () => ({ "aria-pressed": Boolean(isChosen?.(row, column)), title: cellName(row, column) });
    cell.append(this.onChoose ? element("button", { type: "button", ...attributes() }, label) : label);
    return cell;
  }
}

function columnHead(label) {
  const style = label.length > MAX_HORIZONTAL_LABEL_CHARS ? "long" : "";
  return element("th", { scope: "col", title: label }, element("span", { class: style }, label));
}
