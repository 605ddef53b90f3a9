// Copies SVG of the page, such as Plotly's, with styles as attributes, so that it needs no style sheet.

import { svg } from "../../../ui/element.js";
import { paintAttributes, formatCoordinate, familyOf } from "./colours.js";

const COLOUR_DEFAULTS = { fill: "rgb(0, 0, 0)", stroke: "none" };
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
