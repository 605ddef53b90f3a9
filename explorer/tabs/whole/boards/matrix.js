// A matrix of numbers as a picture with one pixel a cell, which CSS enlarges; frames, hatching, names and written
// numbers lie over it as elements, so that they move without drawing anything again.

import { contextOf } from "../../../ui/canvas.js";
import { cellStyle, emptyCell } from "../../../ui/contrast.js";
import { element, svg } from "../../../ui/element.js";
import { hasModifier } from "../../../ui/keys.js";
import { bitmapOf, signedShades, strength } from "../../../ui/pixels.js";
import { pixelRatio, pointerPosition, registerDraw } from "../../../ui/page.js";
import { formulaNodes } from "../../../ui/formula.js";
import { shownNumber } from "./board_text.js";
import { maskedPath, outlinePath, pooled, scaleOf } from "./cells.js";
import { channelsOf } from "./channels.js";

const NAME_SIZE = 9; // pixels of a row with a name
const MOST_NAMED = 24; // rows that make a matrix higher, so that all have names
const LEVEL_NAME = 48; // pixels of a column whose name is not slanted
const NUMBER = { letter: 7.3, gap: 3, height: 15 }; // pixels of a written number
const SMALL_CELL = 9, FRAME = 2; // pixels
const WORDS_OVER = 12; // pixels that the words below a matrix may be wider, as is the edge of a board
/** @type {Record<string, number[]>} */
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const HATCH_PIXELS = 6;

let patterns = 0; // ids of the hatching

/** @typedef {import("./equation.js").Row} Row */
/** @typedef {{ row: number, column: number }} MatrixCell */
/** @typedef {{ rows: number, columns: number }} Extent how many rows and columns are there already */
/** @typedef {{ left: number, top: number, width: number, height: number }} Box of the cells, in the board's pixels */

/** @typedef {{ colours: { accent: string, negative: string, ink: string, ground: string } }} Paint by paintOf */

/**
 * What a matrix shows. `scale` is the number with the full colour, by default almost the largest; `names` are nodes or
 * texts beside the rows and below the columns.
 * @typedef {object} MatrixContent
 * @property {Row[]} rows
 * @property {Box} box
 * @property {Paint} paint
 * @property {number} [scale]
 * @property {(number: number) => string} [write] a number in its cell
 * @property {boolean[][] | null} [allowed] false: masked
 * @property {boolean[][] | null} [forbidden] true: what the mask of the model masks and this one does not
 * @property {boolean} [isOff] whether it is crossed out
 * @property {{ side: "left" | "right", nodes: HTMLElement[] } | null} [rowNames]
 * @property {HTMLElement[] | null} [columnNames]
 * @property {(cell: MatrixCell) => string} describe a cell, for a screen reader
 */

/**
 * Whether two contents of a board are drawn in the same colours.
 * @param {Paint} paint
 * @param {Paint} other
 */
export function isSamePaint({ colours: one }, { colours: other }) {
  const names = /** @type {(keyof Paint["colours"])[]} */ (Object.keys(one));
  return names.every((name) => one[name] === other[name]);
}

/**
 * The pixels of the names below columns: level where they are wide, slanted, or that of the chosen column alone.
 * @param {number} pitch
 */
export function nameHeight(pitch) {
  return pitch >= LEVEL_NAME || pitch < NAME_SIZE ? 16 : 54;
}

/**
 * The pixels that all rows need for their names: 0 for a long sentence, whose board stays in sight, with one name.
 * @param {number} rows
 */
export function namedHeight(rows) {
  return rows <= MOST_NAMED ? rows * NAME_SIZE : 0;
}

/**
 * @param {HTMLElement} node
 * @param {Box} box
 */
function moveTo(node, { left, top, width, height }) {
  node.style.left = `${left}px`;
  node.style.top = `${top}px`;
  node.style.width = `${width}px`;
  node.style.height = `${height}px`;
}

