// Backgrounds and borders of elements as SVG, and copies of the page's own SVG, such as Plotly's, that need no style sheet.

import { svg } from "../../../ui/element.js";
import { paintAttributes, formatCoordinate, familyOf, parseColour } from "./colours.js";

const COLOUR_DEFAULTS = { fill: "rgb(0, 0, 0)", stroke: "none" };
const SIDES = ["Top", "Right", "Bottom", "Left"];
const GRADIENT = /^linear-gradient\((.*)\)$/;
const GRADIENT_DIRECTIONS = { "to top": [0, 1, 0, 0], "to bottom": [0, 0, 0, 1], "to right": [0, 0, 1, 0], "to left": [1, 0, 0, 0] };

const STYLE_DEFAULTS = { // style properties to copy, and their defaults, which are left out
  "fill-opacity": "1", "stroke-opacity": "1", "stroke-width": "1px", "stroke-dasharray": "none", "stroke-linecap": "butt", "stroke-linejoin": "miter",
  opacity: "1", "font-size": "", "font-weight": "400", "font-style": "normal", "text-anchor": "start", "marker-end": "none", "clip-path": "none",
  "dominant-baseline": "auto", "shape-rendering": "auto", "image-rendering": "auto",
};
const KEPT_ATTRIBUTES = /^(x|y|x1|y1|x2|y2|cx|cy|r|rx|ry|d|dx|dy|points|width|height|transform|viewBox|id|href|offset|refX|refY|orient|markerWidth|markerHeight|markerUnits|preserveAspectRatio|patternUnits|patternTransform|gradientUnits|clipPathUnits)$/;
const INVISIBLE = "title, desc, style, script, metadata, foreignObject";
const DEFINITIONS = "clipPath, linearGradient, radialGradient, pattern, marker, stop";

/** A reference without the address of the page, which Plotly adds. */
const localReference = (value) => value.replace(/url\("?[^#")]*#([^")]+)"?\)/, "url(#$1)");

function copyNode(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data.trim() ? document.createTextNode(node.data) : null;
  if (node.nodeType !== Node.ELEMENT_NODE || node.matches(INVISIBLE)) return null;
  const style = getComputedStyle(node), isDefinition = node.closest(DEFINITIONS) !== null;
  if (!isDefinition && (style.display === "none" || style.visibility === "hidden")) return null;
  const copy = svg(node.localName);
  for (const { localName, value } of node.attributes) if (KEPT_ATTRIBUTES.test(localName)) copy.setAttribute(localName, value);
  applyStyle(copy, node, style);
  copy.append(...[...node.childNodes].map(copyNode).filter(Boolean));
  return copy;
}

function applyStyle(copy, { localName, textContent }, style) {
  if (localName === "g" || localName === "svg" || localName === "defs") {
    for (const name of ["opacity", "clip-path"]) if (style.getPropertyValue(name) !== STYLE_DEFAULTS[name]) copy.setAttribute(name, localReference(style.getPropertyValue(name)));
    return;
  }
  for (const [name, defaultValue] of Object.entries(COLOUR_DEFAULTS)) {
    const value = style.getPropertyValue(name);
    if (value !== defaultValue) for (const [key, attribute] of Object.entries(value.startsWith("rgb") || value.startsWith("color(") ? paintAttributes(name, value) : { [name]: localReference(value) })) copy.setAttribute(key, attribute);
  }
  if (localName === "stop") for (const [key, attribute] of Object.entries(paintAttributes("stop", style.stopColor, Number(style.stopOpacity)))) copy.setAttribute(key, attribute);
  for (const [name, defaultValue] of Object.entries(STYLE_DEFAULTS)) {
    const value = style.getPropertyValue(name), text = name.startsWith("font") || name === "text-anchor";
    if (value !== defaultValue && (!text || textContent.trim()) && !copy.hasAttribute(name)) copy.setAttribute(name, localReference(value));
  }
  if (localName === "text" || localName === "tspan") copy.setAttribute("font-family", familyOf(style.fontFamily));
}

/** A copy of an SVG element at its position in the picture. */
export function copySvg(node, { x, y, width, height }) {
  const copy = copyNode(node);
  if (!copy) return [];
  for (const [name, value] of Object.entries({ x, y, width, height })) copy.setAttribute(name, formatCoordinate(value));
  if (getComputedStyle(node).overflow === "visible") copy.setAttribute("overflow", "visible");
  return [copy];
}

