// Converts CSS colours to the form that every SVG program reads, six hexadecimal digits and an opacity, and fonts to attributes,
// with fallback families that other programs have.

const RGB = /^rgba?\(([^)]*)\)$/, SRGB = /^color\(srgb ([^)]*)\)$/, DIGITS = /^#([0-9a-f]{3,8})$/i;
const FAMILIES = { "system-ui": "system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial", "ui-monospace": "ui-monospace, Menlo, Consolas", Formula: "Formula, 'STIX Two Math', 'Latin Modern Math', 'Cambria Math'", math: "serif" };
const SHORTHAND = /^(italic )?(?:(bold|[1-9]00) )?([\d.]+)px (.*)$/;

/** Parses a CSS colour to [red, green, blue, opacity], with an opacity from 0 to 1; null if it is not a colour. */
export function parseColour(css) {
  const text = css.trim();
  if (text === "transparent") return [0, 0, 0, 0];
  const [, digits] = text.match(DIGITS) ?? [];
  if (digits) return fromDigits(digits);
  const [, srgb] = text.match(SRGB) ?? [], [, inside] = text.match(RGB) ?? [];
  const [r, g, b, a = 1] = numbers(srgb ?? inside ?? "");
  if (b === undefined) return null;
  return srgb ? [255 * r, 255 * g, 255 * b, a] : [r, g, b, a];
}

function numbers(text) {
  return (text.match(/-?[\d.]+(e-?\d+)?%?/gi) ?? []).map((part) => (part.endsWith("%") ? parseFloat(part) / 100 : Number(part)));
}

function fromDigits(digits) {
  const long = digits.length < 6 ? [...digits].map((digit) => digit + digit).join("") : digits;
  const [r, g, b, a = 255] = long.match(/../g).map((pair) => parseInt(pair, 16));
  return [r, g, b, a / 255];
}

export function hex([r, g, b]) {
  return `#${[r, g, b].map((part) => Math.round(Math.max(0, Math.min(255, part))).toString(16).padStart(2, "0")).join("")}`;
}

/** A number with at most two decimals. */
export function formatCoordinate(number) {
  return String(Math.round(100 * number) / 100);
}

/** The attributes of a colour and its opacity; `name` is "fill", "stroke" or "stop". */
export function paintAttributes(name, css, opacity = 1) {
  const colour = parseColour(css), property = name === "stop" ? "stop-color" : name;
  if (!colour) return { [property]: css };
  const visible = colour[3] * opacity;
  return { [property]: hex(colour), ...(visible < 1 && { [`${name}-opacity`]: String(Math.round(1000 * visible) / 1000) }) };
}

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