export class Matrix {
  /** @type {HTMLElement} */ node = element("figure", { class: "matrix" });
  /** @type {HTMLElement} */ title = element("figcaption");
  /** @type {HTMLElement} The cells with all that lies over them. */ field;
  canvas = element("canvas", { "aria-hidden": "true" });
  hatching = svg("svg", { class: "hatching", "aria-hidden": "true" });
  numbers = element("div", { class: "numbers", "aria-hidden": "true" });
  /** They hide what is not there yet. */
  veils = { rows: element("i", { class: "veil" }), columns: element("i", { class: "veil" }) };
  /** @type {Extent} */ known = { rows: Infinity, columns: Infinity };
  /** @type {Record<"row" | "column" | "cell", HTMLElement>} */ frames;
  rowNames = element("div", { class: "row-names" });
  columnNames = element("div", { class: "column-names" });
  /** @type {HTMLElement} */ words = element("p", { class: "words" });
  /** @type {MatrixContent | null} */ content = null;
  /** @type {MatrixCell | null} Where the arrow keys are. */ cursor = null;
  /** @type {HTMLCanvasElement} The cells as they are drawn. */ image = element("canvas");
  /** The number with the full colour. */ scale = 1;
  pattern = `hatching-${++patterns}`;

  /**
   * `symbol` is its name in formulas ("W_Q"). `onHover` gets the cell under pointer or cursor, or null;
   * `onChoose`, if there is one, the cell that is clicked; `meant` is the cell that a pointer means at another one.
   * @param {{ id: string, symbol: string, onHover: (cell: MatrixCell | null) => void,
   *   onChoose?: ((cell: MatrixCell) => void) | null, meant?: (cell: MatrixCell) => MatrixCell }} options
   */
  constructor({ id, symbol, onHover, onChoose = null, meant = (cell) => cell }) {
    this.id = id;
    this.symbol = symbol;
    this.onHover = onHover;
    this.onChoose = onChoose;
    this.meant = meant;
    this.shape = element("span", { class: "shape" });
    this.title.append(element("b", {}, ...formulaNodes(symbol)), this.shape);
    const frame = (/** @type {string} */ name) => element("i", { class: `frame ${name}`, hidden: "" });
    this.frames = { row: frame("row"), column: frame("column"), cell: frame("cell") };
    this.field = element("div", { class: "field", tabindex: "0", role: "application" }, this.canvas, this.numbers,
      ...Object.values(this.veils), this.hatching, ...Object.values(this.frames));
    this.node.dataset.matrix = id;
    this.node.append(this.title, this.rowNames, this.field, this.columnNames, this.words);
    registerDraw(this.canvas, () => this.paint());
    this.listen();
  }

  listen() {
    const { field } = this;
    const pointed = (/** @type {MouseEvent} */ event) => this.cellAt(pointerPosition(field, event));
    const hover = (/** @type {PointerEvent} */ event) => event.pointerType !== "touch" && this.onHover(pointed(event));
    field.classList.toggle("choosable", this.onChoose !== null);
    field.addEventListener("pointermove", hover);
    const point = (/** @type {MouseEvent} */ event) => {
      this.cursor = pointed(event);
      this.onHover(this.cursor);
    };
    let pressedBy = ""; // Safari's clicks do not say it
    field.addEventListener("pointerdown", (event) => {
      pressedBy = event.pointerType;
      if (pressedBy !== "touch") point(event); // a finger may be about to scroll
    });
    field.addEventListener("pointerleave", ({ pointerType }) => pointerType !== "touch" && this.onHover(null));
    field.addEventListener("click", (event) => {
      const isTouch = (event.pointerType ?? pressedBy) === "touch";
      if (isTouch) return point(event); // a finger first sees what is there; a button opens it
      this.choose(pointed(event));
    });
    field.addEventListener("focus", () => field.matches(":focus-visible") && this.moveCursor([0, 0]));
    field.addEventListener("keydown", (event) => {
      if (hasModifier(event)) return;
      if (MOVES[event.key]) this.moveCursor(MOVES[event.key]);
      else if (event.key === "Enter" && this.cursor) this.choose(this.cursor);
      else return;
      event.preventDefault(); // otherwise an arrow also changes the step
    });
  }

  /** @param {MatrixCell | null} cell */
  choose(cell) {
    if (cell && this.onChoose) this.onChoose(cell);
  }

  /**
   * Moves the cursor by rows and columns; it begins where the frames are.
   * @param {number[]} move
   */
  moveCursor([down, across]) {
    const { row, column } = this.cursor ?? this.start;
    this.cursor = this.nearest({ row: row + down, column: column + across });
    this.field.setAttribute("aria-label", this.content.describe(this.cursor));
    this.onHover(this.cursor);
  }

  /** Where the cursor begins: in the framed row and column. */
  start = { row: 0, column: 0 };

