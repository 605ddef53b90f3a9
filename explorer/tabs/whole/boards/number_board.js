// The blackboard of one number: a question as its title, and the steps that make the number. All of it is text, with
// cells coloured by their numbers.

import { cellStyle } from "../../../ui/contrast.js";
import { button, element } from "../../../ui/element.js";
import { formulaNodes } from "../../../ui/formula.js";
import { hasModifier, isTaken } from "../../../ui/keys.js";
import { formatExact, formatInteger, formatPercent } from "../../../ui/numbers.js";
import { keepFocus } from "../../../ui/page.js";
import { strength } from "../../../ui/pixels.js";
import { fill, fillParts } from "../../../ui/text.js";
import { shownNumber, wasNodes } from "./board_text.js";
import { channelsOf } from "./channels.js";
import { isSamePlace } from "../place.js";
import { createSourceLine } from "../../../ui/tab.js";

/** @typedef {import("../place.js").Place} Place */
/** @typedef {import("./arithmetic.js").Board} Board */
/** @typedef {import("./arithmetic.js").Table} Table */
/** @typedef {import("./arithmetic.js").Quantity} Quantity */
/** @typedef {import("./arithmetic.js").Value} Value */
/** @typedef {import("./arithmetic.js").Sentence} Sentence */
/** @typedef {import("./arithmetic.js").Item} Item */
/** @typedef {import("./arithmetic.js").Part} Part */
/** @typedef {import("./arithmetic.js").Board["result"]["form"]} Form */

// Boards by their width: from how many pixels on, how many items stand side by side at most, and the sizes of text in
// pixels. A whole table may be a little longer than a line of a long one. On a narrow board items with names stand one
// below the other.
const WIDTHS = {
  narrow: { pixels: 0, columns: 8, most: 8, sizes: [13] },
  wide: { pixels: 700, columns: 16, most: 20, sizes: [22, 18, 16, 14, 13] },
};
const PROJECTED_SIZES = [12, 11]; // besides, in projector mode, which enlarges all text: the last line must be in sight
const NUMBERED = ["dimensions", "neurons"]; // tables whose items have short labels
const BARS = ["weights", "weight", "probabilities", "partial"]; // quantities that are also drawn as bars
const LEAST_COLUMNS = 8; // of which cells are no wider

export class NumberBoard {
  /** @type {HTMLElement} */ root;
  /** @type {Settings} */ settings;
  /** @type {(place: Place) => void} */ go;
  /** @type {Board | null} */ board = null;
  /** @type {Record<string, any>} */ paint;
  /** @type {{ name: string, values: Record<string, Value> }[]} */ remarks = [];
  /** @type {Record<string, any>} The colours of the paint as [r, g, b]. */ colours = {};
  /** The result of the unchanged run. @type {Board["result"] | null} */ before = null;
  /** @type {"narrow" | "wide"} */ width = "wide";
  /** The size for which the text is as large as fits. */ fitted = "";
  /** What the tables show, by their nodes. @type {Map<HTMLElement, Table>} */ tables = new Map();

  /**
   * `settings` have `numbers` and `code` (tab.py), and what tab_component adds. `go(place)` is called for the place of
   * a number that is chosen.
   * @param {HTMLElement} root
   * @param {Settings} settings
   * @param {{ go: (place: Place) => void }} options
   */
  constructor(root, settings, { go }) {
    this.root = root;
    this.settings = settings;
    this.go = go;
    root.classList.add("number-board");
    root.tabIndex = 0;
    root.setAttribute("role", "group");
    root.addEventListener("keydown", (event) => this.move(event));
    new ResizeObserver(() => {
      if (!this.board || this.size === this.fitted) return;
      this.draw(this.board, this.paint, { before: this.before, remarks: this.remarks });
    }).observe(root);
  }

