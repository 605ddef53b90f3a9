// The colours of style sheets as numbers, so that they can be blended.

import { parseHex } from "../../../ui/contrast.js";

const known = new Map(); // by colour

/** The red, green and blue of any CSS colour, from 0 to 255. @param {string} css @returns {number[]} */
export function channels(css) {
  if (!known.has(css)) {
    const context = document.createElement("canvas").getContext("2d");
    context.fillStyle = css;
    known.set(css, parseHex(String(context.fillStyle)));
  }
  return known.get(css);
}
