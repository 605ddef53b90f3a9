// Numbers as coloured cells on a canvas: a vector as a strip, a matrix as a grid. Positive numbers have the accent
// colour, negative ones another; masked cells are hatched, so that they differ from zeros.

import { parseHex, contrast, blend, readableColour } from "./contrast.js";
import { formatDecimal } from "./numbers.js";
import { zoom, pointerPosition, pixelRatio, registerDraw } from "./page.js";

/** Pixels that a number needs, horizontal or rotated. */
export const NUMBER_WIDTH = 43;
export const ROTATED_NUMBER_WIDTH = 14;
const FONT_SIZE = 10, ROTATED_CELL_HEIGHT = 46, MIN_CELL_HEIGHT = 18;
const GREY = [128, 128, 128], GROUND_OPACITY = 0.08; // background of every cell

/**
 * The layout of a strip of numbers. Cells without written numbers fit in one line. If cells are too narrow for
 * horizontal numbers, the numbers are rotated and the strip breaks into several lines.
 */
export function layout({ columns, width, height, hasNumbers }) {
  if (!hasNumbers) return { perLine: columns, lines: 1, across: width / columns, tall: height, turned: false };
  const turned = width / columns < NUMBER_WIDTH;
  const lines = turned ? Math.ceil((columns * ROTATED_NUMBER_WIDTH) / width) : 1;
  const perLine = Math.ceil(columns / lines);
  return {
    perLine,
    lines,
    across: width / perLine,
    tall: turned ? ROTATED_CELL_HEIGHT : Math.max(height, MIN_CELL_HEIGHT),
    turned,
  };
}

export function formatNumber(number) {
  if (Number.isNaN(number)) return "nan";
  if (number === -Infinity) return "−∞";
  return formatDecimal(number, 3);
}

/** Converts a CSS colour to [r, g, b]. */
function rgb(context, css) {
  context.fillStyle = css;
  return parseHex(context.fillStyle);
}

/** The text colour of a number on its cell; colours are [r, g, b]. */
export function numberColour({ negative, accent, ink, ground }, number, share) {
  const under = blend(number < 0 ? negative : accent, blend(GREY, ground, GROUND_OPACITY), share);
  return readableColour(under, [ink, ground].sort((a, b) => contrast(b, under) - contrast(a, under)));
}

export class Grid {
  /** `tip` is the tooltip node; a click on a cell calls `choose({ row, column })`. */
  constructor(canvas, tip, choose = null) {
    this.canvas = canvas;
    this.tip = tip;
    this.choose = choose;
    registerDraw(canvas, () => this.scene && this.draw(this.scene));
    canvas.addEventListener("mousemove", (event) => this.showTooltip(event));
    canvas.addEventListener("mouseleave", () => { tip.hidden = true; });
    if (!choose) return;
    canvas.classList.add("choosable");
    canvas.addEventListener("click", (event) => {
      const cell = this.cellAt(pointerPosition(canvas, event));
      if (cell) choose(cell);
    });
  }

  /**
   * Draws a scene: `rows` of numbers; `scale`, the number with the full colour; `height` of a row in pixels;
   * `name(row, column)`, the tooltip of a number; optional are `masked(row, column)`, `frame` ({ row, column }, either
   * may be null) and `cuts` (columns between two separator lines). Numbers are written if `numbers` is true, or if a
   * cell is at least `room` pixels wide.
   */
  draw(scene) {
    this.scene = { masked: () => false, frame: null, cuts: 0, numbers: false, room: Infinity, ...scene };
    const { rows, height } = this.scene;
    const { canvas } = this;
    const ratio = pixelRatio();
    const width = canvas.clientWidth, columns = rows[0].length;
    const hasRoom = width / columns >= this.scene.room && (rows.length === 1 || height >= FONT_SIZE + 2);
    this.numbers = this.scene.numbers || hasRoom;
    this.layout = layout({ columns, width, height, hasNumbers: this.numbers });
    const { lines, tall } = this.layout;
    const full = Math.round(rows.length * lines * tall);
    canvas.style.height = `${full}px`;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(full * ratio);
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    /** @type {any} */
    this.rgb = Object.fromEntries(Object.entries(this.scene.colours).map(([name, css]) => [name, rgb(context, css)]));
    rows.forEach((row, i) => row.forEach((number, j) => this.cell(context, i, j, number)));
    this.marks(context);
  }

  box(row, column) {
    const { perLine, across, tall } = this.layout;
    const line = row * this.layout.lines + Math.floor(column / perLine);
    return [(column % perLine) * across, line * tall, across, tall];
  }

