// The cells of a Plotly heatmap as paths, from its numbers: Plotly itself draws them as an image.

import { hex, parseColour } from "./colours.js";
import { formatCoordinate, shape } from "./shapes.js";

/** @typedef {import("./colours.js").Colour} Colour */
/** @typedef {{ from: number, to: number, paint: string }} Run Neighbours in a row that are one area. */

/**
 * The cells that an image of Plotly's shows, a path for each colour; null for another image. None lies outside the
 * figure, where nobody would see it.
 *
 * @param {SVGElement} image
 * @returns {SVGElement | null}
 */
export function cellsOf(image) {
  const group = image.closest(".hm");
  if (!group) return null;
  const [{ x, y, z, trace }] = /** @type {any} */ (group).__data__; // what Plotly has computed: edges and numbers
  const { _fullLayout: layout } = /** @type {any} */ (group.closest(".js-plotly-plot"));
  const [across, down] = [trace.xaxis, trace.yaxis].map((id) => layout[`${id[0]}axis${id.slice(1)}`]);
  const gaps = [trace.xgap ?? 0, trace.ygap ?? 0];
  const isInside = (axis, edges, i) => axis.c2p(edges[i]) < axis._length - 0.5 && axis.c2p(edges[i + 1]) > 0.5;
  const paintOf = painter(trace);
  /** @type {Map<string, string>} */
  const paths = new Map();
  z.forEach((row, i) => {
    if (!isInside(down, y, i)) return;
    const paints = Array.from(row, (number, j) => (isInside(across, x, j) ? paintOf(number) : null));
    for (const { from, to, paint } of runsOf(paints, gaps[0] > 0)) {
      const [left, right] = [x[from], x[to]].map((edge) => across.c2p(edge));
      const [top, bottom] = [y[i], y[i + 1]].map((edge) => down.c2p(edge));
      const [width, height] = [right - left - gaps[0], bottom - top - gaps[1]].map(formatCoordinate);
      const start = [left + gaps[0] / 2, top + gaps[1] / 2].map(formatCoordinate).join(",");
      paths.set(paint, `${paths.get(paint) ?? ""}M${start}h${width}v${height}h-${width}z`);
    }
  });
  return shape("g", { class: "cells", "shape-rendering": "crispEdges" }, ...[...paths].map(([paint, d]) => {
    const [fill, opacity] = paint.split(" ");
    return shape("path", { fill, "fill-opacity": opacity === "1" ? undefined : opacity, d });
  }));
}

/**
 * The cells of a row that are painted; equal neighbours are one area, unless there are gaps.
 *
 * @param {(string | null)[]} paints
 * @param {boolean} hasGaps
 */
function runsOf(paints, hasGaps) {
  /** @type {Run[]} */
  const runs = [];
  paints.forEach((paint, i) => {
    const last = runs.at(-1);
    if (!paint) return;
    if (last?.to === i && last.paint === paint && !hasGaps) last.to = i + 1;
    else runs.push({ from: i, to: i + 1, paint });
  });
  return runs;
}

/** The function from a number to its colour and opacity, as "#00785a 0.25"; null where nothing is to be seen. */
function painter({ zmin, zmax, colorscale }) {
  /** @type {[number, Colour][]} */
  const stops = colorscale.map(([at, css]) => [at, parseColour(css)]);
  return (number) => {
    if (typeof number !== "number" || Number.isNaN(number)) return null;
    const [r, g, b, a] = colourAt(stops, Math.max(0, Math.min(1, (number - zmin) / (zmax - zmin))));
    const opacity = Math.round(255 * a) / 255;
    return opacity ? `${hex([r, g, b])} ${Math.round(1000 * opacity) / 1000}` : null;
  };
}

/**
 * The colour of a scale at a position from 0 to 1.
 *
 * @param {[number, Colour][]} stops
 * @param {number} position
 */
function colourAt(stops, position) {
  const next = stops.findIndex(([at]) => at >= position);
  if (next <= 0) return stops.at(next)[1];
  const [[from, low], [to, high]] = stops.slice(next - 1, next + 1);
  return low.map((part, i) => part + ((position - from) / (to - from)) * (high[i] - part));
}
