// The elements of a picture: SVG that every program reads, with numbers of at most two decimals.

import { svg } from "../../../ui/element.js";
import { zoom } from "../../../ui/page.js";

/** @typedef {{ x: number, y: number, width: number, height: number }} Box In pixels of the picture. */

let idCount = 0;

/** @param {number} number */
export function formatCoordinate(number) {
  return String(Math.round(100 * number) / 100);
}

/**
 * Creates an SVG element; attributes that are undefined are left out.
 *
 * @param {string} name
 * @param {Record<string, string | number | undefined>} [attributes]
 * @param {...(Node | string)} children
 */
export function shape(name, attributes = {}, ...children) {
  const node = svg(name, {}, ...children);
  setAttributes(node, attributes);
  return node;
}

/**
 * @param {SVGElement} node
 * @param {Record<string, string | number | undefined>} attributes
 */
export function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) node.setAttribute(name, typeof value === "number" ? formatCoordinate(value) : value);
  }
}

/** @param {Box} box */
export function rectangle({ x, y, width, height }, attributes = {}) {
  return shape("rect", { x, y, width, height, ...attributes });
}

/**
 * The pixels of a canvas in a box. Crisp ones have edges at any size; browsers and other programs name that apart.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {Box} box
 * @param {boolean} isCrisp
 */
export function stretchedImage(canvas, box, isCrisp) {
  const rendering = isCrisp ? { "image-rendering": "optimizeSpeed", style: "image-rendering: pixelated" } : {};
  return shape("image", { ...box, href: canvas.toDataURL(), preserveAspectRatio: "none", ...rendering });
}

/** An id that no other element of the picture has. */
export function uniqueId(name) {
  idCount += 1;
  return `${name}-${idCount}`;
}

/**
 * Clips elements to an outline.
 *
 * @param {SVGElement} outline
 * @param {...Node} children
 * @returns {SVGElement[]} the definition, and the group to which more elements may be added
 */
export function clipTo(outline, ...children) {
  const id = uniqueId("clip");
  return [shape("clipPath", { id }, outline), shape("g", { "clip-path": `url(#${id})` }, ...children)];
}

/** Converts positions in the window to positions in the picture, which has no zoom. */
export class Frame {
  /** @type {number} */ left;
  /** @type {number} */ top;
  /** @type {number} */ zoomFactor = zoom();

  /** @param {{ left: number, top: number }} corner the upper left corner of the picture in the window */
  constructor({ left, top }) {
    this.left = left;
    this.top = top;
  }

  /**
   * @param {{ left: number, top: number, right: number, bottom: number }} rect in pixels of the window
   * @returns {Box}
   */
  boxOf({ left, top, right, bottom }) {
    const { zoomFactor } = this;
    return {
      x: (left - this.left) / zoomFactor,
      y: (top - this.top) / zoomFactor,
      width: (right - left) / zoomFactor,
      height: (bottom - top) / zoomFactor,
    };
  }
}
