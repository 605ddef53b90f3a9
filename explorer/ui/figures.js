// Shared parts of Plotly figures: layout, panels, and hover texts (figures.py has them for figures that Python draws).

import { pageFont } from "./page.js";
import { isolate } from "./scripts.js";
import { escapeLabel } from "./text.js";

export const CLEAR = "rgba(0,0,0,0)";

/** The text as Plotly shows it: without HTML, and without %{names} of Plotly's. */
export function escapePlotly(text) {
  return escapeLabel(isolate(text)).replaceAll("{", "&#123;");
}

/** A hover template without Plotly's box for the trace name; with `values`, double braces are braces, as in Python. */
export function hoverTemplate(sentence, values = null) {
  const fillName = (found, name) => (name ? escapePlotly(values[name]) : found[0]);
  return `${values ? sentence.replace(/\{\{|\}\}|\{(\w+)\}/g, fillName) : sentence}<extra></extra>`;
}

/** The layout that all figures share: transparent background, `height` in pixels. */
export function neutralLayout(height, { colour, margin }) {
  return {
    height,
    font: { family: pageFont(), size: 12, color: colour },
    paper_bgcolor: CLEAR,
    plot_bgcolor: CLEAR,
    margin,
  };
}

/**
 * The axes and titles of panels one below the other: { axes: [{ x, y }], annotations }; `gap` is a part of the height.
 */
export function stackedPanels(titles, gap) {
  const height = (1 - gap * (titles.length - 1)) / titles.length;
  const number = (i) => (i ? i + 1 : "");
  const axes = titles.map((_, i) => {
    const bottom = (titles.length - 1 - i) * (height + gap);
    return {
      x: { anchor: `y${number(i)}`, domain: [0, 1] },
      y: { anchor: `x${number(i)}`, domain: [bottom, bottom + height] },
    };
  });
  return { axes, annotations: titles.map((text, i) => panelTitle(text, number(i))) };
}

/** The title above a panel, at the left. */
function panelTitle(text, axis) {
  const place = { xref: `x${axis} domain`, yref: `y${axis} domain`, x: 0, y: 1 };
  return { text, ...place, xanchor: "left", yanchor: "bottom", showarrow: false };
}
