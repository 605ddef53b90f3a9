// Font attributes for SVG, with fallback families that other programs have.

import { formatCoordinate } from "./colours.js";

const FAMILIES = { "system-ui": "system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial", "ui-monospace": "ui-monospace, Menlo, Consolas", Formula: "Formula, 'STIX Two Math', 'Latin Modern Math', 'Cambria Math'", math: "serif" };
const SHORTHAND = /^(italic )?(?:(bold|[1-9]00) )?([\d.]+)px (.*)$/;

export function familyOf(css) {
  return css.split(/\s*,\s*/).map((name) => FAMILIES[name.replaceAll('"', "")] ?? name.replaceAll('"', "'")).join(", ");
}

/** The attributes of a font, given as the shorthand of a canvas. */
export function fontAttributes(font, scale = 1) {
  const [, style, weight, size, family] = font.match(SHORTHAND) ?? [null, null, null, "12", "sans-serif"];
  return {
    "font-family": familyOf(family), "font-size": formatCoordinate(size * scale),
    ...(style && { "font-style": "italic" }), ...(weight && weight !== "400" && { "font-weight": weight }),
  };
}

let measureContext = null;

/**
 * The width of a text, and the ascent and descent of its font and of its own letters above and below the baseline, in
 * pixels.
 */
export function fontMetrics(font, text = "x") {
  measureContext ??= document.createElement("canvas").getContext("2d");
  measureContext.font = font;
  const textMetrics = measureContext.measureText(text);
  return {
    width: textMetrics.width, above: textMetrics.fontBoundingBoxAscent, below: textMetrics.fontBoundingBoxDescent,
    inkAbove: textMetrics.actualBoundingBoxAscent, inkBelow: textMetrics.actualBoundingBoxDescent,
  };
}
