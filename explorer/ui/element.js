// Creates elements of HTML and SVG.

import { fillParts } from "./text.js";

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

function fillNode(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if ("lang" in attributes) node.setAttribute("translate", "no");
  node.append(...children);
  return node;
}

/**
 * Creates an HTML element; children are nodes or strings, and a string becomes a text node, never markup. What has a
 * language of its own is the model's or a visitor's, which no translator of pages may touch (component.py marks
 * templates in the same way).
 */
export function element(name, attributes = {}, ...children) {
  return fillNode(document.createElement(name), attributes, children);
}

/** Creates a button; a click calls `onClick(event)`. */
export function button(onClick, attributes = {}, ...children) {
  const node = element("button", { type: "button", ...attributes }, ...children);
  node.addEventListener("click", onClick);
  return node;
}

/**
 * A sentence with every "{name}" replaced by a node or a text, as nodes and texts. Throws as `fillParts` does.
 * @param {string} sentence
 * @param {Record<string, Node | string | number>} values
 */
export function fillNodes(sentence, values) {
  return fillParts(sentence, values).map((part) => (part instanceof Node ? part.cloneNode(true) : String(part)));
}

/** Whether a node has a place on the page, as far as styles and closed folds go; it may be scrolled out of sight. */
export function isVisible(node) {
  const isFolded = node.closest("details:not([open]) > :not(summary)") !== null;
  return !isFolded && node.getClientRects().length > 0 && getComputedStyle(node).visibility === "visible";
}

/** Calls `action()` when a form is submitted; the browser sends nothing. */
export function onSubmit(form, action) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    action();
  });
}

/** Creates an SVG element. */
export function svg(name, attributes = {}, ...children) {
  return fillNode(document.createElementNS(SVG_NAMESPACE, name), attributes, children);
}
