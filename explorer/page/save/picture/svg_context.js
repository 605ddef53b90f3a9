// A canvas context that draws SVG, with the methods that the drawings of this page use.

import { contextOf } from "../../../ui/canvas.js";
import { hex, paintAttributes, fontAttributes } from "./colours.js";
import { clipTo, formatCoordinate, rectangle, shape, stretchedImage } from "./shapes.js";

const MAX_CELLS = 20_000; // pixels of an image that become squares; a larger image stays an image
const STATE = [
  "fillStyle", "strokeStyle", "font", "globalAlpha", "lineWidth", "textAlign", "textBaseline", "imageSmoothingEnabled",
];
const ANCHORS = { center: "middle", right: "end", end: "end" };

export class SvgContext {
  /** @type {HTMLCanvasElement} */ canvas;
  /** @type {SVGElement} Receives the SVG. */ group;
  /** @type {string} */ ground;
  /** @type {number} */ pixel;
  /** @type {CanvasRenderingContext2D} Holds the state, parses colours and measures texts. */ probe;
  /** @type {DOMMatrix} From the pixels of the canvas to those of the picture. */ base;
  /** @type {DOMMatrix} From the coordinates of the drawing to the pixels of the picture. */ matrix;
  /** @type {[DOMMatrix, SVGElement][]} */ stack = [];
  path = "";

  /**
   * @param {SVGElement} group receives the SVG
   * @param {{ canvas: HTMLCanvasElement, pixel: number, ground: string }} options `pixel` is the size of a pixel of
   *   the canvas in the picture, `ground` the colour of cleared areas
   */
  constructor(group, { canvas, pixel, ground }) {
    this.canvas = canvas;
    this.group = group;
    this.ground = ground;
    this.pixel = pixel;
    this.probe = contextOf(document.createElement("canvas"));
    this.base = new DOMMatrix().scale(pixel);
    this.matrix = this.base;
  }

  save() {
    this.probe.save();
    this.stack.push([this.matrix, this.group]);
  }

  restore() {
    this.probe.restore();
    [this.matrix, this.group] = this.stack.pop();
  }

  scale(x, y) {
    this.matrix = this.matrix.scale(x, y);
  }

  translate(x, y) {
    this.matrix = this.matrix.translate(x, y);
  }

  rotate(angle) {
    this.matrix = this.matrix.rotate((angle * 180) / Math.PI);
  }

  setTransform(...parts) {
    this.matrix = this.base.multiply(new DOMMatrix(parts));
  }

  beginPath() {
    this.path = "";
  }

  moveTo(x, y) {
    this.path += `M${this.at(x, y)}`;
  }

  lineTo(x, y) {
    this.path += `L${this.at(x, y)}`;
  }

  bezierCurveTo(a, b, c, d, x, y) {
    this.path += `C${this.at(a, b)} ${this.at(c, d)} ${this.at(x, y)}`;
  }

  quadraticCurveTo(a, b, x, y) {
    this.path += `Q${this.at(a, b)} ${this.at(x, y)}`;
  }

  /** A whole circle; the drawings have no other arcs. */
  arc(x, y, radius) {
    const size = formatCoordinate(radius * Math.hypot(this.matrix.a, this.matrix.b));
    const half = (end) => `A${size} ${size} 0 0 1 ${this.at(end, y)}`;
    this.path += `M${this.at(x - radius, y)}${half(x + radius)}${half(x - radius)}Z`;
  }

  rect(x, y, width, height) {
    this.moveTo(x, y);
    this.lineTo(x + width, y);
    this.lineTo(x + width, y + height);
    this.lineTo(x, y + height);
    this.path += "Z";
  }

  stroke() {
    if (this.path) this.group.append(shape("path", { d: this.path, ...this.strokeAttributes() }));
  }

  fill() {
    const { fillStyle, globalAlpha } = this.probe;
    this.group.append(shape("path", { d: this.path, ...paintAttributes("fill", String(fillStyle), globalAlpha) }));
  }

  setLineDash(lengths) {
    this.probe.setLineDash(lengths);
  }

  clip() {
    const [definition, clipped] = clipTo(shape("path", { d: this.path }));
    this.group.append(definition, clipped);
    this.group = clipped;
  }

  fillRect(...area) {
    const { fillStyle, globalAlpha } = this.probe;
    if (globalAlpha > 0) this.addArea(area, paintAttributes("fill", String(fillStyle), globalAlpha));
  }

  strokeRect(...area) {
    this.group.append(rectangle(this.boxOf(...area), this.strokeAttributes()));
  }

  /** Covers an area with the ground colour, if anything has been drawn. */
  clearRect(...area) {
    if (this.group.childElementCount) this.addArea(area, { fill: this.ground });
  }

  measureText(text) {
    return this.probe.measureText(text);
  }

  fillText(text, x, y, maxWidth = Infinity) {
    const { fillStyle, globalAlpha } = this.probe;
    this.addText(text, { x, y, maxWidth }, paintAttributes("fill", String(fillStyle), globalAlpha));
  }

