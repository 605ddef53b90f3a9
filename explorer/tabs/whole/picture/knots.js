// Attention in the picture: ribbons, as wide as a weight, from what is looked at to the lane that looks. They leave a
// lane, bow above it and come back where the result is added, so that the lane itself goes on.

import { dropX, knownLanes, laneY } from "./layout.js";
import { pointedRow } from "./pointed.js";

const FEW = 40; // tokens up to which all ribbons above a weight are drawn
const LEAST = 0.05, LEAST_NOW = 0.02, LEAST_OF_MANY = 0.08, LEAST_OF_OTHERS = 0.02; // weights of ribbons
const STRONGEST = 2; // ribbons of a lane among many
// How strong ribbons are: of the lane of the step or of the pointer, and of other lanes of a stack. Weaker are those of
// a weight that is almost 0, those to a key where heads look when they need nothing, that of all weights that have no
// ribbon of their own, and those that do not belong to what is pointed at.
const SHADES = { now: 0.95, encoder: 0.55, decoder: 0.3 };
const ALMOST_ZERO = 0.35, RESTING = { now: 0.35, usual: 0.2 }, OTHERS = 0.5, FAINT = 0.25;

/**
 * The attention of a block that is drawn as ribbons.
 * @typedef {{ stack: Stack, kind: Kind, block: import("./layout.js").Block, colour: string, grey: string }} Attention
 */

/**
 * Its ribbons on the stage, from `start` to `end`; `pitch` is the height of a lane.
 * @typedef {Attention & { map: AttentionMap, pitch: number, start: number, end: number }} Knot
 */

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
 * Draws the attention of a block that is seen from afar.
 * @param {import("./view.js").View} view
 * @param {Attention & { layer: number }} attention
 */
export function drawKnot(view, { layer, ...attention }) {
  const { context, layout, scene, pitch } = view;
  const { stack, kind, block } = attention;
  const map = scene.trace.kinds[kind];
  if (!map.ready) return;
  const knot = { ...attention, map, pitch, start: view.x(block.start), end: view.x(block.plus) };
  const rows = map.meanRows(layer);
  const chosen = pointedRow(scene, kind);
  for (const row of lastOf(knownLanes(scene, stack), chosen?.row)) {
    const lane = laneOf(scene, stack, row, chosen);
    const y = view.y(laneY(layout, stack, row));
    const { drawn, others } = ribbonsOf(rows[row], lane.isNow);
    for (const ribbon of drawn) drawWeight(view, knot, lane, ribbon, y);
    if (others > LEAST_OF_OTHERS) drawOthers(context, knot, OTHERS * lane.shadeOf(null), others, y);
  }
  context.globalAlpha = 1;
}

/**
 * A lane of a knot: whether it is that of the step or of the pointer, and how strong its ribbon to a key is, or, null,
 * to all others.
 * @param {import("./view.js").PictureScene} scene
 * @param {Stack} stack
 * @param {number} row
 * @param {ReturnType<typeof pointedRow>} chosen
 * @returns {{ isNow: boolean, shadeOf: (key: number | null) => number }}
 */
function laneOf({ pointed, step }, stack, row, chosen) {
  const isPointed = row === chosen?.row;
  const isNow = isPointed || (stack === "decoder" && row === step);
  /** @param {number | null} key */
  const isMeant = (key) => !pointed || (isPointed && (chosen.key ?? key) === key);
  const usual = isNow ? SHADES.now : SHADES[stack];
  return { isNow, shadeOf: (key) => (isMeant(key) ? usual : usual * FAINT) };
}

/**
 * Draws the ribbon of one weight, which comes back at a height.
 * @param {import("./view.js").View} view
 * @param {Knot} knot
 * @param {ReturnType<typeof laneOf>} lane
 * @param {{ key: number, weight: number }} ribbon
 * @param {number} y
 */
function drawWeight(view, knot, { isNow, shadeOf }, { key, weight }, y) {
  const { context } = view;
  const { kind, map, end, pitch } = knot;
  const isResting = kind !== "cross" && map.special.keys.has(key);
  const pale = isResting ? RESTING[isNow ? "now" : "usual"] : 1;
  context.globalAlpha = shadeOf(key) * Math.min(1, ALMOST_ZERO + weight) * pale;
  context.strokeStyle = knot.colour;
  context.lineWidth = Math.max(0.4, weight * pitch * 0.9);
  drawRibbon(context, startOf(view, knot, key), { x: end, y }, pitch);
}

/**
 * Where the ribbon of a key begins: at its lane, or where its token drops from the memory.
 * @param {import("./view.js").View} view
 * @param {Knot} knot
 * @param {number} key
 */
function startOf(view, { kind, stack, block, start }, key) {
  const { layout } = view;
  if (kind !== "cross") return { x: start, y: view.y(laneY(layout, stack, key)), isDrop: false };
  return { x: view.x(dropX(layout, block, key)), y: view.y(layout.decoder.top - 6), isDrop: true };
}

/**
 * Draws what all other keys have together, as a short ribbon from nowhere.
 * @param {CanvasRenderingContext2D} context
 * @param {Knot} knot
 * @param {number} shade
 * @param {number} weight
 * @param {number} y
 */
function drawOthers(context, { start, end, pitch, grey }, shade, weight, y) {
  /** @param {number} share */
  const x = (share) => start + share * (end - start);
  context.globalAlpha = shade;
  context.strokeStyle = grey;
  context.lineWidth = Math.max(0.4, weight * pitch * 0.5);
  context.beginPath();
  context.moveTo(x(0.72), y - 0.28 * pitch);
  context.quadraticCurveTo(x(0.9), y - 0.28 * pitch, end, y);
  context.stroke();
}

/**
 * The rows before `count`, one of them last and so on top.
 * @param {number} count
 * @param {number} [last]
 */
function lastOf(count, last) {
  const rows = [...Array(count).keys()];
  return last === undefined ? rows : [...rows.filter((row) => row !== last), last];
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {ReturnType<typeof startOf>} from
 * @param {{ x: number, y: number }} to
 * @param {number} pitch
 */
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
