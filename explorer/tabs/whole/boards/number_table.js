// A table of a blackboard: items side by side, or below one another, each with its numbers in coloured cells.

import { cellStyle } from "../../../ui/contrast.js";
import { element } from "../../../ui/element.js";
import { formatExact } from "../../../ui/numbers.js";
import { strength } from "../../../ui/pixels.js";

/** @typedef {import("./arithmetic.js").Table} Table */
/** @typedef {import("./arithmetic.js").Quantity} Quantity */
/** @typedef {import("./arithmetic.js").Item} Item */

/**
 * A button that leads to a place; `hasStop` says whether it is a tab stop.
 * @typedef {(place: import("../place.js").Place, hasStop: boolean, ...content: (Node | string)[]) => HTMLElement} Link
 */

// How many items stand side by side by the board's width: at most, and in a line of several. A whole table may be a
// little longer than a line of a long one.
const PER_LINE = { narrow: { columns: 8, most: 8 }, wide: { columns: 16, most: 20 } };
const NUMBERED = ["dimensions", "neurons"]; // tables whose items have short labels
const BARS = ["weights", "weight", "probabilities", "partial"]; // quantities that are also drawn as bars
const LEAST_COLUMNS = 8; // of which cells are no wider

/** Whether a number in a table is wider than its cell. @param {HTMLElement} node */
export function isCut(node) {
  const cells = [...node.querySelectorAll(".cell, .numbered .label, .numbered .label button")];
  return cells.some((cell) => cell.scrollWidth > cell.clientWidth);
}

export class NumberTable {
  /** @type {HTMLElement} */ node;

  /**
   * `width` is that of the board; `colours` are those of the paint as [r, g, b].
   * @param {Table} table
   * @param {{ words: import("./number_words.js").NumberWords, width: "narrow" | "wide", colours: Record<string, any>,
   *   link: Link }} options
   */
  constructor(table, { words, width, colours, link }) {
    this.table = table;
    this.words = words;
    this.width = width;
    this.colours = colours;
    this.link = link;
    this.node = element("div", { role: "table", class: `numbers ${this.isList ? "list" : "across"}` });
    this.node.classList.toggle("numbered", NUMBERED.includes(table.about));
    this.node.style.setProperty("--quantities", `${table.quantities.length}`);
    this.fill(this.mostPerLine);
  }

  /** Whether items stand below one another, as those with names do on a narrow board. */
  get isList() {
    return this.width === "narrow" && !NUMBERED.includes(this.table.about);
  }

  /** How many items stand side by side where they have room. */
  get mostPerLine() {
    const { columns, most } = PER_LINE[this.width];
    const { length } = this.table.items;
    if (this.isList) return length;
    return length <= most ? Math.max(length, LEAST_COLUMNS) : columns;
  }

  /**
   * Fills it with lines of items side by side, each with the names of its numbers.
   * @param {number} perLine
   */
  fill(perLine) {
    const { node, table: { items } } = this;
    node.replaceChildren();
    for (let first = 0; first < items.length; first += perLine) {
      const rows = items.slice(first, first + perLine).map((item, i) => this.itemNode(item, first + i));
      node.append(this.namesNode(), element("div", { role: "rowgroup", class: "items" }, ...rows));
    }
    node.style.setProperty("--columns", `${perLine}`);
  }

  /** Breaks the lines earlier, until every number has room. */
  breakLines() {
    for (let perLine = this.mostPerLine; isCut(this.node) && perLine > 1;) {
      perLine = Math.ceil(perLine / 2);
      this.fill(perLine);
    }
  }

  namesNode() {
    const { words, table: { about, quantities } } = this;
    const names = quantities.map((quantity) => (
      element("span", { role: "columnheader" }, ...this.quantityName(quantity))));
    const header = element("span", { role: "columnheader", class: "label" }, words.at(`about.${about}`));
    return element("div", { role: "row", class: "names" }, header, ...names);
  }

  /** @param {Quantity} quantity */
  quantityName({ name, values, sign }) {
    const text = element("span", {}, ...this.words.sentence({ name: `quantities.${name}`, values }));
    return sign ? [element("b", {}, sign), text] : [text];
  }

  /**
   * The numbers of an item, one tab stop in a table for each place that they lead to.
   * @param {Item} item
   * @param {number} index
   */
  itemNode(item, index) {
    const { words, table: { quantities } } = this;
    const node = element("div", { role: "row", class: "item" });
    node.classList.toggle("masked", Boolean(item.isMasked));
    if (item.isCurrent) node.setAttribute("aria-current", "true");
    const label = element("span", { role: "rowheader", class: "label" });
    const hasStop = item.isCurrent || index === 0;
    const name = words.valueNode(item.label);
    label.append(item.place ? this.link(item.place, hasStop, name) : name);
    label.title = label.textContent;
    node.append(label, ...quantities.map((quantity) => this.cellNode(quantity, index, item, hasStop)));
    for (const { name, numbers, scale } of quantities) {
      if (BARS.includes(name)) node.append(barNode(numbers[index] / scale));
    }
    return node;
  }

  /**
   * @param {Quantity} quantity
   * @param {number} index
   * @param {Item} item
   * @param {boolean} hasStop whether it is a tab stop
   */
  cellNode({ name, numbers, scale, places, form }, index, { isMasked }, hasStop) {
    const { words } = this;
    const number = numbers[index];
    const isHidden = isMasked && BARS.includes(name);
    const text = isHidden ? words.at("masked") : words.numberText(number, form);
    const cell = element("span", { role: "cell", class: "cell" });
    cell.append(places ? this.link(places[index], hasStop, text) : text);
    if (Number.isFinite(number)) cell.title = formatExact(number);
    const shown = isMasked ? 0 : number;
    Object.assign(cell.style, cellStyle(this.colours, shown, strength(shown, scale))); // its text can be read
    return cell;
  }
}

/** @param {number} share */
function barNode(share) {
  const node = element("span", { class: "bar", "aria-hidden": "true" }, element("i"));
  node.classList.toggle("negative", share < 0);
  node.style.setProperty("--share", `${Math.abs(share) || 0}`);
  return node;
}
