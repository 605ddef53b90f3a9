// The focus heatmap: arrays and labels swapped into the figure that explorer/figures.py made.

import { rowsShown, withoutFuture } from "./payload.js";

const LABEL_HEIGHT = 15;
const AXIS_AND_TITLE = 120;

/** Every label where they fit, else every second, third, ...: labels are most of Plotly's cost. */
function ticks(labels, known, short, room) {
  const stride = Math.max(1, Math.ceil(labels.length * LABEL_HEIGHT / room));
  const shown = [...labels.keys()].filter((i) => i % stride === 0);
  const cut = (text) => (text.length > short ? `${text.slice(0, short - 1)}…` : text);
  return { tickvals: shown, ticktext: shown.map((i) => (i < known ? escapeHtml(cut(labels[i])) : unseen(escapeHtml(cut(labels[i]))))) };
}

/** A label of the future takes its room, so that nothing moves when it appears, but cannot be read. */
function unseen(text) {
  return `<span style="color:rgba(0,0,0,0)">${text}</span>`;
}

/** Plotly reads a little HTML in labels; a visitor's text is only text. */
function escapeHtml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function hoverTexts(rows, map) {
  return rows.map((row, query) => {
    const label = escapeHtml(map.queries[query]);
    return row.map((weight, key) => `${label} attends to ${escapeHtml(map.keys[key])}: ${(weight ?? 0).toFixed(3)}`);
  });
}

/** The figure of one head at one step; axes span the whole translation, so that nothing moves while stepping. */
export function heatmapFigure(frame, kind, map, rows, step, node) {
  const shown = withoutFuture(kind, rowsShown(kind, rows, step));
  const { clientWidth: width, clientHeight: height } = node;
  const narrow = width < 500;
  const rowsKnown = kind === "encoder" ? map.queries.length : step + 1;
  const keysKnown = kind === "decoder" ? step + 1 : map.keys.length;
  const data = [{ ...frame.data[0], z: shown, text: hoverTexts(shown, map), showscale: !narrow }];
  // On a phone the labels need the room of the scale and of the title, which the explanation repeats.
  const layout = {
    ...frame.layout,
    xaxis: {
      ...frame.layout.xaxis,
      ...ticks(map.keys, keysKnown, 14, width - (narrow ? 140 : 290)),
      range: [-0.5, map.keys.length - 0.5],
    },
    yaxis: {
      ...frame.layout.yaxis,
      ...ticks(map.queries, rowsKnown, narrow ? 15 : 28, height - AXIS_AND_TITLE),
      range: [map.queries.length - 0.5, -0.5],
    },
    shapes: kind === "encoder" ? [] : [
      { ...frame.layout.shapes[0], x0: -0.5, x1: map.keys.length - 0.5, y0: step - 0.5, y1: step + 0.5 },
    ],
  };
  if (narrow) layout.yaxis.title = { text: "" };
  return { data, layout };
}

export function drawHeatmap(plotly, node, figure, name) {
  const config = {
    displaylogo: false,
    responsive: true,
    modeBarButtons: [["toImage", "zoom2d", "resetScale2d"]],
    toImageButtonOptions: { filename: name, scale: 2 },
  };
  plotly.react(node, figure.data, figure.layout, config);
}
