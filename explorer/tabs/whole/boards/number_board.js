// The blackboard of one number: a question as its title, and the steps that make the number. All of it is text, with
// cells coloured by their numbers.

import { button, element } from "../../../ui/element.js";
import { hasModifier, isTaken } from "../../../ui/keys.js";
import { formatExact } from "../../../ui/numbers.js";
import { keepFocus } from "../../../ui/page.js";
import { wasNodes } from "./board_text.js";
import { channelsOf } from "./channels.js";
import { NumberTable, isCut } from "./number_table.js";
import { NumberWords } from "./number_words.js";
import { signMore } from "./scroll_sign.js";
import { isSamePlace } from "../place.js";
import { createSourceLine } from "../../../ui/tab.js";

/** @typedef {import("../place.js").Place} Place */
/** @typedef {import("./arithmetic.js").Board} Board */
/** @typedef {import("./arithmetic.js").Table} Table */
/** @typedef {import("./arithmetic.js").Value} Value */
/** @typedef {import("./arithmetic.js").Part} Part */

// Boards by their width: from how many pixels on, and the sizes of text in pixels.
const WIDTHS = {
  narrow: { pixels: 0, sizes: [13] },
  wide: { pixels: 700, sizes: [22, 18, 16, 14, 13] },
};
const PROJECTED_SIZES = [12, 11]; // besides, in projector mode, which enlarges all text: the last line must be in sight

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
  /** @type {NumberTable[]} */ tables = [];

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
    this.words = new NumberWords(settings.numbers, settings.context.codes);
    this.lookBelow = signMore(root, root);
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
    this.tables = [];
    root.dataset.width = this.width;
    this.colours = channelsOf(paint.colours);
    root.dataset.part = board.place.part;
    const title = this.titleNode(board);
    root.setAttribute("aria-label", title.textContent);
    const nodes = [
      title,
      element("ol", {}, ...board.steps.map((step) => this.stepNode(step))),
      ...remarks.map((remark) => element("p", { class: "remark" }, ...this.words.sentence(remark))),
      element("p", { class: "note" }, this.settings.numbers.rounded),
    ];
    if (isSame) keepFocus(root, () => root.replaceChildren(...nodes));
    else root.replaceChildren(...nodes);
    for (const [i, details] of root.querySelectorAll("details").entries()) details.open = areOpen[i] ?? false;
    this.fit();
    this.fitted = this.size;
    root.scrollTop = scrollTop;
    this.lookBelow();
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
    for (const table of this.tables) table.breakLines();
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

  /** @param {Board} board */
  titleNode({ title, writing }) {
    const { words } = this;
    const nodes = words.sentence(title);
    if (writing === null) return element("h3", {}, ...capitalised(nodes));
    return element("h3", {}, ...words.fill(words.at("writing"), { next: writing, title: nodes }));
  }

  /** @param {Board["steps"][number]} step */
  stepNode({ name, values, code, table, equation }) {
    const { words } = this;
    const texts = words.at(`steps.${name}`);
    const explanation = element("span", { class: "words" }, ...words.fill(texts.words, values));
    const title = element("h4", {}, ...words.fill(texts.title, values));
    const node = element("li", { "data-step": name }, title, " ", explanation);
    node.classList.toggle("short", table === null);
    if (table) node.append(this.createTable(table).node, ...this.allNode(table));
    if (equation.length) node.append(this.equationNode(equation));
    const lines = code.flatMap((key) => this.settings.code[key] ?? []);
    if (lines.length) node.append(element("div", { class: "foot" }, ...lines.map(createSourceLine)));
    return node;
  }

  /** @param {Table} content */
  createTable(content) {
    const { words, width, colours } = this;
    const table = new NumberTable(content, {
      words, width, colours, link: (place, hasStop, ...nodes) => this.link(place, hasStop, ...nodes),
    });
    this.tables.push(table);
    return table;
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
   * All numbers of a table that shows the largest, made when they are asked for.
   * @param {Table} table
   */
  allNode({ all, about }) {
    if (!all) return [];
    const details = element("details", {}, element("summary", {}, this.words.at(`all.${about}`)));
    details.addEventListener("toggle", () => {
      if (!details.open || details.children.length > 1) return;
      const table = this.createTable(all());
      details.append(table.node);
      table.breakLines();
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
    const text = this.words.numberText(number, form);
    const value = element("b", { title: Number.isFinite(number) ? formatExact(number) : text });
    value.append(place ? this.link(place, true, text) : text);
    const caption = element("small", {}, ...this.words.sentence({ name: `terms.${name}`, values }));
    const node = element("span", { class: "operand" }, value, ...(isResult ? this.wasNode(number) : []), caption);
    node.classList.toggle("result", isResult);
    return node;
  }

  /**
   * The result of the unchanged run, beside that of the changed one, if it looks different. What is only the result of
   * a step, such as a score, has none.
   * @param {number} number
   */
  wasNode(number) {
    const { board: { result, result: { form } }, before, words, settings } = this;
    if (before === null || number !== result.number) return [];
    return wasNodes(settings.text.changes.was, words.numberText(before.number, form), words.numberText(number, form));
  }
}

/** Nodes whose first text begins with a capital letter. @param {(Node | string)[]} nodes */
function capitalised([first, ...rest]) {
  if (typeof first !== "string") return [first, ...rest];
  return [first.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()), ...rest];
}