  /**
   * Draws a board in the colours of `paint` (paintOf of explorer/ui/tab.js). `remarks` say why another view shows
   * another number.
   * @param {Board} board
   * @param {Record<string, any>} paint
   * @param {{ before?: Board["result"] | null, remarks?: { name: string, values: Record<string, Value> }[] }} beside
   *   `before` is the result of the unchanged run, where another one is shown
   */
  draw(board, paint, { before = null, remarks = [] } = {}) {
    const { root } = this;
    const hadFocus = root.contains(document.activeElement);
    const { scrollTop } = root;
    const isSame = this.board !== null && isSamePlace(this.board.place, board.place);
    const areOpen = isSame ? [...root.querySelectorAll("details")].map(({ open }) => open) : [];
    this.board = board;
    this.before = before;
    this.paint = paint;
    this.remarks = remarks;
    this.width = this.measure();
    this.tables.clear();
    root.dataset.width = this.width;
    this.colours = channelsOf(paint.colours);
    root.dataset.part = board.place.part;
    const title = this.titleNode(board);
    root.setAttribute("aria-label", title.textContent);
    const nodes = [
      title,
      element("ol", {}, ...board.steps.map((step) => this.stepNode(step))),
      ...remarks.map((remark) => element("p", { class: "remark" }, ...this.sentence(remark))),
      element("p", { class: "note" }, this.settings.numbers.rounded),
    ];
    if (isSame) keepFocus(root, () => root.replaceChildren(...nodes));
    else root.replaceChildren(...nodes);
    for (const [i, details] of root.querySelectorAll("details").entries()) details.open = areOpen[i] ?? false;
    this.fit();
    this.fitted = this.size;
    root.scrollTop = scrollTop;
    if (hadFocus && !root.contains(document.activeElement)) root.focus({ preventScroll: true }); // its button is gone
  }

  /**
   * Writes as large as the board has room for, in cells and below one another. What does not fit anyhow scrolls, but no
   * number is cut.
   */
  fit() {
    const { root } = this;
    const isProjecting = document.documentElement.classList.contains("projector");
    for (const size of [...WIDTHS[this.width].sizes, ...(isProjecting ? PROJECTED_SIZES : [])]) {
      root.style.fontSize = `${size}px`;
      const isTooLarge = root.scrollHeight > root.clientHeight || root.scrollWidth > root.clientWidth;
      if (!isTooLarge && !isCut(root)) return;
    }
    for (const table of this.tables.keys()) this.breakLines(table);
  }

  /**
   * Breaks the lines of a table earlier, until every number has room.
   * @param {HTMLElement} node
   */
  breakLines(node) {
    const table = this.tables.get(node);
    for (let perLine = this.mostPerLine(table); isCut(node) && perLine > 1;) {
      perLine = Math.ceil(perLine / 2);
      this.fillTable(node, table, perLine);
    }
  }

  /** Width and height of the board. */
  get size() {
    return `${this.root.clientWidth} ${this.root.clientHeight}`;
  }

  /** How wide the board is; the style sheet knows these words, too. */
  measure() {
    const names = /** @type {const} */ (["narrow", "wide"]);
    const fitting = names.filter((name) => this.root.clientWidth >= WIDTHS[name].pixels);
    return fitting.at(-1);
  }

  /**
   * An arrow key leads to the number beside this one.
   * @param {KeyboardEvent} event
   */
  move(event) {
    const place = this.board?.ahead[event.key];
    if (!place || isTaken(event) || hasModifier(event)) return;
    event.preventDefault();
    this.go(place);
  }

  /**
   * The text at a path of the words, such as "titles.q".
   * @param {string} path
   */
  words(path) {
    /** @type {(words: Record<string, any>, name: string) => any} */
    const at = (words, name) => words[name];
    return path.split(".").reduce(at, this.settings.numbers);
  }

  /** @param {Board} board */
  titleNode({ title, writing }) {
    const nodes = this.sentence(title);
    if (writing === null) return element("h3", {}, ...capitalised(nodes));
    return element("h3", {}, ...this.fill(this.words("writing"), { next: writing, title: nodes }));
  }

  /** @param {Sentence} sentence */
  sentence({ name, values }) {
    return this.fill(this.words(name), values);
  }

  /**
   * The nodes of a sentence with its values, some of which are nodes already.
   * @param {string} template
   * @param {Record<string, Value | (Node | string)[]>} values
   */
  fill(template, values) {
    return fillParts(template, values).flatMap((part, i) => {
      if (i % 2 === 0) return formulaNodes(part);
      if (Array.isArray(part)) return part;
      const node = this.valueNode(part);
      return typeof node === "string" ? formulaNodes(node) : [node];
    });
  }

