// The shading of pieces by weight, with readable text colours.

import { parseHex, blend, readableColour } from "../ui/contrast.js";

const MAX_PERCENT = 75; // opacity of the kind's colour for a weight of 1
const GREY = [128, 128, 128], GROUND_OPACITY = 0.09; // background of a piece, --ground of viewer.css

/** The opacity of the kind's colour for a weight, in percent. */
export function shadePercent(weight) {
  return Math.round(Math.min(1, weight || 0) * MAX_PERCENT);
}

/**
 * For every percent the background, and readable colours of the text and of the id below it. `colours` are those of the
 * page's theme.
 */
export function createShades(colours, kind) {
  const [accent, ink, soft, page] = [kind, "ink", "text", "ground"].map((name) => parseHex(colours[name]));
  const css = (colour) => `rgb(${colour.map(Math.round).join(",")})`;
  return Array.from({ length: MAX_PERCENT + 1 }, (_, share) => {
    const background = blend(accent, blend(GREY, page, GROUND_OPACITY), share / 100).map(Math.round);
    const text = readableColour(background, [ink]), id = readableColour(background, [soft, text]);
    return { background: css(background), text: css(text), id: css(id) };
  });
}
