// A table of numbers on coloured cells: a heat map that can be read aloud, walked by arrow keys, and chosen from. Positive
// numbers have the accent's colour, negative ones another.

import { parseHex, contrast, blend, readableColour } from "../../ui/contrast.js";
import { element } from "../../ui/element.js";

const SHORT = 2; // characters of a column's label that is not written upwards
const STRONGEST = 0.9; // of a colour, so that the ground is always seen a little

/** "−0.35" for a number and how many decimals; what rounds to 0 has no sign. */
export function signed(number, digits) {
  const text = Math.abs(number).toFixed(digits);
  return number < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** Ground and ink of a cell as CSS, for a number and the number of full colour; null is no number. */
export function inks(palette, number, scale) {
  const colours = Object.fromEntries(Object.entries(palette).map(([name, css]) => [name, parseHex(css)]));
  const share = number === null ? 0 : Math.min(1, Math.abs(number) / scale) * STRONGEST;
  const over = number < 0 ? colours.negative : colours.accent;
  const css = (rgb) => `rgb(${rgb.join(", ")})`;
  const background = blend(over, colours.ground, share).map(Math.round);
  const clearest = [colours.ink, colours.ground].sort((one, other) => contrast(other, background) - contrast(one, background));
  return { background: css(background), color: css(readableColour(background, clearest)) };
}

/** The colours of a kind of attention out of a palette (explorer/ui/palette.py). */
export function paletteOf(palette, kind) {
  const { [kind]: accent, [`${kind}_negative`]: negative, ink, ground } = palette;
  return { accent, negative, ink, ground };
}

export class Heat {
  /**
   * `tell(row, column)` is called for the cell under the mouse or with the focus; `choose({ row, column, more })`, where
   * there is one, for a clicked cell, or with column null for a row's name, `more` with Shift held.
   */
  constructor(node, { tell, choose = null }) {
    Object.assign(this, { node, choose });
    for (const event of ["pointerover", "focusin"]) {
      node.addEventListener(event, ({ target }) => {
        const cell = target.closest("td[data-row]");
        if (cell) tell(Number(cell.dataset.row), Number(cell.dataset.column));
      });
    }
    if (choose) node.addEventListener("click", (event) => this.click(event));
  }

  click({ target, shiftKey }) {
    const cell = target.closest("[data-row]");
    if (!cell || !target.closest("button")) return;
    const { row, column } = cell.dataset;
    this.choose({ row: Number(row), column: column === undefined ? null : Number(column), more: shiftKey });
  }

  /**
   * `rows` and `columns` are labels, `values` rows of numbers, null where there is none yet; `written(number)` is what
   * stands in a cell. `name(row, column)` and `rowName(row)` say what choosing does; `chosen(row, column)` marks cells.
   */
  draw(scene) {
    const { caption, columns, rows } = scene;
    const head = element("tr", {}, element("td"), ...columns.map((label) =>
      element("th", { scope: "col", title: label }, element("span", { class: label.length > SHORT ? "long" : "" }, label))));
    const body = element("tbody", this.choose ? { "data-rove": "", "data-columns": columns.length + 1 } : {});
    body.append(...rows.map((label, row) => this.row(scene, label, row)));
    const table = element("table", { class: "heat", "aria-label": caption }, element("thead", {}, head), body);
    const wide = element("div", { class: "wide", tabindex: 0, role: "group", "aria-label": caption, "data-scrolls": "" }, table);
    this.node.replaceChildren(element("p", { class: "caption" }, caption), wide);
  }

  row({ rowName, values, ...scene }, label, row) {
    const title = element("th", { scope: "row", title: label, "data-row": row });
    title.append(this.choose ? element("button", { type: "button", title: rowName(row) }, label) : label);
    return element("tr", {}, title, ...values[row].map((number, column) => this.cell(scene, number, row, column)));
  }

  cell({ palette, scale, written, name, chosen = () => false }, number, row, column) {
    const text = number === null ? "" : written(number);
    const cell = element("td", { "data-row": row, "data-column": column });
    // Where most is nothing, a field of "0.00" would hide what is there.
    if (Number(text) === 0) cell.classList.add("zero");
    else Object.assign(cell.style, inks(palette, number, scale));
    const shown = text !== "" && Number(text) === 0 ? "0" : text;
    if (!this.choose) cell.append(shown);
    else cell.append(element("button", { type: "button", "aria-pressed": chosen(row, column), title: name(row, column) }, shown));
    return cell;
  }
}
