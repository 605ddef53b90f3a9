// What draws on a canvas draws here into SVG: the part of a canvas's context that the drawings of this page use.

import { svg } from "../../../ui/element.js";
import { hex, inked, short } from "./colours.js";
import { fontOf } from "./fonts.js";

const MOST_CELLS = 20_000; // pixels of a small picture that become squares; larger ones stay pixels

let clips = 0; // numbers of clipping paths, unlike in one picture

export class Recorder {
  /** `group` of SVG takes what is drawn on a `canvas`; `scale` is what a pixel of the canvas is there, `ground` the colour of what is cleared. */
  constructor(group, { canvas, scale, ground }) {
    const probe = document.createElement("canvas").getContext("2d"); // what knows colours and fonts
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
    return `${short(point.x)},${short(point.y)}`;
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
    return { fill: "none", ...inked("stroke", strokeStyle, globalAlpha), "stroke-width": short(lineWidth * Math.hypot(a, b)) };
  }

  stroke() {
    if (this.path) this.add("path", { d: this.path, ...this.stroking });
  }

  clip() {
    const id = `clip-${clips += 1}`;
    const inside = svg("g", { "clip-path": `url(#${id})` });
    this.group.append(svg("clipPath", { id }, svg("path", { d: this.path })), inside);
    this.group = inside;
  }

  /** Where a rectangle lies; none of ours is turned. */
  box(x, y, width, height) {
    const from = this.matrix.transformPoint({ x, y }), to = this.matrix.transformPoint({ x: x + width, y: y + height });
    return { x: short(from.x), y: short(from.y), width: short(to.x - from.x), height: short(to.y - from.y) };
  }

  fillRect(...place) {
    const { fillStyle, globalAlpha } = this.probe;
    if (globalAlpha > 0) this.add("rect", { ...this.box(...place), ...inked("fill", fillStyle, globalAlpha), "shape-rendering": "crispEdges" });
  }

  strokeRect(...place) {
    this.add("rect", { ...this.box(...place), ...this.stroking });
  }

  /** What is there already is covered; before anything is, there is nothing to clear. */
  clearRect(...place) {
    if (this.group.childElementCount) this.add("rect", { ...this.box(...place), fill: this.ground, "shape-rendering": "crispEdges" });
  }

  measureText(text) {
    return this.probe.measureText(text);
  }

  /** How far below the given line the one is on which letters stand. */
  get below() {
    const { probe, probe: { textBaseline } } = this;
    const given = probe.measureText("x").fontBoundingBoxAscent;
    probe.textBaseline = "alphabetic";
    const whole = probe.measureText("x").fontBoundingBoxAscent;
    probe.textBaseline = textBaseline;
    return whole - given;
  }

  fillText(text, x, y, most = Infinity) {
    const { probe, probe: { fillStyle, globalAlpha, font, textAlign }, matrix: { a, b, c, d, e, f } } = this;
    const width = Math.min(most, probe.measureText(text).width), turned = Math.abs(b) > 1e-6;
    const point = this.matrix.transformPoint({ x, y: y + this.below }), size = Math.hypot(a, b);
    const place = turned ? { x: 0, y: short(this.below), transform: `matrix(${[a, b, c, d, e, f].map(short).join(" ")})` } : { x: short(point.x), y: short(point.y) };
    const anchor = { center: "middle", right: "end", end: "end" }[textAlign];
    this.add("text", {
      ...place, ...fontOf(font, turned ? 1 : size), ...inked("fill", fillStyle, globalAlpha),
      ...(anchor && { "text-anchor": anchor }), ...(most < Infinity && { textLength: short(width * (turned ? 1 : size)), lengthAdjust: "spacingAndGlyphs" }),
    }, text);
  }

  /** A small picture becomes squares, which stay sharp in any size. */
  drawImage(image, x, y, width = image.width, height = image.height) {
    if (!this.imageSmoothingEnabled && image.width * image.height <= MOST_CELLS) this.cells(image, x, y, width, height);
    else this.add("image", { ...this.box(x, y, width, height), href: image.toDataURL(), preserveAspectRatio: "none" });
  }

  cells(image, x, y, width, height) {
    const { data } = image.getContext("2d").getImageData(0, 0, image.width, image.height);
    const across = width / image.width, down = height / image.height, whole = (value) => Math.round(value / this.pixel) * this.pixel;
    const between = (from, to) => [short(whole(from)), short(whole(to) - whole(from))]; // so that no seam is seen
    const group = svg("g", { "shape-rendering": "crispEdges" });
    for (let place = 0; place < data.length; place += 4) {
      const [opacity, column, row] = [data[place + 3] / 255, (place / 4) % image.width, Math.floor(place / 4 / image.width)];
      if (!opacity) continue;
      const [from, to] = [[column, row], [column + 1, row + 1]].map(([i, j]) => this.matrix.transformPoint({ x: x + i * across, y: y + j * down }));
      const [[left, wide], [top, high]] = [between(from.x, to.x), between(from.y, to.y)];
      group.append(svg("rect", { x: left, y: top, width: wide, height: high, fill: hex(data.subarray(place, place + 3)), "fill-opacity": String(Math.round(1000 * opacity) / 1000) }));
    }
    this.group.append(group);
  }
}
