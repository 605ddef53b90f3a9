// The blocks of a layer, which branch off the lanes: attention as a knot or as maps of its heads, and the feed-forward
// network; what they add, the sum and the norm.

import { drawCross, drawHead, frameRow, headBoxes, headsShare } from "./heads.js";
import { drawKnot } from "./knots.js";
import { drawSigns, drawStrip } from "./lanes.js";
import { laneY } from "./layout.js";
import { BLOCKS, WHOLE, kindOf } from "../place.js";
import { pointedRow } from "./pointed.js";
import { stripName } from "./view.js";
import { headLine } from "../../../attention_view/head_names.js";

const GHOST = 0.2; // how strong maps are behind the ribbons of a lane
// Pixels of a head's map that has its number above it, and its name, too
const LEAST_WITH_NUMBER = 12, LEAST_WITH_NAME = 60;
const PALE = 0.35; // how strong (+) is where a block is off

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./layout.js").Block} Block */
/** @typedef {import("../place.js").BlockName} BlockName */

/**
 * @param {View} view
 * @param {Stack} stack
 * @param {number} layer
 */
export function drawLayer(view, stack, layer) {
  const { left, right } = view.layout[stack].columns[layer];
  if (!view.isSeen(left, right)) return;
  for (const block of BLOCKS[stack]) drawBlock(view, stack, layer, block);
}

/**
 * @param {View} view
 * @param {Stack} stack
 * @param {number} layer
 * @param {BlockName} block
 */
function drawBlock(view, stack, layer, block) {
  const { layout } = view;
  const box = layout[stack].layers[layer][block];
  if (!view.isSeen(box.start, box.to)) return;
  if (block === "feed") drawFeed(view, stack, layer, box);
  else drawAttention(view, stack, layer, block, box);
  const output = { from: box.end - 0.14 * (box.end - box.start), to: box.end - 0.02 * (box.end - box.start) };
  const isWide = (output.to - output.from) * view.kx > 24;
  if (isWide) drawStrip(view, stack, stripName(stack, layer, block, "output"), output, { lift: 0.3, share: 0.5 });
  const kind = kindOf({ stack, block });
  const isOff = kind !== null && !view.scene.trace.kinds[kind].headsOn(layer).length; // a bias at most is added
  drawSigns(view, stack, box.plus, isOff ? PALE : 1);
  const isOpen = (box.to - box.plus) * view.kx > 60;
  if (isOpen) drawNorm(view, stack, layer, block, box);
  drawStrip(view, stack, stripName(stack, layer, block, "stream"), { from: isOpen ? box.from : box.norm, to: box.to });
}

/**
 * The sum before the norm, and the norm.
 * @param {View} view
 * @param {Stack} stack
 * @param {number} layer
 * @param {BlockName} block
 * @param {Block} box
 */
function drawNorm(view, stack, layer, block, box) {
  const { context, layout, scene: { colours, words } } = view;
  const width = box.norm - box.plus;
  drawStrip(view, stack, stripName(stack, layer, block, "sum"), {
    from: box.plus + 0.3 * width, to: box.norm - 0.15 * width,
  });
  const x = view.x(box.norm);
  context.strokeStyle = colours.ink;
  context.lineWidth = 1.5;
  for (let lane = 0; lane < view.known(stack); lane++) {
    const y = view.y(laneY(layout, stack, lane));
    context.globalAlpha = view.isNow(stack, lane) ? 1 : 0.45;
    context.beginPath();
    context.moveTo(x, y - 0.34 * view.pitch);
    context.lineTo(x, y + 0.34 * view.pitch);
    context.stroke();
  }
  context.globalAlpha = 1;
  view.write(words.parts.norm, x, view.y(layout[stack].top) - 15, { size: 12, align: "center", colour: colours.text });
}

/**
 * @param {View} view
 * @param {Stack} stack
 * @param {number} layer
 * @param {"self" | "cross"} block
 * @param {Block} box
 */
function drawAttention(view, stack, layer, block, box) {
  const { scene } = view;
  const kind = kindOf({ stack, block });
  const colour = scene.colours[kind];
  const isPointed = scene.pointed !== null && !view.isInBlock(stack, layer);
  const width = (box.end - box.start) * view.kx;
  const seen = Math.min(Math.max(view.nearness, view.filling(box)), headsShare(view.layout, width));
  const share = isPointed ? GHOST * seen : seen;
  if (share < 1 && !scene.trace.kinds[kind].headsOn(layer).length) drawOff(view, stack, box);
  else if (share < 1) {
    view.fade(1 - share, () => drawKnot(view, { stack, kind, layer, block: box, colour, grey: scene.colours.masked }));
  }
  if (share > 0) view.fade(share, () => drawHeads(view, stack, layer, block));
}

