// Curves of a training on this page as plain SVG, cheap enough to redraw three times a second.

import { svg } from "../../ui/element.js";

const HEIGHT = 120, LEFT = 34, RIGHT = 8, TOP = 6, BOTTOM = 18; // pixels
const MAX_POINTS = 240; // per curve
const MIN_SECONDS = 5; // of the time axis

/** At most `maxPoints` of the points, including the last. */
export function thinPoints(points, maxPoints = MAX_POINTS) {
  const stride = Math.ceil(points.length / maxPoints);
  return points.filter((_, index) => (points.length - 1 - index) % stride === 0);
}

/** The scales of a chart: seconds to x, values from 0 to `maxValue` to y. */
export function scales(points, maxValue, width) {
  const end = Math.max(MIN_SECONDS, ...points.map(([seconds]) => seconds));
  return {
    end,
    x: (seconds) => LEFT + (seconds / end) * (width - LEFT - RIGHT),
    y: (value) => TOP + (1 - Math.min(value, maxValue) / maxValue) * (HEIGHT - TOP - BOTTOM),
  };
}

/** The SVG path of a curve; points are [seconds, value], and null values are left out. */
export function curvePath(points, { x, y }) {
  const knownPoints = thinPoints(points.filter(([, value]) => value !== null));
  return knownPoints.map(([seconds, value], index) => `${index ? "L" : "M"}${x(seconds).toFixed(1)} ${y(value).toFixed(1)}`).join("");
}

/**
 * Draws curves into a node: `curves` are { points, colour, dashed }, `maxValue` is the top of the y axis, `ticks` are
 * { value, label }, `goal` (or null) is a horizontal line, `end(seconds)` labels the end of the time axis, `label` the chart.
 */
export function drawChart(node, { curves, maxValue, ticks, goal = null, colours, end, label }) {
  const width = node.clientWidth || 320, all = curves.flatMap(({ points }) => points);
  const scale = scales(all, maxValue, width);
  const text = (attributes, content) => svg("text", { fill: colours.text, "font-size": 11, ...attributes }, content);
  const horizontalLine = (value, attributes) => svg("line", { x1: LEFT, x2: width - RIGHT, y1: scale.y(value), y2: scale.y(value), stroke: colours.masked, ...attributes });
  node.replaceChildren(svg("svg", { width, height: HEIGHT, role: "img", "aria-label": label },
    ...ticks.flatMap(({ value, label: tickLabel }) => [
      horizontalLine(value, { "stroke-width": 0.6 }),
      text({ x: LEFT - 5, y: scale.y(value) + 4, "text-anchor": "end" }, tickLabel),
    ]),
    ...(goal === null ? [] : [horizontalLine(goal, { "stroke-dasharray": "4 3" })]),
    text({ x: width - RIGHT, y: HEIGHT - 4, "text-anchor": "end" }, end(scale.end)),
    text({ x: LEFT, y: HEIGHT - 4 }, "0"),
    ...curves.map(({ points, colour, dashed }) => svg("path", {
      d: curvePath(points, scale), fill: "none", stroke: colour, "stroke-width": 2, "stroke-linejoin": "round", ...(dashed ? { "stroke-dasharray": "5 3" } : {}),
    })),
  ));
}