  /**
   * The cell that a pointer means at a point of the field, or null.
   * @param {{ x: number, y: number }} point
   */
  cellAt({ x, y }) {
    const { rows, box } = this.content;
    const row = Math.floor((y / box.height) * rows.length);
    const column = Math.floor((x / box.width) * rows[0].length);
    const isInside = row >= 0 && column >= 0 && row < this.extent.rows && column < this.extent.columns;
    return isInside ? this.meant({ row, column }) : null;
  }

  /** The nearest cell that is revealed. @param {MatrixCell} cell */
  nearest({ row, column }) {
    const { rows, columns } = this.extent;
    /** @type {(number: number, count: number) => number} */
    const limit = (number, count) => Math.max(0, Math.min(number, count - 1));
    return { row: limit(row, rows), column: limit(column, columns) };
  }

  /** What is revealed. @returns {Extent} */
  get extent() {
    const { known, content: { rows } } = this;
    return { rows: Math.min(known.rows, rows.length), columns: Math.min(known.columns, rows[0].length) };
  }

  /**
   * Shows so many rows and columns, and nothing of those to come; what is drawn stays.
   * @param {Partial<Extent>} known
   */
  reveal({ rows = Infinity, columns = Infinity }) {
    this.known = { rows, columns };
    if (!this.content) return;
    const { veils, content, rowNames, columnNames, extent } = this;
    const { box: { width, height }, rows: numbers } = content;
    const [left, top] = [(extent.columns / numbers[0].length) * width, (extent.rows / numbers.length) * height];
    moveTo(veils.rows, { left: 0, top, width, height: height - top });
    moveTo(veils.columns, { left, top: 0, width: width - left, height });
    /** @type {(list: HTMLElement, count: number) => void} */
    const hide = (list, count) => {
      for (const [i, node] of [...list.children].entries()) node.classList.toggle("coming", i >= count);
    };
    hide(rowNames, extent.rows);
    hide(columnNames, extent.columns);
    if (this.cursor && (this.cursor.row >= extent.rows || this.cursor.column >= extent.columns)) this.cursor = null;
  }

  /** @param {MatrixContent} content */
  draw(content) {
    this.content = content;
    const { rows, box, allowed, paint, describe } = content;
    this.scale = content.scale ?? scaleOf(rows);
    this.shape.textContent = `[${rows.length}, ${rows[0].length}]`;
    moveTo(this.field, box);
    this.arrangeTexts(box, content);
    const ratio = pixelRatio();
    const visible = allowed ? rows.map((row, i) => row.map((number, j) => (allowed[i][j] ? number : 0))) : rows;
    const cells = pooled(visible, box.width * ratio, box.height * ratio);
    this.image = bitmapOf(cells, cells[0].length, signedShades(paint.colours, this.scale, true));
    this.paint();
    this.hatch();
    this.writeNumbers();
    this.reveal(this.known);
    const cell = this.nearest(this.cursor ?? this.start); // the frame may still be that of another sentence
    this.field.setAttribute("aria-label", describe(cell));
  }

  /**
   * @param {Box} box
   * @param {MatrixContent} content
   */
  arrangeTexts({ left, top, width, height }, content) {
    this.title.style.left = `${left}px`;
    this.title.style.bottom = `calc(100% - ${top - 1}px)`;
    this.title.style.width = `${width}px`;
    const below = content.columnNames ? this.nameColumns(content) : 0;
    this.words.style.left = `${left}px`;
    this.words.style.top = `${top + height + below + 3}px`;
    this.words.style.width = `${width + WORDS_OVER}px`;
    this.nameRows(content);
    if (!content.columnNames) this.columnNames.replaceChildren();
  }

  /**
   * Names beside the rows; without room for all only the chosen one will show.
   * @param {MatrixContent} content
   */
  nameRows(content) {
    const { rowNames } = this;
    rowNames.replaceChildren(...(content.rowNames?.nodes ?? []));
    if (!content.rowNames) return;
    const { box: { left, top, width, height }, rows, rowNames: { side } } = content;
    const pitch = height / rows.length;
    rowNames.classList.toggle("scarce", pitch < NAME_SIZE);
    rowNames.dataset.side = side;
    rowNames.style.top = `${top}px`;
    rowNames.style.left = side === "left" ? `${left - 4}px` : `${left + width + 4}px`;
    for (const [i, node] of content.rowNames.nodes.entries()) node.style.top = `${(i + 0.5) * pitch}px`;
  }

