// Curves of a training on this page, light enough to be drawn anew three times a second.

import { svg } from "../../../ui/element.js";

const HEIGHT = 120, LEFT = 34, RIGHT = 8, TOP = 6, BOTTOM = 18; // pixels
const MOST = 240; // points of a curve
const SHORTEST = 5; // seconds that the axis reaches at least

/** At most so many of the points, the last among them. */
export function thinned(points, most = MOST) {
  const stride = Math.ceil(points.length / most);
  return points.filter((_, index) => (points.length - 1 - index) % stride === 0);
}

/** Where a point lies: seconds across, a value upwards from 0 to `most`. */
export function scales(points, most, width) {
  const end = Math.max(SHORTEST, ...points.map(([seconds]) => seconds));
  return {
    end,
    x: (seconds) => LEFT + (seconds / end) * (width - LEFT - RIGHT),
    y: (value) => TOP + (1 - Math.min(value, most) / most) * (HEIGHT - TOP - BOTTOM),
  };
}

/** The path of a curve; points are [seconds, value], a value of null is left out. */
export function path(points, { x, y }) {
  const known = thinned(points.filter(([, value]) => value !== null));
  return known.map(([seconds, value], index) => `${index ? "L" : "M"}${x(seconds).toFixed(1)} ${y(value).toFixed(1)}`).join("");
}

/**
 * Draws curves into a node: `curves` are { points, colour, dashed }, `most` is the top of the scale, `ticks` are
 * { value, label }, `goal` (or null) a line across, `end(seconds)` says the end of the axis, and `label` the whole.
 */
export function draw(node, { curves, most, ticks, goal = null, colours, end, label }) {
  const width = node.clientWidth || 320, all = curves.flatMap(({ points }) => points);
  const at = scales(all, most, width);
  const text = (attributes, content) => svg("text", { fill: colours.text, "font-size": 11, ...attributes }, content);
  const across = (value, more) => svg("line", { x1: LEFT, x2: width - RIGHT, y1: at.y(value), y2: at.y(value), stroke: colours.masked, ...more });
  node.replaceChildren(svg("svg", { width, height: HEIGHT, role: "img", "aria-label": label },
    ...ticks.flatMap(({ value, label: written }) => [
      across(value, { "stroke-width": 0.6 }),
      text({ x: LEFT - 5, y: at.y(value) + 4, "text-anchor": "end" }, written),
    ]),
    ...(goal === null ? [] : [across(goal, { "stroke-dasharray": "4 3" })]),
    text({ x: width - RIGHT, y: HEIGHT - 4, "text-anchor": "end" }, end(at.end)),
    text({ x: LEFT, y: HEIGHT - 4 }, "0"),
    ...curves.map(({ points, colour, dashed }) => svg("path", {
      d: path(points, at), fill: "none", stroke: colour, "stroke-width": 2, "stroke-linejoin": "round", ...(dashed ? { "stroke-dasharray": "5 3" } : {}),
    })),
  ));
}
