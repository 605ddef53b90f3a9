// Copies of the page's own SVG, such as Plotly's figures, that need no style sheet.

import { cellsOf } from "./cells.js";
import { familyOf, paintAttributes } from "./colours.js";
import { setAttributes, shape } from "./shapes.js";

// Style properties to copy, with their initial values, which are left out.
const PAINTS = { fill: "rgb(0, 0, 0)", stroke: "none" };
const GROUP_PROPERTIES = { opacity: "1", "clip-path": "none" };
const TEXT_PROPERTIES = { "font-size": "", "font-weight": "400", "font-style": "normal", "text-anchor": "start" };
const PROPERTIES = {
  ...GROUP_PROPERTIES,
  "fill-opacity": "1",
  "stroke-opacity": "1",
  "stroke-width": "1px",
  "stroke-dasharray": "none",
  "stroke-linecap": "butt",
  "stroke-linejoin": "miter",
  "marker-end": "none",
  "dominant-baseline": "auto",
  "shape-rendering": "auto",
  "image-rendering": "auto",
};
const ATTRIBUTES = new Set([
  "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "d", "dx", "dy", "points", "width", "height",
  "transform", "viewBox", "id", "href", "offset", "refX", "refY", "orient", "markerWidth", "markerHeight",
  "markerUnits", "preserveAspectRatio", "patternUnits", "patternTransform", "gradientUnits", "clipPathUnits",
]);
const INVISIBLE = "title, desc, style, script, metadata, foreignObject";
const DEFINITIONS = "clipPath, linearGradient, radialGradient, pattern, marker, stop";

/**
 * A copy of an SVG element at its position in the picture, or nothing if it is invisible.
 *
 * @param {SVGElement} node
 * @param {import("./shapes.js").Box} box
 */
export function copySvg(node, box) {
  const copy = copyNode(node);
  if (!copy) return [];
  setAttributes(copy, box);
  if (getComputedStyle(node).overflow === "visible") copy.setAttribute("overflow", "visible");
  return [copy];
}

function copyNode(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data.trim() ? document.createTextNode(node.data) : null;
  if (node.nodeType !== Node.ELEMENT_NODE || node.matches(INVISIBLE)) return null;
  const style = getComputedStyle(node);
  const isDefinition = node.closest(DEFINITIONS) !== null;
  if (!isDefinition && (style.display === "none" || style.visibility === "hidden")) return null;
  const cells = node.localName === "image" ? cellsOf(node) : null;
  if (cells) return cells;
  const kept = [...node.attributes].filter(({ localName }) => ATTRIBUTES.has(localName));
  const copy = shape(node.localName, Object.fromEntries(kept.map(({ localName, value }) => [localName, value])));
  copyStyle(copy, node, style);
  copy.append(...[...node.childNodes].map(copyNode).filter(Boolean));
  return copy;
}

/** Sets the computed style as attributes; an element without text has no need of a font. */
function copyStyle(copy, { localName, textContent }, style) {
  if (["g", "svg", "defs"].includes(localName)) {
    copyProperties(copy, style, GROUP_PROPERTIES);
    return;
  }
  for (const [name, initial] of Object.entries(PAINTS)) {
    const value = style.getPropertyValue(name);
    if (value !== initial) setAttributes(copy, paintAttributes(name, localReference(value)));
  }
  if (localName === "stop") {
    setAttributes(copy, paintAttributes("stop", style.stopColor, Number(style.stopOpacity)));
  }
  copyProperties(copy, style, PROPERTIES);
  if (textContent.trim()) copyProperties(copy, style, TEXT_PROPERTIES);
  if (localName === "text" || localName === "tspan") copy.setAttribute("font-family", familyOf(style.fontFamily));
}

function copyProperties(copy, style, initialValues) {
  for (const [name, initial] of Object.entries(initialValues)) {
    const value = style.getPropertyValue(name);
    if (value !== initial && !copy.hasAttribute(name)) copy.setAttribute(name, localReference(value));
  }
}

/** A reference without the address of the page, which Plotly adds. */
function localReference(value) {
  return value.replace(/url\("?[^#")]*#([^")]+)"?\)/, "url(#$1)");
}
