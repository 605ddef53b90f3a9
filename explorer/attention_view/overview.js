// All layers (rows) and heads (columns) of one kind as thumbnails on one canvas, with buttons for keyboard and screen
// readers.

import { headLine } from "./head_names.js";
import { contextOf } from "../ui/canvas.js";
import { blend, parseHex } from "../ui/contrast.js";
import { button, element } from "../ui/element.js";
import { pageFont, pixelRatio, registerDraw } from "../ui/page.js";
import { pixelsOf } from "../ui/pixels.js";
import { fill, headsName } from "../ui/text.js";

const isSameHead = (one, other) => one.layer === other.layer && one.head === other.head;

export class HeadButtons {
  key = "";
  marked = "";
  /** The weights by which the heads are named now, and whether they were loaded. */
  named = { map: null, isReady: false };

  /**
   * `words` number the heads, `nameOf(map, { layer, head })` has the name of one (head_names.js); a click calls
   * `choose({ layer, head })`.
   */
  constructor(node, words, nameOf, choose) {
    this.node = node;
    this.words = words;
    this.nameOf = nameOf;
    this.choose = choose;
  }

  /** Creates the buttons, if the kind or its number of layers or heads has changed, and names them. */
  offer(map) {
    const { kind, layers, heads, ready } = map;
    const key = `${kind} ${layers} ${heads}`;
    if (key !== this.key) this.create(layers, heads);
    else if (map === this.named.map && ready === this.named.isReady) return;
    this.key = key;
    this.named = { map, isReady: ready };
    this.all.forEach((site, i) => this.name(this.node.children[i], this.nameOf(map, site), site));
  }

  create(layers, heads) {
    this.marked = "";
    this.node.dataset.columns = heads;
    this.node.style.gridTemplateColumns = `repeat(${heads}, 1fr)`;
    this.all = Array.from({ length: layers * heads }, (_, i) => ({ layer: Math.floor(i / heads), head: i % heads }));
    this.node.replaceChildren(...this.all.map((site) => button(() => this.choose(site))));
  }

  /** Only the short measured name has room on a thumbnail; the rest is in the title. */
  name(node, { short, share, full, hint, here }, site) {
    const numbers = headsName(this.words, site);
    const label = element("span", { "aria-hidden": "true" }, short);
    if (share) label.append(" ", element("small", {}, share));
    // What is read on the button is said of it, too: the short name may be another word.
    const said = short && !full.includes(short) ? `${full} (${short})` : full;
    node.title = headLine(numbers, hint ? `${full} (${hint})` : full, here);
    node.setAttribute("aria-label", headLine(numbers, said, here));
    node.replaceChildren(label);
  }

  /** Marks the chosen head; a mean or maximum marks none. */
  mark(choice) {
    const markedKey = JSON.stringify([choice.layer, choice.head]);
    if (markedKey === this.marked) return;
    this.marked = markedKey;
    this.all.forEach((heads, i) => {
      this.node.children[i].setAttribute("aria-pressed", isSameHead(choice, heads));
    });
  }
}

const LABEL = 26, GAP = 3, GROUND_OPACITY = 0.1; // LABEL is also in viewer.css
const HATCHING = 6; // pixels between two lines over a head that is off
const GREY = [128, 128, 128];
const NAME = 21, LEAST_WITH_NAME = 42; // pixels of the line with a head's name, and of a thumbnail that has one
const SHARE = 15, LEAST_WITH_SHARE = 60; // the same of the line with its share
const SAVED_RATIO = 4; // pixels of a thumbnail per CSS pixel in a saved picture
const MIN_NAME_WIDTH = 22; // pixels that a label such as "L1" needs
const MAX_CACHED = 3; // pictures, one per kind

/** The size of a thumbnail, the height of a row and that of the canvas in CSS pixels; thumbnails are square. */
function layout(map, width, hasNames) {
  const size = (width - LABEL) / map.heads;
  const hasShares = hasNames && size >= LEAST_WITH_SHARE;
  const row = size + (hasNames && size >= LEAST_WITH_NAME ? NAME : 0) + (hasShares ? SHARE : 0);
  return { size, row, hasShares, height: LABEL + map.layers * row };
}

/**
 * RGBA pixels of one head. A pixel shows the strongest of its cells, so that a sharp spot is not averaged away. Zero is
 * light grey, and masked cells are transparent; `ceiling` is the number with the full colour.
 */
export function thumbnail(rows, reach, size, colour, ceiling = 1) {
  const lines = spans(size, rows.length);
  const columns = spans(size, rows[0].length);
  return pixelsOf(size, size, (y, x) => {
    const strongest = strongestIn(rows, reach, lines[y], columns[x]);
    return strongest < 0 ? null : shadeOf(strongest / ceiling, colour);
  });
}

/** The cells that each pixel shows, from the first to the one after the last. @returns {[number, number][]} */
function spans(pixels, count) {
  return Array.from({ length: pixels }, (_, pixel) => {
    const first = Math.floor((pixel * count) / pixels);
    return [first, Math.max(first + 1, Math.floor(((pixel + 1) * count) / pixels))];
  });
}

/** The largest weight in some rows and columns; -1 where all are masked. */
function strongestIn(rows, reach, [top, bottom], [left, right]) {
  let strongest = -1;
  for (let query = top; query < bottom; query++) {
    for (let key = left; key < Math.min(right, reach[query]); key++) strongest = Math.max(strongest, rows[query][key]);
  }
  return strongest;
}

/** A colour over the grey of the ground. @returns {import("../ui/pixels.js").Shade} */
function shadeOf(share, colour) {
  const ground = GROUND_OPACITY * (1 - share);
  return [blend(GREY, colour, ground / (ground + share)), ground + share];
}

