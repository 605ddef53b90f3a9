// What the boards of a head and of a feed-forward network stand on: matrices on a stage with signs between them, and
// below it a sentence about the number under the pointer, with a button that leads to it.

import { button, element, svg } from "../../../ui/element.js";
import { onLookChange } from "../../../ui/page.js";
import { isSamePlace } from "../place.js";
import { Matrix } from "./matrix.js";
import { signMore } from "./scroll_sign.js";

/** @typedef {import("./matrix.js").MatrixCell} MatrixCell */
/** @typedef {{ matrix: string, cell: MatrixCell }} Hovered the cell under pointer or cursor */
/** @typedef {{ trace: Trace, place: import("../place.js").Place, step: number }} Subject what a board is about */

/**
 * Whether a board is drawn again for the same, as for an answer that comes late: then what is hovered stays so.
 * @param {Subject | null} before
 * @param {Subject} subject
 */
export function isSameSubject(before, { trace, place, step }) {
  return before !== null && before.trace === trace && before.step === step && isSamePlace(before.place, place);
}

export class MatrixSheet {
  /** @type {Record<string, Matrix>} */ matrices = {};
  stage = element("div", { class: "board-stage" });
  between = element("div", { class: "between", "aria-hidden": "true" });
  says = element("p", { class: "says", "aria-live": "polite" });
  /** @type {HTMLButtonElement} */ open;

  /**
   * `symbols` are the names of the matrices in formulas by id, `opens` the ids of those whose numbers have a place,
   * `words` are BOARDS. `draw()` draws everything anew, `onHover` gets what is under the pointer, or null,
   * `onChoose(id, cell)` goes to a number, `onOpen()` to that of the sentence; `meant(id, cell)` is the cell that a
   * pointer means.
   * @param {HTMLElement} root of the board
   * @param {{ symbols: Record<string, string>, opens: string[], words: any, draw: () => void,
   *   onHover: (hovered: Hovered | null) => void, onChoose: (id: string, cell: MatrixCell) => void,
   *   onOpen: () => void, meant?: (id: string, cell: MatrixCell) => MatrixCell }} options
   */
  constructor(root, { symbols, opens, words, draw, onHover, onChoose, onOpen, meant = (_, cell) => cell }) {
    for (const [id, symbol] of Object.entries(symbols)) {
      this.matrices[id] = new Matrix({
        id, symbol,
        onHover: (cell) => onHover(cell && { matrix: id, cell }),
        onChoose: opens.includes(id) ? (cell) => onChoose(id, cell) : null,
        meant: (cell) => meant(id, cell),
      });
    }
    this.open = button(onOpen, { class: "open-number" }, words.open);
    this.stage.append(this.between, ...Object.values(this.matrices).map(({ node }) => node));
    root.classList.add("board");
    root.append(this.stage, element("div", { class: "below" }, element("div", {}, this.says), this.open));
    this.lookBelow = signMore(this.stage, root);
    onLookChange(this.stage, draw);
  }

  /** The room for matrices; a board that is not seen has none, and is drawn when it gets some. */
  get size() {
    return { width: this.stage.clientWidth, height: this.stage.clientHeight };
  }

  /**
   * Draws what lies between the matrices: areas and lines, and texts at their middles.
   * @param {number} height in pixels
   * @param {SVGElement[]} shapes
   * @param {{ name: string, x: number, y: number, text: (Node | string)[] }[]} texts
   */
  drawSigns(height, shapes, texts) {
    this.stage.style.setProperty("--height", `${height}px`); // which lies out of the flow of what comes below
    const nodes = texts.map(({ name, x, y, text }) => {
      const node = element("span", { class: name }, ...text);
      node.style.left = `${x}px`;
      node.style.top = `${y}px`;
      return node;
    });
    this.between.replaceChildren(svg("svg", { class: "arrow" }, ...shapes), ...nodes);
    this.lookBelow();
  }
}
