// The colours of style sheets as numbers, so that they can be blended.

import { contextOf } from "../../../ui/canvas.js";
import { parseHex } from "../../../ui/contrast.js";

const known = new Map(); // by colour

/**
 * Colours by name as their red, green and blue, from 0 to 255.
 * @template {string} Name
 * @param {Record<Name, string>} colours in CSS
 * @returns {Record<Name, number[]>}
 */
export function channelsOf(colours) {
  return /** @type {any} */ (Object.fromEntries(Object.entries(colours).map(([name, css]) => [name, channels(css)])));
}

/** @param {string} css @returns {number[]} */
function channels(css) {
  if (!known.has(css)) {
    const context = contextOf(document.createElement("canvas"));
    context.fillStyle = css;
    known.set(css, parseHex(String(context.fillStyle)));
  }
  return known.get(css);
}
