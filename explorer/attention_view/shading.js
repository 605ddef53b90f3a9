// How strongly a piece of a sentence is shaded, and in what it is written so that it can be read on that.

import { parseHex, blend, readableColour } from "../ui/contrast.js";

const DARKEST = 75; // percent of the kind's colour in a piece whose weight is 1
const GREY = [128, 128, 128], EMPTY = 0.09; // the ground of a piece, --ground of viewer.css

/** The percent of the kind's colour that a weight gives. */
export function percent(weight) {
  return Math.round(Math.min(1, weight || 0) * DARKEST);
}

/**
 * For every percent a background, and colours of the text and of the id below it, of which those are kept that can be
 * read. `colours` are those of the page's theme.
 */
export function shadesOf(colours, kind) {
  const [accent, ink, soft, page] = [kind, "ink", "text", "ground"].map((name) => parseHex(colours[name]));
  const css = (colour) => `rgb(${colour.map(Math.round).join(",")})`;
  return Array.from({ length: DARKEST + 1 }, (_, share) => {
    const background = blend(accent, blend(GREY, page, EMPTY), share / 100).map(Math.round);
    const text = readableColour(background, [ink]), id = readableColour(background, [soft, text]);
    return { background: css(background), text: css(text), id: css(id) };
  });
}
