// Shared parts of Plotly figures: layout, panels, labels, and hover texts.

import { pageFont } from "./page.js";
import { isolate } from "./scripts.js";
import { escapeLabel, shorten } from "./text.js";

export const CLEAR = "rgba(0,0,0,0)";
const MAX_LABELS = 30; // of a horizontal axis; longer ones label every second, third, ... piece
const MAX_LABEL_LETTERS = 14;

/** The text as Plotly shows it: without HTML, and without %{names} of Plotly's. */
function escapePlotly(text) {
  return escapeLabel(isolate(text)).replaceAll("{", "&#123;");
}

/** A hover template without Plotly's box for the trace name; with `values`, double braces are braces, as in Python. */
export function hoverTemplate(sentence, values = null) {
  const fillName = (found, name) => (name ? escapePlotly(values[name]) : found[0]);
  return `${values ? sentence.replace(/\{\{|\}\}|\{(\w+)\}/g, fillName) : sentence}<extra></extra>`;
}

/** The layout that all figures share: transparent background, `height` in pixels. */
export function neutralLayout(height, { colour, margin }) {
  const font = { family: pageFont(), size: 12, color: colour };
  return { height, font, paper_bgcolor: CLEAR, plot_bgcolor: CLEAR, margin };
}

/**
 * The axes and titles of panels, one below the other or side by side: { axes: [{ x, y }], annotations }; the `gap`
 * between two of them is a part of the figure.
 */
export function createPanels(titles, { gap, isAcross = false }) {
  const size = (1 - gap * (titles.length - 1)) / titles.length;
  const axes = titles.map((_, i) => {
    const start = (isAcross ? i : titles.length - 1 - i) * (size + gap);
    const part = [start, start + size];
    return {
      x: { anchor: `y${axisNumber(i)}`, domain: isAcross ? part : [0, 1] },
      y: { anchor: `x${axisNumber(i)}`, domain: isAcross ? [0, 1] : part },
    };
  });
  return { axes, annotations: titles.map((text, i) => panelTitle(text, axisNumber(i))) };
}

/** Plotly's number of the axes of a panel: x, x2, x3. */
export function axisNumber(index) {
  return index ? index + 1 : "";
}

/** Labels of an axis, at most so many, long ones shortened. */
export function axisLabels(labels, most = MAX_LABELS) {
  const stride = Math.ceil(labels.length / most);
  const tickvals = [...labels.keys()].filter((i) => i % stride === 0);
  return { tickvals, ticktext: tickvals.map((i) => escapeLabel(isolate(shorten(labels[i], MAX_LABEL_LETTERS)))) };
}

/** An axis whose rows go down the page, each with its label: the figure is as high as they need. */
export function downwardAxis(labels) {
  return { ...axisLabels(labels, labels.length), range: [labels.length - 0.5, -0.5] };
}

/** The title above a panel, at the left. */
function panelTitle(text, axis) {
  const corner = { xref: `x${axis} domain`, yref: `y${axis} domain`, x: 0, y: 1 };
  return { text, ...corner, xanchor: "left", yanchor: "bottom", showarrow: false };
}
