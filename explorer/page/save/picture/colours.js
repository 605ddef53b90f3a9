// Converts CSS colours to the form that every SVG program reads, six hexadecimal digits and an opacity, and fonts to
// attributes, with fallback families that other programs have.

import { contextOf } from "../../../ui/canvas.js";
import { formatCoordinate } from "./shapes.js";

/** @typedef {[number, number, number, number]} Colour Red, green and blue from 0 to 255, opacity from 0 to 1. */

const RGB = /^rgba?\(([^)]*)\)$/;
const SRGB = /^color\(srgb ([^)]*)\)$/;
const DIGITS = /^#([0-9a-f]{3,8})$/i;
const FAMILIES = {
  "system-ui": "system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial",
  "ui-monospace": "ui-monospace, Menlo, Consolas",
  Formula: "Formula, 'STIX Two Math', 'Latin Modern Math', 'Cambria Math'",
  math: "serif",
};
const SHORTHAND = /^(italic )?(?:(bold|[1-9]00) )?([\d.]+)px (.*)$/;

/**
 * Parses a CSS colour; null if it is not a colour.
 *
 * @param {string} css
 * @returns {Colour | null}
 */
export function parseColour(css) {
  const text = css.trim();
  if (text === "transparent") return [0, 0, 0, 0];
  const digits = text.match(DIGITS)?.[1];
  if (digits) return parseDigits(digits);
  const srgb = text.match(SRGB)?.[1];
  const [r, g, b, a = 1] = parseNumbers(srgb ?? text.match(RGB)?.[1] ?? "");
  if (b === undefined) return null;
  return srgb ? [255 * r, 255 * g, 255 * b, a] : [r, g, b, a];
}

function parseNumbers(text) {
  const parts = text.match(/-?[\d.]+(e-?\d+)?%?/gi) ?? [];
  return parts.map((part) => (part.endsWith("%") ? parseFloat(part) / 100 : Number(part)));
}

/** @returns {Colour} */
function parseDigits(digits) {
  const long = digits.length < 6 ? digits.replace(/./g, "$&$&") : digits;
  const [r, g, b, a = 255] = long.match(/../g).map((pair) => parseInt(pair, 16));
  return [r, g, b, a / 255];
}

/** @param {Iterable<number>} colour Any opacity is left out. */
export function hex([r, g, b]) {
  const digits = (part) => Math.round(Math.max(0, Math.min(255, part))).toString(16).padStart(2, "0");
  return `#${[r, g, b].map(digits).join("")}`;
}

/**
 * The attributes of a colour and its opacity.
 *
 * @param {string} name "fill", "stroke" or "stop"
 * @param {string} css
 * @param {number} [opacity] multiplies that of the colour
 */
export function paintAttributes(name, css, opacity = 1) {
  const colour = parseColour(css);
  const property = name === "stop" ? "stop-color" : name;
  if (!colour) return { [property]: css };
  const visible = colour[3] * opacity;
  const opacityAttribute = visible < 1 ? { [`${name}-opacity`]: String(Math.round(1000 * visible) / 1000) } : {};
  return { [property]: hex(colour), ...opacityAttribute };
}

/** @param {string} css the value of a font-family */
export function familyOf(css) {
  const names = css.split(/\s*,\s*/);
  return names.map((name) => FAMILIES[name.replaceAll('"', "")] ?? name.replaceAll('"', "'")).join(", ");
}

/** The attributes of a font, given as the shorthand of a canvas. */
export function fontAttributes(font, scale = 1) {
  const [, italic, weight, size, family] = font.match(SHORTHAND) ?? [null, null, null, "12", "sans-serif"];
  return {
    "font-family": familyOf(family),
    "font-size": formatCoordinate(Number(size) * scale),
    "font-style": italic ? "italic" : undefined,
    "font-weight": weight && weight !== "400" ? weight : undefined,
  };
}

let measureContext = null;

/**
 * The width of a text, and the ascent and descent of its font and of its own letters above and below the baseline, in
 * pixels.
 */
export function fontMetrics(font, text = "x") {
  measureContext ??= contextOf(document.createElement("canvas"));
  measureContext.font = font;
  const metrics = measureContext.measureText(text);
  return {
    width: metrics.width,
    above: metrics.fontBoundingBoxAscent,
    below: metrics.fontBoundingBoxDescent,
    inkAbove: metrics.actualBoundingBoxAscent,
    inkBelow: metrics.actualBoundingBoxDescent,
  };
}
