// Fonts as SVG names them: with families that other programs have, where this browser's own are named first.

import { short } from "./colours.js";

const FAMILIES = { "system-ui": "system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial", "ui-monospace": "ui-monospace, Menlo, Consolas", Formula: "Formula, 'STIX Two Math', 'Latin Modern Math', 'Cambria Math'", math: "serif" };
const SHORTHAND = /^(italic )?(?:(bold|[1-9]00) )?([\d.]+)px (.*)$/;

export function familyOf(css) {
  return css.split(/\s*,\s*/).map((name) => FAMILIES[name.replaceAll('"', "")] ?? name.replaceAll('"', "'")).join(", ");
}

/** The attributes of a text in a font as a canvas says it. */
export function fontOf(font, scale = 1) {
  const [, style, weight, size, family] = font.match(SHORTHAND) ?? [null, null, null, "12", "sans-serif"];
  return {
    "font-family": familyOf(family), "font-size": short(size * scale),
    ...(style && { "font-style": "italic" }), ...(weight && weight !== "400" && { "font-weight": weight }),
  };
}

let measuring = null;

/**
 * How wide a text is, how far its font reaches above and below the line on which its letters stand, and how far its own
 * letters do; in pixels.
 */
export function metrics(font, text = "x") {
  measuring ??= document.createElement("canvas").getContext("2d");
  measuring.font = font;
  const found = measuring.measureText(text);
  return {
    width: found.width, above: found.fontBoundingBoxAscent, below: found.fontBoundingBoxDescent,
    inkAbove: found.actualBoundingBoxAscent, inkBelow: found.actualBoundingBoxDescent,
  };
}
