// A canvas context that draws SVG, with the methods that the drawings of this page use.

import { svg } from "../../../ui/element.js";
import { hex, paintAttributes, formatCoordinate, fontAttributes } from "./colours.js";

const MAX_CELLS = 20_000; // pixels of an image that become squares; a larger image stays an image

let clipCount = 0; // for unique ids of clipping paths

export class SvgContext {
  /** `group` receives the SVG; `scale` is the size of a canvas pixel in it, `ground` the colour of cleared areas. */
  constructor(group, { canvas, scale, ground }) {
    const probe = document.createElement("canvas").getContext("2d"); // parses colours and measures fonts
    Object.assign(this, { canvas, group, ground, probe, pixel: scale, base: new DOMMatrix().scale(scale), path: "", stack: [] });
    this.matrix = this.base;
    for (const name of ["fillStyle", "strokeStyle", "font", "globalAlpha", "lineWidth", "textAlign", "textBaseline", "imageSmoothingEnabled"]) {
      Object.defineProperty(this, name, { get: () => probe[name], set: (value) => { probe[name] = value; } });
    }
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

  at(x, y) {
    const point = this.matrix.transformPoint({ x, y });
    return `${formatCoordinate(point.x)},${formatCoordinate(point.y)}`;
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

  rect(x, y, width, height) {
    this.path += `M${this.at(x, y)}L${this.at(x + width, y)}L${this.at(x + width, y + height)}L${this.at(x, y + height)}Z`;
  }

  add(name, attributes, ...children) {
    this.group.append(svg(name, attributes, ...children));
  }

  get stroking() {
    const { probe: { strokeStyle, globalAlpha, lineWidth }, matrix: { a, b } } = this;
    return { fill: "none", ...paintAttributes("stroke", strokeStyle, globalAlpha), "stroke-width": formatCoordinate(lineWidth * Math.hypot(a, b)) };
  }

  stroke() {
    if (this.path) this.add("path", { d: this.path, ...this.stroking });
  }

  clip() {
    const id = `clip-${clipCount += 1}`;
    const clippedGroup = svg("g", { "clip-path": `url(#${id})` });
    this.group.append(svg("clipPath", { id }, svg("path", { d: this.path })), clippedGroup);
    this.group = clippedGroup;
  }

  /** The attributes of a rectangle; none is rotated. */
  box(x, y, width, height) {
    const from = this.matrix.transformPoint({ x, y }), to = this.matrix.transformPoint({ x: x + width, y: y + height });
    return { x: formatCoordinate(from.x), y: formatCoordinate(from.y), width: formatCoordinate(to.x - from.x), height: formatCoordinate(to.y - from.y) };
  }

  fillRect(...place) {
    const { fillStyle, globalAlpha } = this.probe;
    if (globalAlpha > 0) this.add("rect", { ...this.box(...place), ...paintAttributes("fill", fillStyle, globalAlpha), "shape-rendering": "crispEdges" });
  }

  strokeRect(...place) {
    this.add("rect", { ...this.box(...place), ...this.stroking });
  }

  /** Covers an area with the ground colour, if anything has been drawn. */
  clearRect(...place) {
    if (this.group.childElementCount) this.add("rect", { ...this.box(...place), fill: this.ground, "shape-rendering": "crispEdges" });
  }

  measureText(text) {
    return this.probe.measureText(text);
  }

  /** The distance from the context's text baseline down to the alphabetic baseline. */
  get below() {
    const { probe, probe: { textBaseline } } = this;
    const ascent = probe.measureText("x").fontBoundingBoxAscent;
    probe.textBaseline = "alphabetic";
    const alphabeticAscent = probe.measureText("x").fontBoundingBoxAscent;
    probe.textBaseline = textBaseline;
    return alphabeticAscent - ascent;
  }

  fillText(text, x, y, maxWidth = Infinity) {
    const { probe, probe: { fillStyle, globalAlpha, font, textAlign }, matrix: { a, b, c, d, e, f } } = this;
    const width = Math.min(maxWidth, probe.measureText(text).width), isRotated = Math.abs(b) > 1e-6;
    const point = this.matrix.transformPoint({ x, y: y + this.below }), size = Math.hypot(a, b);
    const place = isRotated ? { x: 0, y: formatCoordinate(this.below), transform: `matrix(${[a, b, c, d, e, f].map(formatCoordinate).join(" ")})` } : { x: formatCoordinate(point.x), y: formatCoordinate(point.y) };
    const anchor = { center: "middle", right: "end", end: "end" }[textAlign];
    this.add("text", {
      ...place, ...fontAttributes(font, isRotated ? 1 : size), ...paintAttributes("fill", fillStyle, globalAlpha),
      ...(anchor && { "text-anchor": anchor }), ...(maxWidth < Infinity && { textLength: formatCoordinate(width * (isRotated ? 1 : size)), lengthAdjust: "spacingAndGlyphs" }),
    }, text);
  }

  /** Draws an image; a small one becomes squares, which stay sharp at any size. */
  drawImage(image, x, y, width = image.width, height = image.height) {
    if (!this.imageSmoothingEnabled && image.width * image.height <= MAX_CELLS) this.cells(image, x, y, width, height);
    else this.add("image", { ...this.box(x, y, width, height), href: image.toDataURL(), preserveAspectRatio: "none" });
  }

  cells(image, x, y, width, height) {
    const { data } = image.getContext("2d").getImageData(0, 0, image.width, image.height);
    const cellWidth = width / image.width, cellHeight = height / image.height, alignToPixel = (value) => Math.round(value / this.pixel) * this.pixel;
    const alignedSpan = (from, to) => [formatCoordinate(alignToPixel(from)), formatCoordinate(alignToPixel(to) - alignToPixel(from))]; // aligned to pixels, so that no gaps show
    const group = svg("g", { "shape-rendering": "crispEdges" });
    for (let place = 0; place < data.length; place += 4) {
      const [opacity, column, row] = [data[place + 3] / 255, (place / 4) % image.width, Math.floor(place / 4 / image.width)];
      if (!opacity) continue;
      const [from, to] = [[column, row], [column + 1, row + 1]].map(([i, j]) => this.matrix.transformPoint({ x: x + i * cellWidth, y: y + j * cellHeight }));
      const [[left, wide], [top, high]] = [alignedSpan(from.x, to.x), alignedSpan(from.y, to.y)];
      group.append(svg("rect", { x: left, y: top, width: wide, height: high, fill: hex(data.subarray(place, place + 3)), "fill-opacity": String(Math.round(1000 * opacity) / 1000) }));
    }
    this.group.append(group);
  }
}