  cell(context, row, column, number) {
    const { scale, colours, masked } = this.scene;
    const [left, top, width, height] = this.box(row, column);
    const gap = width > 4 ? 1 : 0;
    const hidden = masked(row, column);
    const ink = hidden || !Number.isFinite(number) ? 0 : Math.min(1, Math.abs(number) / scale || 0);
    Object.assign(context, { globalAlpha: GROUND_OPACITY, fillStyle: `rgb(${GREY})` });
    context.fillRect(left, top, width - gap, height - 1);
    Object.assign(context, { globalAlpha: ink, fillStyle: number < 0 ? colours.negative : colours.accent });
    context.fillRect(left, top, width - gap, height - 1);
    context.globalAlpha = 1;
    if (hidden) drawHatching(context, [left, top, width - gap, height - 1], colours.masked);
    // A masked weight is exactly 0, so "0.000" would mislead.
    if (this.numbers) {
      const text = hidden && number === 0 ? "0" : formatNumber(number);
      this.write(context, [left, top, width, height], text, { number, ink });
    }
  }

  write(context, [left, top, width, height], text, { number, ink }) {
    const { scene: { font }, rgb } = this;
    const colour = `rgb(${numberColour(rgb, number, ink)})`;
    context.save();
    context.translate(left + width / 2, top + height / 2);
    if (this.layout.turned) context.rotate(-Math.PI / 2);
    Object.assign(context, { font: `${FONT_SIZE}px ${font}`, textAlign: "center", textBaseline: "middle" });
    context.fillStyle = colour;
    context.fillText(text, 0, 0);
    context.restore();
  }

  marks(context) {
    const { rows, frame, cuts, colours } = this.scene;
    context.fillStyle = colours.ink;
    for (let column = cuts; cuts && column < rows[0].length; column += cuts) {
      const [left, top, , height] = this.box(0, column);
      context.fillRect(left - 1, top, 1, height);
    }
    if (frame) this.frame(context, frame);
  }

  /** Draws a frame around a cell, a row, a column, or a part of a strip across its lines. */
  frame(context, { row, column, columns = 1 }) {
    const { rows, colours } = this.scene, { lines, perLine } = this.layout;
    Object.assign(context, { strokeStyle: colours.ink, lineWidth: 2 });
    const [first, last] = column === null ? [0, rows[0].length - 1] : [column, column + columns - 1];
    const [top, bottom] = row === null ? [0, rows.length - 1] : [row, row];
    for (let line = 0; line < lines; line++) {
      const from = Math.max(first, line * perLine);
      const to = Math.min(last, (line + 1) * perLine - 1);
      if (from > to) continue;
      const [left, upper] = this.box(top, from);
      const [right, lower, width, height] = this.box(bottom, to);
      context.strokeRect(left + 0.5, upper + 0.5, right + width - left - 2, lower + height - upper - 2);
    }
  }

  /** The row and column of the cell at a point, or null. */
  cellAt({ x, y }) {
    if (!this.layout) return null;
    const { perLine, lines, across, tall } = this.layout;
    const line = Math.floor(y / tall);
    const row = Math.floor(line / lines);
    const column = (line % lines) * perLine + Math.floor(x / across);
    const { rows } = this.scene;
    return x >= 0 && y >= 0 && row < rows.length && column < rows[0].length ? { row, column } : null;
  }

  showTooltip(event) {
    const cell = this.cellAt(pointerPosition(this.canvas, event));
    this.tip.hidden = !cell;
    if (!cell) return;
    const { rows, name, masked } = this.scene;
    const number = masked(cell.row, cell.column) ? this.scene.hidden : formatNumber(rows[cell.row][cell.column]);
    this.tip.textContent = `${name(cell.row, cell.column)}: ${number}`;
    const scaleFactor = zoom();
    const { clientX, clientY } = event;
    const right = Math.min(clientX / scaleFactor + 12, innerWidth / scaleFactor - this.tip.offsetWidth - 8);
    Object.assign(this.tip.style, { left: `${right}px`, top: `${clientY / scaleFactor + 14}px` });
  }
}

function drawHatching(context, [left, top, width, height], colour) {
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.beginPath();
  for (let x = left - height; x < left + width; x += 5) {
    context.moveTo(x, top + height);
    context.lineTo(x + height, top);
  }
  Object.assign(context, { strokeStyle: colour, lineWidth: 1 });
  context.stroke();
  context.restore();
}