  strokeText(text, x, y, maxWidth = Infinity) {
    this.addText(text, { x, y, maxWidth }, { ...this.strokeAttributes(), "stroke-linejoin": "round" });
  }

  addText(text, { x, y, maxWidth }, attributes) {
    const { font, textAlign } = this.probe;
    const { a, b, c, d, e, f } = this.matrix;
    const isRotated = Math.abs(b) > 1e-6;
    const size = isRotated ? 1 : Math.hypot(a, b); // a matrix enlarges a rotated text by itself
    const descent = this.baselineDescent();
    const rotated = { x: 0, y: descent, transform: `matrix(${[a, b, c, d, e, f].map(formatCoordinate).join(" ")})` };
    const point = this.matrix.transformPoint({ x, y: y + descent });
    const length = Math.min(maxWidth, this.probe.measureText(text).width) * size;
    this.group.append(shape("text", {
      ...(isRotated ? rotated : { x: point.x, y: point.y }),
      ...fontAttributes(font, size),
      ...attributes,
      "text-anchor": ANCHORS[textAlign],
      ...(maxWidth < Infinity ? { textLength: length, lengthAdjust: "spacingAndGlyphs" } : {}),
    }, text));
  }

  /** Draws an image, or a part of it; a small one becomes squares, which stay sharp at any size. */
  drawImage(image, ...place) {
    if (place.length === 8) return this.drawImage(croppedImage(image, place), ...place.slice(4));
    const [x, y, width = image.width, height = image.height] = place;
    const box = this.boxOf(x, y, width, height);
    const isCrisp = !this.probe.imageSmoothingEnabled;
    const isSmall = image.width * image.height <= MAX_CELLS;
    this.group.append(isCrisp && isSmall ? this.cellsOf(image, box) : stretchedImage(image, box, isCrisp));
  }

  /** A square for every visible pixel of an image, aligned to the pixels of the canvas, so that no gaps show. */
  cellsOf(image, { x, y, width, height }) {
    const { data } = contextOf(image).getImageData(0, 0, image.width, image.height);
    const align = (value) => Math.round(value / this.pixel) * this.pixel;
    const edges = (from, size, count) => Array.from({ length: count + 1 }, (_, i) => align(from + (i * size) / count));
    const columns = edges(x, width, image.width);
    const rows = edges(y, height, image.height);
    const group = shape("g", { "shape-rendering": "crispEdges" });
    for (let row = 0, at = 0; row < image.height; row++) {
      for (let column = 0; column < image.width; column++, at += 4) {
        const opacity = data[at + 3] / 255;
        if (!opacity) continue;
        const [left, right] = columns.slice(column, column + 2);
        const [top, bottom] = rows.slice(row, row + 2);
        const cell = { x: left, y: top, width: right - left, height: bottom - top };
        const visible = String(Math.round(1000 * opacity) / 1000);
        group.append(rectangle(cell, { fill: hex(data.subarray(at, at + 3)), "fill-opacity": visible }));
      }
    }
    return group;
  }

  addArea(area, attributes) {
    this.group.append(rectangle(this.boxOf(...area), { ...attributes, "shape-rendering": "crispEdges" }));
  }

  at(x, y) {
    const point = this.matrix.transformPoint({ x, y });
    return `${formatCoordinate(point.x)},${formatCoordinate(point.y)}`;
  }

  /** A rectangle in the picture; none is rotated. */
  boxOf(x, y, width, height) {
    const from = this.matrix.transformPoint({ x, y });
    const to = this.matrix.transformPoint({ x: x + width, y: y + height });
    return { x: from.x, y: from.y, width: to.x - from.x, height: to.y - from.y };
  }

  strokeAttributes() {
    const { strokeStyle, globalAlpha, lineWidth } = this.probe;
    const width = lineWidth * Math.hypot(this.matrix.a, this.matrix.b);
    const dashes = this.probe.getLineDash().map((length) => (length * width) / lineWidth);
    return {
      fill: "none",
      ...paintAttributes("stroke", String(strokeStyle), globalAlpha),
      "stroke-width": width,
      ...(dashes.length ? { "stroke-dasharray": dashes.map(formatCoordinate).join(" ") } : {}),
    };
  }

  /** The distance from the baseline of the drawing down to the alphabetic baseline, which alone every program knows. */
  baselineDescent() {
    const { probe } = this;
    const { textBaseline } = probe;
    const ascent = probe.measureText("x").fontBoundingBoxAscent;
    probe.textBaseline = "alphabetic";
    const alphabeticAscent = probe.measureText("x").fontBoundingBoxAscent;
    probe.textBaseline = textBaseline;
    return alphabeticAscent - ascent;
  }
}

/**
 * A part of an image, given as for `drawImage`.
 * @param {any} image
 * @param {number[]} place
 */
function croppedImage(image, [left, top, width, height]) {
  const part = Object.assign(document.createElement("canvas"), { width, height });
  contextOf(part).drawImage(image, left, top, width, height, 0, 0, width, height);
  return part;
}

for (const name of STATE) {
  Object.defineProperty(SvgContext.prototype, name, {
    get() { return this.probe[name]; },
    set(value) { this.probe[name] = value; },
  });
}