  /**
   * Names below the columns. Returns the pixels that they need.
   * @param {MatrixContent} content
   */
  nameColumns({ box: { left, top, width, height }, rows, columnNames }) {
    const pitch = width / rows[0].length;
    this.columnNames.replaceChildren(...columnNames);
    this.columnNames.classList.toggle("scarce", pitch < NAME_SIZE);
    this.columnNames.classList.toggle("level", pitch >= LEVEL_NAME);
    this.columnNames.style.left = `${left}px`;
    this.columnNames.style.top = `${top + height + 3}px`;
    for (const [i, node] of columnNames.entries()) node.style.left = `${(i + 0.5) * pitch}px`;
    return nameHeight(pitch);
  }

  /** Copies the image to the canvas, or into the context that records a saved picture. */
  paint() {
    const { canvas, image } = this;
    canvas.width = image.width;
    canvas.height = image.height;
    const context = contextOf(canvas);
    context.imageSmoothingEnabled = false;
    context.drawImage(image, 0, 0);
  }

  /** Hatches what is masked, outlines what only a mistake allows, or crosses out everything. */
  hatch() {
    const { hatching, pattern, content: { allowed, forbidden, isOff, box: { width, height } } } = this;
    const d = allowed ? maskedPath(allowed, width, height) : "";
    hatching.replaceChildren();
    if (isOff) hatching.append(svg("path", { class: "off", d: `M0,0L${width},${height}M${width},0L0,${height}` }));
    if (forbidden) hatching.append(svg("path", { class: "forbidden", d: outlinePath(forbidden, width, height) }));
    if (!d) return;
    const size = { width: HATCH_PIXELS, height: HATCH_PIXELS };
    const stripe = svg("path", { d: `M-1,1l2,-2M0,${HATCH_PIXELS}l${HATCH_PIXELS},-${HATCH_PIXELS}` });
    hatching.append(
      svg("defs", {}, svg("pattern", { id: pattern, patternUnits: "userSpaceOnUse", ...size }, stripe)),
      svg("path", { d, fill: `url(#${pattern})` }),
    );
  }

  /** Writes the numbers into cells that have room for them. */
  writeNumbers() {
    const { numbers, scale, content: { rows, box, allowed, write = shownNumber, paint: { colours } } } = this;
    const [across, down] = [box.width / rows[0].length, box.height / rows.length];
    numbers.replaceChildren();
    if (across < 3 * NUMBER.letter || down < NUMBER.height) return;
    const longest = Math.max(...rows.flatMap((row) => Array.from(row, (number) => write(number).length)));
    if (across < longest * NUMBER.letter + NUMBER.gap) return;
    const rgb = channelsOf(colours);
    const under = emptyCell(rgb.ground);
    numbers.style.gridTemplateColumns = `repeat(${rows[0].length}, 1fr)`;
    numbers.append(...rows.flatMap((row, i) => Array.from(row, (number, j) => {
      if (allowed && !allowed[i][j]) return element("span");
      const node = element("span", {}, write(number));
      node.style.color = cellStyle(rgb, number, strength(number, scale), under).color;
      return node;
    })));
  }

  /**
   * Frames a row, a column, a cell, or what is not null of them, and prints the names of `row` and `column` in bold.
   * @param {{ row?: number | null, column?: number | null, cell?: MatrixCell | null }} frames
   */
  frame({ row = null, column = null, cell = null }) {
    if (!this.content) return;
    const { rows, box: { width, height } } = this.content;
    const [across, down] = [width / rows[0].length, height / rows.length];
    /** @type {(node: HTMLElement, isShown: boolean, ...sides: number[]) => void} */
    const draw = (node, isShown, top, left, tall, wide) => {
      node.hidden = !isShown;
      if (!isShown) return;
      const [x, y] = [wide, tall].map((size) => (size < SMALL_CELL ? FRAME : 0)); // beside what it would cover
      moveTo(node, { left: left - x, top: top - y, width: wide + 2 * x, height: tall + 2 * y });
    };
    draw(this.frames.row, row !== null, row * down, 0, down, width);
    draw(this.frames.column, column !== null, 0, column * across, this.extent.rows * down, across);
    draw(this.frames.cell, cell !== null, cell?.row * down, cell?.column * across, down, across);
    this.start = { row: cell?.row ?? row ?? 0, column: cell?.column ?? column ?? 0 };
    for (const [list, chosen] of [[this.rowNames, row ?? cell?.row], [this.columnNames, column ?? cell?.column]]) {
      for (const [i, node] of [...list.children].entries()) node.classList.toggle("chosen", i === chosen);
    }
  }
}
