// A heatmap as it leaves the page: only what is known at its step, without the marks that belong to the page.

import { runName, viewName } from "./file_name.js";
import { ROOM } from "./heatmap.js";
import { rowOrColumnOf } from "../derived/word_groups.js";
import { emitNotice } from "../ui/page_events.js";
import { fill } from "../ui/text.js";

/** @typedef {import("./plot.js").Plot} Plot */

const BAR = 110; // pixels, the least height of the colour bar
const ON_PAGE = ["later", "beyond", "mark"]; // covers of what is not known yet, and the current row: the last one saved

/**
 * What of a layout and of its colour bar ends at the row and the column that are known.
 * @param {Plot} plot
 * @param {Record<string, any>} layout
 */
function trimmed(plot, { width, height, margin }) {
  const { known, content, scene: { view: { transposed } } } = plot;
  const ends = transposed ? [known.query, known.key] : [known.key, known.query];
  const counts = transposed ? [content.queries, content.keys] : [content.keys, content.queries];
  const across = ((width - margin.l - margin.r) / counts[0].length) * ends[0];
  const down = ((height - margin.t - margin.b) / counts[1].length) * ends[1];
  const right = Math.max(plot.plain ? 2 * ROOM.gap : margin.r, plot.overhang(ends[0]));
  const end = { r: right, b: plot.plain ? ROOM.gap : Math.max(ROOM.gap, BAR - down) };
  return {
    size: { width: margin.l + across + end.r, height: margin.t + down + end.b, margin: { ...margin, ...end } },
    across: [-0.5, ends[0] - 0.5],
    down: [ends[1] - 0.5, -0.5],
    bar: down < BAR ? { lenmode: "pixels", len: BAR, y: 1, yanchor: "top" } : {},
  };
}

/**
 * The marks that are shown: what the visitor pinned or framed.
 * @param {Plot} plot
 */
function savedMarks({ scene, heatmap }) {
  const hidden = scene.view.pin?.ends ? [...ON_PAGE, "pinned"] : ON_PAGE; // a film's end is nobody's pin
  return heatmap.layout.shapes.filter(({ name }) => !hidden.includes(name));
}

/**
 * Downloads a figure, over its title (above stand the labels) and on the page's ground, as PNG, and says so.
 * @param {Plot} plot
 */
export async function downloadPlot(plot) {
  const { Plotly, content, scene: { view, heads, map, trace }, settings: { text }, title } = plot;
  const figure = plot.figure(view.whole ? null : rowOrColumnOf(content, { axis: "query", index: view.step }));
  const { data: [cells], layout } = figure;
  const { size: { width, height, margin }, across, down, bar } = trimmed(plot, layout);
  cells.colorbar = { ...cells.colorbar, ...bar };
  layout.xaxis.range = across;
  layout.yaxis.range = down;
  layout.shapes = savedMarks(plot);
  layout.title = { text: title, font: { size: ROOM.titleSize }, x: 0.02, y: 0.015, yanchor: "bottom" };
  layout.margin = { ...margin, b: margin.b + ROOM.title };
  layout.paper_bgcolor = getComputedStyle(document.body).backgroundColor;
  const filename = [viewName({ ...view, ...heads }, map), ...runName(trace)].join("-");
  const options = { format: "png", scale: 2, width, height: height + ROOM.title, filename };
  await Plotly.downloadImage(figure, options);
  emitNotice(fill(text.saved, { name: `${filename}.png` }));
}

/**
 * Trims a figure on the page; the function that it returns restores it. Nothing is painted in between.
 * @param {Plot} plot
 */
export function trimPlot(plot) {
  const { Plotly, node, heatmap } = plot;
  const { size, across, down, bar } = trimmed(plot, heatmap.layout);
  const layout = { ...size, "xaxis.range": across, "yaxis.range": down, shapes: savedMarks(plot) };
  Plotly.update(heatmap, { colorbar: [{ ...heatmap.data[0].colorbar, ...bar }] }, layout, [0]);
  plot.dress();
  Object.assign(heatmap.style, { height: `${size.height}px`, minHeight: "0" });
  const isScrolling = node.classList.contains("scrolling");
  node.classList.remove("scrolling"); // labels stand beside their rows again
  return () => {
    heatmap.style.height = "";
    node.classList.toggle("scrolling", isScrolling);
    plot.reserveRoom();
    plot.layoutKey = "";
    plot.redraw();
  };
}