let gradientCount = 0;

const isVisible = (css) => (parseColour(css)?.[3] ?? 0) > 0;

/** The four borders; null for an invisible one. */
function bordersOf(style) {
  return SIDES.map((side) => {
    const width = parseFloat(style[`border${side}Width`]), kind = style[`border${side}Style`], colour = style[`border${side}Color`];
    return width > 0 && !["none", "hidden"].includes(kind) && isVisible(colour) ? { width, kind, colour } : null;
  });
}

function strokeAttributes({ width, kind, colour }) {
  const dashes = { dashed: [3 * width, 2 * width], dotted: [width, width] }[kind];
  return { fill: "none", "stroke-width": formatCoordinate(width), ...paintAttributes("stroke", colour), ...(dashes && { "stroke-dasharray": dashes.map(formatCoordinate).join(" ") }) };
}

/** The background and borders of a box { x, y, width, height } in the picture. */
export function renderBox(style, box) {
  const { x, y, width, height } = box;
  if (width <= 0 || height <= 0) return [];
  const radius = Math.min(parseFloat(style.borderTopLeftRadius) || 0, width / 2, height / 2), round = radius ? { rx: formatCoordinate(radius) } : {};
  const place = { x: formatCoordinate(x), y: formatCoordinate(y), width: formatCoordinate(width), height: formatCoordinate(height) }, nodes = [];
  if (isVisible(style.backgroundColor)) nodes.push(svg("rect", { ...place, ...round, ...paintAttributes("fill", style.backgroundColor) }));
  nodes.push(...renderGradient(style, place, box));
  const borders = bordersOf(style), [first] = borders;
  if (first && borders.every((border) => border && border.width === first.width && border.colour === first.colour && border.kind === first.kind)) {
    const half = first.width / 2, inner = { x: formatCoordinate(x + half), y: formatCoordinate(y + half), width: formatCoordinate(width - first.width), height: formatCoordinate(height - first.width) };
    return [...nodes, svg("rect", { ...inner, ...round, ...strokeAttributes(first) })];
  }
  return [...nodes, ...borders.map((border, side) => border && renderEdge(border, side, box)).filter(Boolean)];
}

/** One border of a box, by the index of its side. */
function renderEdge(border, side, { x, y, width, height }) {
  const half = border.width / 2;
  const [x1, y1, x2, y2] = [
    [x, y + half, x + width, y + half], [x + width - half, y, x + width - half, y + height],
    [x, y + height - half, x + width, y + height - half], [x + half, y, x + half, y + height],
  ][side].map(formatCoordinate);
  return svg("line", { x1, y1, x2, y2, ...strokeAttributes(border) });
}

/** A linear gradient, such as a colour scale; other background images are left out. */
function renderGradient({ backgroundImage, backgroundSize }, place, { width, height }) {
  const [, inside] = backgroundImage.match(GRADIENT) ?? [];
  if (!inside) return [];
  const parts = inside.split(/,\s*(?![^(]*\))/), direction = GRADIENT_DIRECTIONS[parts[0]] ?? GRADIENT_DIRECTIONS["to bottom"];
  const stops = (GRADIENT_DIRECTIONS[parts[0]] ? parts.slice(1) : parts).map((part) => part.match(/^(.*?)(?: (-?[\d.]+)%)?$/));
  const id = `shade-${gradientCount += 1}`, [x1, y1, x2, y2] = direction;
  const offset = (at, i) => (at === undefined ? i / Math.max(1, stops.length - 1) : at / 100);
  const [across, down = "auto"] = backgroundSize.split(" "), part = (size, whole) => (size.endsWith("%") ? (parseFloat(size) / 100) * whole : whole);
  return [
    svg("linearGradient", { id, x1, y1, x2, y2 }, ...stops.map(([, css, at], i) => svg("stop", { offset: offset(at, i), ...paintAttributes("stop", css) }))),
    svg("rect", { ...place, width: formatCoordinate(part(across, width)), height: formatCoordinate(part(down, height)), fill: `url(#${id})` }),
  ];
}