export class Overview {
  /** `words` are short names of a layer and a head; `hasNames` says whether heads have names of their own. */
  constructor(canvas, words, hasNames) {
    this.canvas = canvas;
    this.words = words;
    this.hasNames = hasNames;
    this.bases = new Map();
    registerDraw(canvas, (asVector) => this.drawn && this.draw(...this.drawn, asVector));
  }

  /**
   * Draws the known rows and a frame around the chosen heads; thumbnails are cached by map and colour. For a vector
   * picture (registerDraw) thumbnails are finer, and labels are drawn as text.
   */
  draw(map, scene, asVector = false) {
    this.drawn = [map, scene];
    const { submission, known, colour, text, choice, masked, changed, moved } = scene;
    const ratio = pixelRatio();
    const width = this.canvas.clientWidth || 260;
    const { size, row, hasShares, height } = layout(map, width, this.hasNames);
    this.canvas.parentNode.toggleAttribute("data-shares", hasShares);
    this.canvas.parentNode.toggleAttribute("data-named", row > size);
    const key = JSON.stringify([submission, map.kind, map.measure, colour, width, ratio]);
    if (!this.bases.has(key)) {
      const base = drawThumbnails(map, { width, height, size, row, ratio, colour });
      drawNames(scaleContext(base, ratio), map, { size, row, text }, this.words);
      this.bases.set(key, base);
    }
    if (this.bases.size > MAX_CACHED) this.bases.delete(this.bases.keys().next().value);
    const base = this.bases.get(key);
    const sizes = { width: base.width, height: base.height };
    if (this.canvas.width !== sizes.width || this.canvas.height !== sizes.height) {
      Object.assign(this.canvas, sizes);
      this.canvas.style.height = `${height}px`;
    }
    const context = contextOf(this.canvas);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, sizes.width, sizes.height);
    const image = asVector ? drawThumbnails(map, { width, height, size, row, ratio: SAVED_RATIO, colour }) : base;
    context.drawImage(image, 0, 0, base.width, base.height);
    context.scale(ratio, ratio);
    if (asVector) drawNames(context, map, { size, row, text }, this.words);
    const unknownHeight = ((map.queries.length - known) / map.queries.length) * (size - GAP);
    for (let layer = 0; unknownHeight > 0 && layer < map.layers; layer++) {
      context.clearRect(LABEL, LABEL + layer * row + size - GAP - unknownHeight, width - LABEL, unknownHeight);
    }
    for (const [layer, head] of map.off) hatch(context, { layer, head }, { size, row, colour: masked });
    for (const site of moved) drawOutline(context, site, map, { size, row, colour: changed });
    drawOutline(context, choice, map, { size, row, colour });
  }
}

function scaleContext(canvas, ratio) {
  const context = contextOf(canvas);
  context.scale(ratio, ratio);
  return context;
}

/** A canvas with all thumbnails of a map. */
function drawThumbnails(map, { width, height, size, row, ratio, colour }) {
  const base = document.createElement("canvas");
  Object.assign(base, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  const context = contextOf(base);
  const pixels = Math.max(1, Math.round((size - GAP) * ratio));
  const reach = map.queries.map((_, query) => map.reach(query));
  for (let layer = 0; layer < map.layers; layer++) {
    for (let head = 0; head < map.heads; head++) {
      const image = new ImageData(
        thumbnail(map.one(layer, head), reach, pixels, parseHex(colour), map.ceiling),
        pixels,
        pixels,
      );
      const [left, top] = [head * size, layer * row].map((distance) => Math.round((LABEL + distance) * ratio));
      context.putImageData(image, left, top);
    }
  }
  return base;
}

/** Draws the names of layers and heads beside the thumbnails. */
function drawNames(context, map, { size, row, text }, words) {
  Object.assign(context, { font: `${size < LEAST_WITH_NAME ? 11 : 14}px ${pageFont()}`, fillStyle: text });
  Object.assign(context, { textAlign: "center", textBaseline: "middle" });
  const middle = (distance) => LABEL + distance + (size - GAP) / 2;
  const nameOf = (name, number) => (size < MIN_NAME_WIDTH ? `${number + 1}` : fill(name, { number: number + 1 }));
  for (let head = 0; head < map.heads; head++) {
    context.fillText(nameOf(words.head, head), middle(head * size), LABEL / 2);
  }
  for (let layer = 0; layer < map.layers; layer++) {
    context.fillText(nameOf(words.layer, layer), LABEL / 2 - 3, middle(layer * row));
  }
}

/** Draws lines over the thumbnail of a head that is off. */
function hatch(context, { layer, head }, { size, row, colour }) {
  const box = { left: LABEL + head * size, top: LABEL + layer * row, side: size - GAP };
  context.save();
  context.beginPath();
  context.rect(box.left, box.top, box.side, box.side);
  context.clip();
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  for (let shift = HATCHING / 2; shift < 2 * box.side; shift += HATCHING) {
    context.moveTo(box.left + shift, box.top);
    context.lineTo(box.left + shift - box.side, box.top + box.side);
  }
  context.stroke();
  context.restore();
}

/** Draws a frame around one thumbnail, or around all that a mean or maximum covers. */
function drawOutline(context, { layer, head }, map, { size, row, colour }) {
  const [top, layers] = typeof layer === "number" ? [layer, 1] : [0, map.layers];
  const [left, heads] = typeof head === "number" ? [head, 1] : [0, map.heads];
  context.strokeStyle = colour;
  context.lineWidth = 2;
  const height = (layers - 1) * row + size - GAP + 2;
  context.strokeRect(LABEL + left * size - 1, LABEL + top * row - 1, heads * size - GAP + 2, height);
}