/**
 * A block whose heads are all off.
 * @param {View} view
 * @param {Stack} stack
 * @param {Block} box
 */
function drawOff(view, stack, box) {
  const { top, bottom } = view.layout[stack];
  const [left, right, upper, lower] = [view.x(box.start), view.x(box.end), view.y(top), view.y(bottom)];
  const size = 0.35 * Math.min(right - left, lower - upper);
  const [x, y] = [(left + right) / 2, (upper + lower) / 2];
  const square = { left: x - size, top: y - size, width: 2 * size, height: 2 * size };
  drawCross(view.context, square, view.scene.colours.masked);
}

/**
 * @param {View} view
 * @param {Stack} stack
 * @param {number} layer
 * @param {"self" | "cross"} block
 */
function drawHeads(view, stack, layer, block) {
  const { context, layout, camera, scene } = view;
  const { trace, step, theme, bitmaps, hiddenTokens } = scene;
  const kind = kindOf({ stack, block });
  const map = trace.kinds[kind];
  if (!map.ready) return;
  const pointed = view.isInBlock(stack, layer) ? pointedRow(scene, kind) : null;
  const place = { ...WHOLE, stack, layer, block };
  const rows = layout[stack].count;
  /** @type {any} */
  const colours = { ...scene.colours, accent: scene.colours[kind] };
  headBoxes(scene, place, camera).forEach((box, head) => {
    if (box.left > layout.width || box.left + box.width < 0) return;
    drawHead(context, box, { map, layer, head, rows, step, colours, bitmaps, theme, hiddenTokens });
    if (pointed) frameRow(context, box, { rows, row: pointed.row, colour: colours.accent });
    if (box.width < LEAST_WITH_NUMBER) return;
    writeHeadTitle(view, box, map, { layer, head });
  });
}

/**
 * The number of a head, its measured name, and what it looks at here, as much of it as has room above its map.
 * @param {View} view
 * @param {import("./layout.js").Box} box
 * @param {AttentionMap} map
 * @param {{ layer: number, head: number }} site
 */
function writeHeadTitle(view, { left, top, width }, map, site) {
  const { nameOf, words, colours } = view.scene;
  const { short, here } = nameOf(map, site);
  const isWide = width > 110;
  const number = `${site.head + 1}`;
  const numbers = isWide ? [`${words.head} ${number}`, number] : [number];
  const size = isWide ? 13 : 11;
  const room = width + 10;
  const names = width < LEAST_WITH_NAME ? [] : [[short, here], [short]];
  const titles = names.flatMap((name) => numbers.map((one) => headLine(one, ...name)));
  const title = titles.find((text) => view.measure(text, size) <= room) ?? numbers[0];
  view.write(title, left, top - 10, { size, colour: colours.text, room, hasHalo: true });
}

/**
 * The feed-forward network branches off above the lane and comes back where it is added.
 * @param {View} view
 * @param {Stack} stack
 * @param {number} layer
 * @param {Block} box
 */
function drawFeed(view, stack, layer, box) {
  const { context, layout } = view;
  const width = box.end - box.start;
  const lift = 0.3 * view.pitch;
  const from = view.x(box.start);
  const to = view.x(box.plus);
  context.strokeStyle = view.scene.colours[stack];
  context.lineWidth = Math.max(0.5, Math.min(3, 0.09 * view.pitch));
  for (let lane = 0; lane < view.known(stack) && view.pitch > 5; lane++) {
    const y = view.y(laneY(layout, stack, lane));
    const bend = 0.08 * (to - from);
    context.globalAlpha = view.isNow(stack, lane) ? 0.9 : 0.35;
    context.beginPath();
    context.moveTo(from, y);
    context.bezierCurveTo(from + bend, y, from + bend / 2, y - lift, from + 1.5 * bend, y - lift);
    context.lineTo(to - 1.5 * bend, y - lift);
    context.bezierCurveTo(to - bend / 2, y - lift, to - bend, y, to, y);
    context.stroke();
  }
  context.globalAlpha = 1;
  drawStrip(view, stack, stripName(stack, layer, "feed", "hidden"), {
    from: box.start + 0.14 * width, to: box.start + 0.8 * width,
  }, { lift: 0.3, share: 0.42 });
}
