// The background and the borders of an HTML element as SVG.

import { paintAttributes, parseColour } from "./colours.js";
import { formatCoordinate, rectangle, shape, uniqueId } from "./shapes.js";

/** @typedef {import("./shapes.js").Box} Box */
/** @typedef {{ width: number, kind: string, colour: string }} Border `kind` is a value of CSS's border-style. */

const SIDES = ["Top", "Right", "Bottom", "Left"];
const GRADIENT = /^(repeating-)?linear-gradient\((.*)\)$/;
const STOP = /^(.*?)(?: (-?[\d.]+)(%|px))?$/;
const DEGREES = { "to top": 0, "to right": 90, "to bottom": 180, "to left": 270 }; // clockwise

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

/** A linear gradient, such as a colour scale or hatching; other background images are left out. */
function renderGradient({ backgroundImage, backgroundSize }, box) {
  const [, repeats, content] = backgroundImage.match(GRADIENT) ?? [];
  if (!content) return [];
  const [first, ...others] = content.split(/,\s*(?![^(]*\))/);
  const degrees = DEGREES[first] ?? (first.endsWith("deg") ? parseFloat(first) : null);
  const [across, down = "auto"] = backgroundSize.split(" ");
  const area = { ...box, width: lengthOf(across, box.width), height: lengthOf(down, box.height) };
  const { length, pointAt } = gradientLine(area, degrees ?? DEGREES["to bottom"]);
  const stops = (degrees === null ? [first, ...others] : others).map((text, i, { length: count }) => (
    parseStop(text, i / Math.max(1, count - 1), length)));
  const [from, to] = repeats ? [stops[0].at, stops.at(-1).at] : [0, length];
  const [start, end] = [pointAt(from), pointAt(to)];
  const id = uniqueId("shade");
  const line = { x1: start.x, y1: start.y, x2: end.x, y2: end.y, gradientUnits: "userSpaceOnUse" };
  const shades = stops.flatMap(sidesOf).map(({ at, css, opacity }) => (
    shape("stop", { offset: String((at - from) / (to - from)), ...paintAttributes("stop", css, opacity) })));
  return [
    shape("linearGradient", { id, ...line, spreadMethod: repeats && "repeat" }, ...shades),
    rectangle(area, { fill: `url(#${id})` }),
  ];
}

/** The line along which CSS measures a gradient: its ends lie where the perpendiculars through corners meet it. */
function gradientLine({ x, y, width, height }, degrees) {
  const [across, down] = [Math.sin, (angle) => -Math.cos(angle)].map((part) => part((degrees * Math.PI) / 180));
  const length = Math.abs(width * across) + Math.abs(height * down);
  const pointAt = (at) => (
    { x: x + width / 2 + (at - length / 2) * across, y: y + height / 2 + (at - length / 2) * down });
  return { length, pointAt };
}

/** A stop such as "rgb(0, 0, 0) 20%", its position in pixels; one without a position is at a share of the length. */
function parseStop(text, share, length) {
  const [, css, number, unit] = text.match(STOP);
  if (!unit) return { at: share * length, css };
  return { at: unit === "px" ? Number(number) : (number / 100) * length, css };
}

/** A stop as SVG has it; its "transparent" is black, so either side of such a stop takes its neighbour's colour. */
function sidesOf(stop, i, stops) {
  if (isVisible(stop.css)) return [{ ...stop, opacity: 1 }];
  return [stops[i - 1], stops[i + 1]].filter(Boolean).map(({ css }) => ({ at: stop.at, css, opacity: 0 }));
}

/** The length of one direction of a background-size; only percentages are known. */
function lengthOf(size, whole) {
  return size.endsWith("%") ? (parseFloat(size) / 100) * whole : whole;
}