  /** @param {Value} value */
  valueNode(value) {
    if (typeof value !== "object") return typeof value === "number" ? shownNumber(value) : value;
    if ("token" in value) {
      if (value.lang === null) return element("span", {}, value.token);
      return element("span", { lang: this.settings.context.codes[value.lang], dir: "auto" }, value.token);
    }
    if ("count" in value) return formatInteger(value.count);
    if ("id" in value) return fill(this.words("token"), value);
    if ("share" in value) return this.shareText(value.share);
    if ("head" in value) return fill(this.words(value.ordinal === undefined ? "head" : "headDimension"), {
      head: value.head + 1, number: (value.ordinal ?? 0) + 1,
    });
    return formatInteger(value.ordinal + 1);
  }

  /** @param {number} share */
  shareText(share) {
    return fill(this.words("percent"), { percent: formatPercent(share) });
  }

  /**
   * @param {number} number
   * @param {Form} [form]
   */
  numberText(number, form) {
    return form === "share" ? this.shareText(number) : shownNumber(number);
  }

  /** @param {Board["steps"][number]} step */
  stepNode({ name, values, code, table, equation }) {
    const { title, words } = this.words(`steps.${name}`);
    const explanation = element("span", { class: "words" }, ...this.fill(words, values));
    const node = element("li", { "data-step": name }, element("h4", {}, ...this.fill(title, values)), " ", explanation);
    node.classList.toggle("short", table === null);
    if (table) node.append(this.tableNode(table), ...this.allNode(table));
    if (equation.length) node.append(this.equationNode(equation));
    const lines = code.flatMap((key) => this.settings.code[key] ?? []);
    if (lines.length) node.append(element("div", { class: "foot" }, ...lines.map(createSourceLine)));
    return node;
  }

  /** @param {Table} table */
  tableNode(table) {
    const { about, quantities } = table;
    const node = element("div", { role: "table", class: `numbers ${this.isList(table) ? "list" : "across"}` });
    node.classList.toggle("numbered", NUMBERED.includes(about));
    node.style.setProperty("--quantities", `${quantities.length}`);
    this.tables.set(node, table);
    this.fillTable(node, table, this.mostPerLine(table));
    return node;
  }

  /** @param {Pick<Table, "about">} table */
  isList({ about }) {
    return this.width === "narrow" && !NUMBERED.includes(about);
  }

  /** How many items of a table stand side by side where they have room. @param {Table} table */
  mostPerLine(table) {
    const { columns, most } = WIDTHS[this.width];
    const { length } = table.items;
    if (this.isList(table)) return length;
    return length <= most ? Math.max(length, LEAST_COLUMNS) : columns;
  }

  /**
   * A table in lines of items side by side, each with the names of its numbers.
   * @param {HTMLElement} node
   * @param {Table} table
   * @param {number} perLine
   */
  fillTable(node, { about, items, quantities }, perLine) {
    node.replaceChildren();
    for (let first = 0; first < items.length; first += perLine) {
      const rows = items.slice(first, first + perLine).map((item, i) => this.itemNode(item, first + i, quantities));
      node.append(this.namesNode(about, quantities), element("div", { role: "rowgroup", class: "items" }, ...rows));
    }
    node.style.setProperty("--columns", `${perLine}`);
  }

  /**
   * @param {string} about
   * @param {Quantity[]} quantities
   */
  namesNode(about, quantities) {
    const names = quantities.map((quantity) => (
      element("span", { role: "columnheader" }, ...this.quantityName(quantity))));
    const header = element("span", { role: "columnheader", class: "label" }, this.words(`about.${about}`));
    return element("div", { role: "row", class: "names" }, header, ...names);
  }

  /** @param {Quantity} quantity */
  quantityName({ name, values, sign }) {
    const text = element("span", {}, ...this.sentence({ name: `quantities.${name}`, values }));
    return sign ? [element("b", {}, sign), text] : [text];
  }

