// The colours of style sheets as numbers, so that they can be blended.

import { contextOf } from "../../../ui/canvas.js";
import { parseHex } from "../../../ui/contrast.js";

const known = new Map(); // by colour

/** The red, green and blue of any CSS colour, from 0 to 255. @param {string} css @returns {number[]} */
export function channels(css) {
  if (!known.has(css)) {
    const context = contextOf(document.createElement("canvas"));
    context.fillStyle = css;
    known.set(css, parseHex(String(context.fillStyle)));
  }
  return known.get(css);
}
