// Grounds and borders of the page's elements as SVG.

import { svg } from "../../../ui/element.js";
import { inked, parsed, short } from "./colours.js";

const SIDES = ["Top", "Right", "Bottom", "Left"];
const GRADIENT = /^linear-gradient\((.*)\)$/;
const TO = { "to top": [0, 1, 0, 0], "to bottom": [0, 0, 0, 1], "to right": [0, 0, 1, 0], "to left": [1, 0, 0, 0] };

let gradients = 0;

const seen = (css) => (parsed(css)?.[3] ?? 0) > 0;

/** The four borders that are seen. */
function bordersOf(style) {
  return SIDES.map((side) => {
    const width = parseFloat(style[`border${side}Width`]), kind = style[`border${side}Style`], colour = style[`border${side}Color`];
    return width > 0 && !["none", "hidden"].includes(kind) && seen(colour) ? { width, kind, colour } : null;
  });
}

function stroked({ width, kind, colour }) {
  const dashes = { dashed: [3 * width, 2 * width], dotted: [width, width] }[kind];
  return { fill: "none", "stroke-width": short(width), ...inked("stroke", colour), ...(dashes && { "stroke-dasharray": dashes.map(short).join(" ") }) };
}

/** Ground and borders of a box { x, y, width, height } in the picture. */
export function boxOf(style, box) {
  const { x, y, width, height } = box;
  if (width <= 0 || height <= 0) return [];
  const radius = Math.min(parseFloat(style.borderTopLeftRadius) || 0, width / 2, height / 2), round = radius ? { rx: short(radius) } : {};
  const place = { x: short(x), y: short(y), width: short(width), height: short(height) }, found = [];
  if (seen(style.backgroundColor)) found.push(svg("rect", { ...place, ...round, ...inked("fill", style.backgroundColor) }));
  found.push(...graded(style, place, box));
  const borders = bordersOf(style), [first] = borders;
  if (first && borders.every((one) => one && one.width === first.width && one.colour === first.colour && one.kind === first.kind)) {
    const half = first.width / 2, inner = { x: short(x + half), y: short(y + half), width: short(width - first.width), height: short(height - first.width) };
    return [...found, svg("rect", { ...inner, ...round, ...stroked(first) })];
  }
  return [...found, ...borders.map((border, side) => border && edge(border, side, box)).filter(Boolean)];
}

/** One border of a box, by the number of its side. */
function edge(border, side, { x, y, width, height }) {
  const half = border.width / 2;
  const [x1, y1, x2, y2] = [
    [x, y + half, x + width, y + half], [x + width - half, y, x + width - half, y + height],
    [x, y + height - half, x + width, y + height - half], [x + half, y, x + half, y + height],
  ][side].map(short);
  return svg("line", { x1, y1, x2, y2, ...stroked(border) });
}

/** A linear gradient, as of a colour scale; other images of CSS are left out. */
function graded({ backgroundImage, backgroundSize }, place, { width, height }) {
  const [, inside] = backgroundImage.match(GRADIENT) ?? [];
  if (!inside) return [];
  const parts = inside.split(/,\s*(?![^(]*\))/), way = TO[parts[0]] ?? TO["to bottom"];
  const stops = (TO[parts[0]] ? parts.slice(1) : parts).map((part) => part.match(/^(.*?)(?: (-?[\d.]+)%)?$/));
  const id = `shade-${gradients += 1}`, [x1, y1, x2, y2] = way;
  const offset = (at, i) => (at === undefined ? i / Math.max(1, stops.length - 1) : at / 100);
  const [across, down = "auto"] = backgroundSize.split(" "), part = (size, whole) => (size.endsWith("%") ? (parseFloat(size) / 100) * whole : whole);
  return [
    svg("linearGradient", { id, x1, y1, x2, y2 }, ...stops.map(([, css, at], i) => svg("stop", { offset: offset(at, i), ...inked("stop", css) }))),
    svg("rect", { ...place, width: short(part(across, width)), height: short(part(down, height)), fill: `url(#${id})` }),
  ];
}
