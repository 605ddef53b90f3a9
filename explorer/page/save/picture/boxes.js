// The background and the borders of an HTML element as SVG.

import { paintAttributes, parseColour } from "./colours.js";
import { formatCoordinate, rectangle, shape, uniqueId } from "./shapes.js";

/** @typedef {import("./shapes.js").Box} Box */
/** @typedef {{ width: number, kind: string, colour: string }} Border `kind` is a value of CSS's border-style. */

const SIDES = ["Top", "Right", "Bottom", "Left"];
const GRADIENT = /^linear-gradient\((.*)\)$/;
const TO_BOTTOM = { x1: 0, y1: 0, x2: 0, y2: 1 };
const DIRECTIONS = {
  "to top": { x1: 0, y1: 1, x2: 0, y2: 0 },
  "to bottom": TO_BOTTOM,
  "to right": { x1: 0, y1: 0, x2: 1, y2: 0 },
  "to left": { x1: 1, y1: 0, x2: 0, y2: 0 },
};

/**
 * The background and the borders of an element with a computed style.
 *
 * @param {CSSStyleDeclaration} style
 * @param {Box} box
 */
export function renderBox(style, box) {
  if (box.width <= 0 || box.height <= 0) return [];
  const radius = Math.min(parseFloat(style.borderTopLeftRadius) || 0, box.width / 2, box.height / 2);
  const corners = { rx: radius || undefined };
  const background = { ...corners, ...paintAttributes("fill", style.backgroundColor) };
  return [
    ...(isVisible(style.backgroundColor) ? [rectangle(box, background)] : []),
    ...renderGradient(style, box),
    ...renderBorders(bordersOf(style), box, corners),
  ];
}

function isVisible(css) {
  return (parseColour(css)?.[3] ?? 0) > 0;
}

/**
 * The borders in the order of SIDES; null for an invisible one.
 *
 * @returns {(Border | null)[]}
 */
function bordersOf(style) {
  return SIDES.map((side) => {
    const width = parseFloat(style[`border${side}Width`]);
    const kind = style[`border${side}Style`];
    const colour = style[`border${side}Color`];
    const isDrawn = width > 0 && !["none", "hidden"].includes(kind) && isVisible(colour);
    return isDrawn ? { width, kind, colour } : null;
  });
}

/** Four equal borders are a rectangle, others are a line each. */
function renderBorders(borders, { x, y, width, height }, corners) {
  const [first] = borders;
  const isEqual = (border) => border !== null && Object.keys(first).every((name) => border[name] === first[name]);
  if (first && borders.every(isEqual)) {
    const half = first.width / 2;
    const middle = { x: x + half, y: y + half, width: width - first.width, height: height - first.width };
    return [rectangle(middle, { ...corners, ...strokeAttributes(first) })];
  }
  const edges = [
    (half) => ({ x1: x, y1: y + half, x2: x + width, y2: y + half }),
    (half) => ({ x1: x + width - half, y1: y, x2: x + width - half, y2: y + height }),
    (half) => ({ x1: x, y1: y + height - half, x2: x + width, y2: y + height - half }),
    (half) => ({ x1: x + half, y1: y, x2: x + half, y2: y + height }),
  ];
  return borders.flatMap((border, side) => {
    if (!border) return [];
    return [shape("line", { ...edges[side](border.width / 2), ...strokeAttributes(border) })];
  });
}

/** @param {Border} border */
function strokeAttributes({ width, kind, colour }) {
  const dashes = { dashed: [3 * width, 2 * width], dotted: [width, width] }[kind];
  return {
    fill: "none",
    "stroke-width": width,
    "stroke-dasharray": dashes?.map(formatCoordinate).join(" "),
    ...paintAttributes("stroke", colour),
  };
}

/** A linear gradient, such as a colour scale; other background images are left out. */
function renderGradient({ backgroundImage, backgroundSize }, box) {
  const content = backgroundImage.match(GRADIENT)?.[1];
  if (!content) return [];
  const [first, ...others] = content.split(/,\s*(?![^(]*\))/);
  const stops = first in DIRECTIONS ? others : [first, ...others];
  const [across, down = "auto"] = backgroundSize.split(" ");
  const size = { width: lengthOf(across, box.width), height: lengthOf(down, box.height) };
  const id = uniqueId("shade");
  return [
    shape("linearGradient", { id, ...(DIRECTIONS[first] ?? TO_BOTTOM) }, ...stops.map(renderStop)),
    rectangle({ ...box, ...size }, { fill: `url(#${id})` }),
  ];
}

/** A stop such as "rgb(0, 0, 0) 20%"; those without a position are at equal distances. */
function renderStop(text, number, { length }) {
  const [, css, percent] = text.match(/^(.*?)(?: (-?[\d.]+)%)?$/);
  const offset = percent === undefined ? number / Math.max(1, length - 1) : percent / 100;
  return shape("stop", { offset: String(offset), ...paintAttributes("stop", css) });
}

/** The length of one direction of a background-size; only percentages are known. */
function lengthOf(size, whole) {
  return size.endsWith("%") ? (parseFloat(size) / 100) * whole : whole;
}
