// Attention in the picture: ribbons, as wide as a weight, from what is looked at to the lane that looks. They leave a
// lane, bow above it and come back where the result is added, so that the lane itself goes on.

import { dropX, knownLanes, laneY } from "./layout.js";
import { pointedRow } from "./pointed.js";

const FEW = 40; // tokens up to which all ribbons above a weight are drawn
const LEAST = 0.05, LEAST_NOW = 0.02, LEAST_OF_MANY = 0.08; // weights of ribbons
const FAINT = 0.25; // how strong ribbons are that do not belong to the lane that is pointed at
const STRONGEST = 2; // ribbons of a lane among many

/**
 * The keys whose ribbons are drawn, and the weight of the others.
 * @param {ArrayLike<number>} row of weights
 * @param {boolean} isNow whether this is the lane of the step
 */
export function ribbonsOf(row, isNow) {
  const keys = Array.from(row, (weight, key) => ({ key, weight }));
  const isFew = row.length <= FEW;
  const least = isNow ? LEAST_NOW : isFew ? LEAST : LEAST_OF_MANY;
  const strong = keys.filter(({ weight }) => weight >= least).sort((one, other) => other.weight - one.weight);
  const drawn = isFew || isNow ? strong : strong.slice(0, STRONGEST);
  const others = 1 - drawn.reduce((sum, { weight }) => sum + weight, 0);
  return { drawn, others: Math.max(0, others) };
}

/**
 * Draws a knot. `scene` has the picture's layout, trace and step; `view` converts to the stage (picture.js).
 * @param {CanvasRenderingContext2D} context
 */
export function drawKnot(context, view, scene, { stack, kind, layer, block, colour, grey }) {
  const { layout, trace, step } = scene;
  const map = trace.kinds[kind];
  if (!map.ready) return;
  const rows = map.meanRows(layer);
  const width = layout.pitch * view.ky;
  const ends = { start: view.x(block.start), end: view.x(block.plus) };
  const known = knownLanes(scene, stack);
  const chosen = pointedRow(scene, kind);
  for (const query of lastOf(known, chosen?.row)) {
    const isPointed = query === chosen?.row;
    const isNow = isPointed || (stack === "decoder" && query === step);
    const y = view.y(laneY(layout, stack, query));
    const { drawn, others } = ribbonsOf(rows[query], isNow);
    const usual = isPointed || (isNow && stack === "decoder") ? 0.95 : stack === "encoder" ? 0.55 : 0.3;
    const shadeOf = (key) => usual * (scene.pointed && !(isPointed && (chosen.key ?? key) === key) ? FAINT : 1);
    const shade = shadeOf(null);
    for (const { key, weight } of drawn) {
      const isRest = kind !== "cross" && map.special.keys.has(key); // where heads look when they need nothing
      const pale = isRest && !isNow ? 0.2 : isRest ? 0.35 : 1;
      context.globalAlpha = shadeOf(key) * Math.min(1, 0.35 + weight) * pale;
      context.strokeStyle = colour;
      context.lineWidth = Math.max(0.4, weight * width * 0.9);
      const from = kind === "cross"
        ? { x: view.x(dropX(layout, block, key)), y: view.y(layout.decoder.top - 6), isDrop: true }
        : { x: ends.start, y: view.y(laneY(layout, stack, key)), isDrop: false };
      drawRibbon(context, from, { x: ends.end, y }, width);
    }
    if (others > 0.02) {
      context.globalAlpha = 0.5 * shade;
      context.strokeStyle = grey;
      context.lineWidth = Math.max(0.4, others * width * 0.5);
      context.beginPath();
      context.moveTo(ends.start + 0.72 * (ends.end - ends.start), y - 0.28 * width);
      context.quadraticCurveTo(ends.start + 0.9 * (ends.end - ends.start), y - 0.28 * width, ends.end, y);
      context.stroke();
    }
  }
  context.globalAlpha = 1;
}

/** The rows before `count`, one of them last and so on top. */
function lastOf(count, last) {
  const rows = [...Array(count).keys()];
  return last === undefined ? rows : [...rows.filter((row) => row !== last), last];
}

function drawRibbon(context, from, to, pitch) {
  const middle = (from.x + to.x) / 2;
  const bow = 0.3 * pitch; // above the lane
  context.beginPath();
  context.moveTo(from.x, from.y);
  if (from.isDrop) context.bezierCurveTo(from.x, to.y - bow, from.x + 2, to.y - bow, to.x, to.y);
  else if (from.y === to.y) context.bezierCurveTo(middle, from.y - 2 * bow, middle, to.y - 2 * bow, to.x, to.y);
  else context.bezierCurveTo(middle, from.y - bow, middle, to.y - bow, to.x, to.y);
  context.stroke();
}
