// The colours behind the pieces of a sentence, by their weights, and readable ones of the text on them.

import { parseHex, blend, readableColour } from "../ui/contrast.js";
import { theme } from "../ui/page.js";

const MAX_PERCENT = 75; // opacity of the kind's colour for a weight of 1
const GREY = [128, 128, 128];
const GROUND_OPACITY = 0.09; // background of a piece, --ground of viewer.css
const NO_SHADE = { background: "", text: "", id: "" };

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
    const text = readableColour(background, [ink]);
    const id = readableColour(background, [soft, text]);
    return { background: css(background), text: css(text), id: css(id) };
  });
}

/** The shades of all kinds in both themes, each made on first use. */
export class Shades {
  made = {};

  /** `colours` are those of both themes. */
  constructor(colours) {
    this.colours = colours;
  }

  /** Those of a kind in the page's theme. */
  of(kind) {
    const key = `${theme()} ${kind}`;
    this.made[key] ??= createShades(this.colours[theme()], kind);
    return this.made[key];
  }
}

/** Shades the button of a group by its weight, if it has one. */
export function applyShade(node, shades, weight) {
  const { background, text, id } = weight > 0 ? shades[shadePercent(weight)] : NO_SHADE;
  if (node.shade === background) return;
  node.shade = background;
  Object.assign(node.style, { backgroundColor: background, color: text });
  node.lastChild.style.color = id;
}