  /**
   * The numbers of an item, one tab stop in a table for each place that they lead to.
   * @param {Item} item
   * @param {number} index
   * @param {Quantity[]} quantities
   */
  itemNode(item, index, quantities) {
    const node = element("div", { role: "row", class: "item" });
    node.classList.toggle("masked", Boolean(item.isMasked));
    if (item.isCurrent) node.setAttribute("aria-current", "true");
    const label = element("span", { role: "rowheader", class: "label" });
    const hasStop = item.isCurrent || index === 0;
    label.append(item.place ? this.link(item.place, hasStop, this.valueNode(item.label)) : this.valueNode(item.label));
    label.title = label.textContent;
    node.append(label, ...quantities.map((quantity) => this.cellNode(quantity, index, item, hasStop)));
    for (const { name, numbers, scale } of quantities) {
      if (BARS.includes(name)) node.append(this.barNode(numbers[index] / scale));
    }
    return node;
  }

  /** @param {number} share */
  barNode(share) {
    const node = element("span", { class: "bar", "aria-hidden": "true" }, element("i"));
    node.classList.toggle("negative", share < 0);
    node.style.setProperty("--share", `${Math.abs(share) || 0}`);
    return node;
  }

  /**
   * A button that leads to a place; the board takes the focus from it, so that arrow keys go on from there.
   * @param {Place} place
   * @param {boolean} hasStop
   * @param {(Node | string)[]} content
   */
  link(place, hasStop, ...content) {
    const follow = () => {
      this.root.focus({ preventScroll: true });
      this.go(place);
    };
    return button(follow, { tabindex: hasStop ? "0" : "-1" }, ...content);
  }

  /**
   * @param {Quantity} quantity
   * @param {number} index
   * @param {Item} item
   * @param {boolean} hasStop whether it is a tab stop
   */
  cellNode({ name, numbers, scale, places, form }, index, { isMasked }, hasStop) {
    const number = numbers[index];
    const isHidden = isMasked && BARS.includes(name);
    const text = isHidden ? this.words("masked") : this.numberText(number, form);
    const cell = element("span", { role: "cell", class: "cell" });
    cell.append(places ? this.link(places[index], hasStop, text) : text);
    if (Number.isFinite(number)) cell.title = formatExact(number);
    this.colour(cell, isMasked ? 0 : number, scale);
    return cell;
  }

  /**
   * Colours a cell by its number, and its text so that it can be read.
   * @param {HTMLElement} cell
   * @param {number} number
   * @param {number} scale
   */
  colour(cell, number, scale) {
    Object.assign(cell.style, cellStyle(this.colours, number, strength(number, scale)));
  }

  /**
   * All numbers of a table that shows the largest, made when they are asked for.
   * @param {Table} table
   */
  allNode({ all, about }) {
    if (!all) return [];
    const details = element("details", {}, element("summary", {}, this.words(`all.${about}`)));
    details.addEventListener("toggle", () => {
      if (!details.open || details.children.length > 1) return;
      const node = this.tableNode(all());
      details.append(node);
      this.breakLines(node);
    });
    return [details];
  }

  /** @param {Part[]} parts */
  equationNode(parts) {
    return element("p", { class: "equation" }, ...parts.map((part) => (
      typeof part === "string" ? element("span", { class: "sign" }, part) : this.operandNode(part))));
  }

  /** @param {Exclude<Part, string>} operand */
  operandNode({ number, name, values = {}, form, place = null, isResult = false }) {
    const text = this.numberText(number, form);
    const value = element("b", { title: Number.isFinite(number) ? formatExact(number) : text });
    value.append(place ? this.link(place, true, text) : text);
    const caption = element("small", {}, ...this.sentence({ name: `terms.${name}`, values }));
    const node = element("span", { class: "operand" }, value, ...(isResult ? this.wasNode(number) : []), caption);
    node.classList.toggle("result", isResult);
    return node;
  }

  /**
   * The result of the unchanged run, beside that of the changed one, if it looks different.
   * @param {number} number
   */
  wasNode(number) {
    const { board: { result: { form } }, before, settings } = this;
    if (before === null) return [];
    return wasNodes(settings.text.changes.was, this.numberText(before.number, form), this.numberText(number, form));
  }
}

/** Whether a number in a table is wider than its cell. @param {HTMLElement} node */
function isCut(node) {
  const cells = [...node.querySelectorAll(".cell, .numbered .label, .numbered .label button")];
  return cells.some((cell) => cell.scrollWidth > cell.clientWidth);
}

/** Nodes whose first text begins with a capital letter. @param {(Node | string)[]} nodes */
function capitalised([first, ...rest]) {
  if (typeof first !== "string") return [first, ...rest];
  return [first.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()), ...rest];
}
