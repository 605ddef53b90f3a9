// SVG that stands in the page already, as of Plotly or of the architecture: a copy that needs no style sheet of the page.

import { svg } from "../../../ui/element.js";
import { inked, short } from "./colours.js";
import { familyOf } from "./fonts.js";

const COLOURED = { fill: "rgb(0, 0, 0)", stroke: "none" };
const STYLED = { // what of a style stands in attributes, and what is left out because it is so anyway
  "fill-opacity": "1", "stroke-opacity": "1", "stroke-width": "1px", "stroke-dasharray": "none", "stroke-linecap": "butt", "stroke-linejoin": "miter",
  opacity: "1", "font-size": "", "font-weight": "400", "font-style": "normal", "text-anchor": "start", "marker-end": "none", "clip-path": "none",
  "dominant-baseline": "auto", "shape-rendering": "auto",
};
const KEPT = /^(x|y|x1|y1|x2|y2|cx|cy|r|rx|ry|d|dx|dy|points|width|height|transform|viewBox|id|href|offset|refX|refY|orient|markerWidth|markerHeight|markerUnits|preserveAspectRatio|patternUnits|patternTransform|gradientUnits|clipPathUnits)$/;
const INVISIBLE = "title, desc, style, script, metadata, foreignObject";
const DEFINED = "clipPath, linearGradient, radialGradient, pattern, marker, stop";

/** A reference within the picture; Plotly's name the page as well. */
const within = (value) => value.replace(/url\("?[^#")]*#([^")]+)"?\)/, "url(#$1)");

function copyOf(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data.trim() ? document.createTextNode(node.data) : null;
  if (node.nodeType !== Node.ELEMENT_NODE || node.matches(INVISIBLE)) return null;
  const style = getComputedStyle(node), defined = node.closest(DEFINED) !== null;
  if (!defined && (style.display === "none" || style.visibility === "hidden")) return null;
  const copy = svg(node.localName);
  for (const { localName, value } of node.attributes) if (KEPT.test(localName)) copy.setAttribute(localName, value);
  dress(copy, node, style);
  copy.append(...[...node.childNodes].map(copyOf).filter(Boolean));
  return copy;
}

function dress(copy, { localName, textContent }, style) {
  if (localName === "g" || localName === "svg" || localName === "defs") {
    for (const name of ["opacity", "clip-path"]) if (style.getPropertyValue(name) !== STYLED[name]) copy.setAttribute(name, within(style.getPropertyValue(name)));
    return;
  }
  for (const [name, usual] of Object.entries(COLOURED)) {
    const value = style.getPropertyValue(name);
    if (value !== usual) for (const [key, written] of Object.entries(value.startsWith("rgb") || value.startsWith("color(") ? inked(name, value) : { [name]: within(value) })) copy.setAttribute(key, written);
  }
  if (localName === "stop") for (const [key, written] of Object.entries(inked("stop", style.stopColor, Number(style.stopOpacity)))) copy.setAttribute(key, written);
  for (const [name, usual] of Object.entries(STYLED)) {
    const value = style.getPropertyValue(name), text = name.startsWith("font") || name === "text-anchor";
    if (value !== usual && (!text || textContent.trim()) && !copy.hasAttribute(name)) copy.setAttribute(name, within(value));
  }
  if (localName === "text" || localName === "tspan") copy.setAttribute("font-family", familyOf(style.fontFamily));
}

/** A copy of an SVG element at its place in the picture. */
export function inlined(node, { x, y, width, height }) {
  const copy = copyOf(node);
  if (!copy) return [];
  for (const [name, value] of Object.entries({ x, y, width, height })) copy.setAttribute(name, short(value));
  if (getComputedStyle(node).overflow === "visible") copy.setAttribute("overflow", "visible");
  return [copy];
}
