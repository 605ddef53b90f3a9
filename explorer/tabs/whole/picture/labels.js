// The texts around the lanes: titles of stacks, layers and blocks, the tokens, and the probabilities.

import { headsShare } from "./heads.js";
import { laneY, namesWidth } from "./layout.js";
import { BLOCKS, kindOf } from "../place.js";
import { isSameLane } from "./pointed.js";
import { sourceWeights } from "./river.js";
import { LEAST_LABEL, LEAST_WIDTH, LETTERS, hasLeft } from "./view.js";
import { formatPercent } from "../../../ui/numbers.js";
import { fill, plainPiece, shorten } from "../../../ui/text.js";

const GUTTER = 8; // pixels from the edge to names that the stage has left behind
const NARROW_LABEL = 12, NARROW_LETTERS = 8; // pixels and letters of a name on a phone
const SLANT = Math.PI / 3, SLANTED_ROOM = 6; // of a block's name on a phone, and pixels below the layer's number
const BOLD = 0.3; // weight of a token whose name is bold

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./layout.js").Block} Block */
/** @typedef {import("../place.js").BlockName} BlockName */
/** @typedef {{ stack: Stack, layer: number, block: BlockName }} BlockOf */

/**
 * @param {View} view
 * @param {Stack} stack
 */
export function drawTitles(view, stack) {
  const { layout, scene: { words, colours } } = view;
  const { top, columns } = layout[stack];
  const colour = colours[stack];
  const y = view.y(top);
  if (!hasLeft(view.x(layout.labels))) {
    const x = Math.max(GUTTER, view.x(10));
    view.write(words[stack], x, y - 26, { size: 16, colour, isBold: true });
    if (!layout.isNarrow) view.write(words[`${stack}Reads`], x, y - 9, { size: 12, colour: colours.text });
  }
  columns.forEach(({ left, right }, layer) => {
    if (!view.isSeen(left, right)) return;
    const size = layout.isNarrow && view.nearness < 0.5 ? 12 : 14;
    const isBlock = view.isInBlock(stack, layer);
    const x = Math.max(view.x(left), namesWidth(layout) * view.nearness);
    const room = layout.isNarrow ? SLANTED_ROOM * (1 - view.nearness) : 0;
    const y0 = y - 26 - room - 16 * view.nearness;
    const long = `${words.layer} ${layer + 1}`;
    const name = view.measure(long, size, true) < (right - left) * view.kx - 6 ? long : `${layer + 1}`;
    const style = { size, colour: colours.ink, isBold: true, room: (right - left) * view.kx, hasHalo: true };
    if (!isBlock && x + view.measure(name, size, true) < view.x(right)) view.write(name, x, y0, style);
    for (const block of BLOCKS[stack]) drawBlockTitle(view, { stack, layer, block }, y);
  });
}

/**
 * A block's title, as long as fits above it; where the block fills the stage, beside its heads' names.
 * @param {View} view
 * @param {BlockOf} block
 * @param {number} y
 */
function drawBlockTitle(view, { stack, layer, block }, y) {
  const { layout, scene: { words, colours } } = view;
  const box = layout[stack].layers[layer][block];
  const isBlock = view.isInBlock(stack, layer);
  if (!isBlock) drawBracket(view, box, y);
  else if (view.x((box.start + box.end) / 2) < namesWidth(layout)) return; // it has left the stage
  const names = words.blocks[block === "self" ? `${stack}Self` : block];
  const off = offMark(view, stack, layer, block);
  const isNear = view.nearness > 0.5;
  const size = isNear ? 15 : 12;
  const width = (box.to - box.start) * view.kx;
  const titles = [names.long + off, names.short + off, names.short];
  const title = titles.find((text) => view.measure(text, size, isNear) < width - 4);
  const colour = colours[kindOf({ stack, block }) ?? stack];
  if (!title) {
    if (layout.isNarrow && !isNear) writeSlanted(view, names.short, { x: view.x((box.start + box.to) / 2), y, colour });
    return;
  }
  const middle = view.x(box.start + (isBlock ? 0.9 : 0.5) * (box.end - box.start));
  const last = layout.width - view.measure(title, size, isNear) / 2 - 2;
  const isNamedByPath = isBlock && layout.isNarrow; // here a phone has the names of heads and tokens
  if (!isNamedByPath) {
    const x = view.x(box.start) < layout.width / 2 ? Math.min(middle, last) : middle;
    view.write(title, x, y - 9 - 15 * view.nearness, {
      size, colour, align: "center", isBold: isNear, hasHalo: true,
    });
  }
  if (isNear) drawShapes(view, stack, block, box);
}

/**
 * A name above a block that is narrower than it.
 * @param {View} view
 * @param {string} name
 * @param {{ x: number, y: number, colour: string }} at
 */
function writeSlanted(view, name, { x, y, colour }) {
  const { context } = view;
  context.save();
  context.translate(x - 2, y - 9);
  context.rotate(-SLANT);
  view.write(name, 0, 0, { size: 11, colour, hasHalo: true });
  context.restore();
}

/**
 * What a title is the title of.
 * @param {View} view
 * @param {Block} box
 * @param {number} y
 */
function drawBracket(view, { start, to }, y) {
  const { context, scene: { colours } } = view;
  const [left, right] = [view.x(start), view.x(to) - 3];
  context.strokeStyle = colours.masked;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(left, y - 2);
  context.lineTo(left, y - 6);
  context.lineTo(right, y - 6);
  context.lineTo(right, y - 2);
  context.stroke();
}

/**
 * The numbers of a block's heads that are off, if others are on.
 * @param {View} view
 * @param {Stack} stack
 * @param {number} layer
 * @param {BlockName} block
 */
function offMark({ scene: { trace, words } }, stack, layer, block) {
  const map = trace.kinds[kindOf({ stack, block })];
  const isPart = map && map.off.length > 0 && map.headsOn(layer).length > 0;
  const off = isPart ? map.off.filter(([layerOff]) => layerOff === layer) : [];
  return off.length ? ` ${fill(words.without, { heads: off.map(([, head]) => `${head + 1}`).join(", ") })}` : "";
}

/**
 * The shapes of what a block computes, below its lanes.
 * @param {View} view
 * @param {Stack} stack
 * @param {BlockName} block
 * @param {Block} box
 */
function drawShapes(view, stack, block, box) {
  const { layout, scene: { colours, words, config, trace } } = view;
  const { heads, d_head: dHead, d_model: dModel, d_ff: dFf } = config;
  const y = view.y(layout[stack].bottom) + 9;
  /** @type {import("./view.js").TextStyle} */
  const style = { size: 12, colour: colours.text, align: "center", hasHalo: true };
  const inside = block === "feed" ? `${dModel} → ${dFf} → ${dModel}` : `${heads} ${words.heads} × ${dHead}`;
  const isThere = block === "feed" || headsShare(layout, (box.end - box.start) * view.kx) > 0;
  if (isThere && view.measure(inside, 12) < (box.to - box.start) * view.kx) {
    view.write(inside, view.x((box.start + box.end) / 2), y, style);
  }
  const shape = `[${stack === "encoder" ? trace.source.length : trace.steps.length}, ${dModel}]`;
  const hasRoom = view.measure(shape, 12) < (box.to - box.norm) * view.kx;
  if (hasRoom) view.write(shape, view.x((box.from + box.to) / 2), y, style);
}

/**
 * The tokens' names before their lanes, or at the edge where the stage has left these behind.
 * @param {View} view
 * @param {Stack} stack
 */
export function drawLabels(view, stack) {
  const { layout, scene: { step } } = view;
  const every = Math.max(1, Math.ceil(leastPitch(layout) / view.pitch));
  if (hasLeft(view.x(layout.labels))) clearGutter(view, stack);
  for (const label of labelsOf(view, stack, every)) drawLabel(view, stack, label, { isClearing: every > 1 });
  if (stack === "decoder" && step + 1 < layout.decoder.count) drawGhost(view, step + 1);
}

/**
 * How many pixels apart names are at least.
 * @param {{ isNarrow: boolean }} layout
 */
function leastPitch({ isNarrow }) {
  return isNarrow ? NARROW_LABEL : LEAST_LABEL;
}

/**
 * The pixels of a token's name: as much as its lane allows.
 * @param {View} view
 */
function nameSize({ layout, pitch }) {
  const least = layout.isNarrow ? NARROW_LABEL : LEAST_LABEL + 1;
  return Math.min(15, Math.max(least, Math.min(12, pitch + 1), 0.72 * pitch));
}

/**
 * The lanes that are named, `every` apart at least: those with large weights, in bold, then every so many, which stay
 * the same from step to step, then what has room between them. `light` is how much the step, or the lane that is
 * pointed at, looks at one.
 * @param {View} view
 * @param {Stack} stack
 * @param {number} every
 */
function labelsOf(view, stack, every) {
  const { scene: { pointed } } = view;
  const weights = sourceWeights(view, stack);
  const labels = Array.from({ length: view.known(stack) }, (_, lane) => {
    const light = weights?.[lane] ?? 0;
    return { lane, light, isBold: view.isNow(stack, lane) || light > BOLD || isSameLane(pointed, { stack, lane }) };
  });
  /** @param {typeof labels[number]} label */
  const rank = ({ lane, isBold }) => (isBold ? 0 : lane % every === 0 ? 1 : 2);
  /** @type {typeof labels} */
  const named = [];
  for (const label of [...labels].sort((one, other) => rank(one) - rank(other))) {
    if (label.isBold || named.every(({ lane }) => Math.abs(lane - label.lane) >= every)) named.push(label);
  }
  return named;
}

/**
 * Draws the name of a lane; one in bold `isClearing` its ground where names beside it might lie below.
 * @param {View} view
 * @param {Stack} stack
 * @param {{ lane: number, light: number, isBold: boolean }} label
 * @param {{ isClearing: boolean }} options
 */
function drawLabel(view, stack, { lane, light, isBold }, { isClearing }) {
  const { layout, scene: { trace, colours, hiddenTokens } } = view;
  const piece = stack === "encoder" ? trace.source[lane] : trace.steps[lane].fed;
  const y = view.y(laneY(layout, stack, lane));
  if (y < 8 || y > layout.height - 4) return;
  const size = nameSize(view);
  const name = shorten(plainPiece(piece.text), layout.isNarrow ? NARROW_LETTERS : LETTERS);
  const { x, width } = extentOfLabel(view, view.measure(name, size, isBold));
  if (x < 0) return; // the stage's edge would cut it off
  const colour = piece.special && !isBold ? colours.text : colours.ink;
  const ground = { x: x - 4, y, width: width + 8, height: Math.min(22, Math.max(12, view.pitch)) };
  fillGround(view, ground, colours.ground, isClearing && isBold ? 1 : 0);
  fillGround(view, ground, colours.cross, 0.75 * light);
  view.write(name, x, y, { size, colour, isBold, isSlanted: piece.special, room: width });
  if (stack === "encoder" && hiddenTokens.includes(lane)) strikeOut(view, { x, y, width, colour });
}

/**
 * Where a name of so many pixels begins, and how wide it is written: before its lane, or at the edge.
 * @param {View} view
 * @param {number} full
 */
function extentOfLabel(view, full) {
  const labels = view.x(view.layout.labels);
  if (hasLeft(labels)) return { x: GUTTER, width: full };
  const width = labels >= LEAST_WIDTH * full ? Math.min(labels, full) : full;
  return { x: labels - width, width };
}

/**
 * Fills the ground of a name, so strong.
 * @param {View} view
 * @param {{ x: number, y: number, width: number, height: number }} ground
 * @param {string} colour
 * @param {number} opacity
 */
function fillGround({ context }, { x, y, width, height }, colour, opacity) {
  context.globalAlpha = opacity;
  context.fillStyle = colour;
  context.fillRect(x, y - height / 2, width, height);
  context.globalAlpha = 1;
}

/**
 * Hides what the names stand on: strips of the block before.
 * @param {View} view
 * @param {Stack} stack
 */
function clearGutter(view, stack) {
  const { context, layout, scene: { colours } } = view;
  const [top, bottom] = [layout[stack].top, layout[stack].bottom].map((y) => view.y(y));
  context.fillStyle = colours.ground;
  context.fillRect(0, top - 40, namesWidth(layout), bottom - top + 60);
}

/**
 * A line through a text.
 * @param {View} view
 * @param {{ x: number, y: number, width: number, colour: string }} text
 */
function strikeOut({ context }, { x, y, width, colour }) {
  context.fillStyle = colour;
  context.fillRect(x - 2, y - 0.5, width + 4, 1.5);
}

/**
 * A sign where the next lane will begin.
 * @param {View} view
 * @param {number} lane
 */
function drawGhost(view, lane) {
  const { layout, scene: { colours } } = view;
  if (hasLeft(view.x(layout.labels)) || view.pitch < LEAST_LABEL) return;
  const y = view.y(laneY(layout, "decoder", lane));
  view.write("…", view.x(layout.labels) - 12, y, { size: 13, colour: colours.text });
}

/**
 * The probability of each token that was written, and its name, which a phone has room for only below the last.
 * @param {View} view
 */
export function drawOutput(view) {
  const { layout, pitch, scene: { step, colours, words } } = view;
  const { isNarrow, output: { from, to } } = layout;
  if (!view.isSeen(from, to)) return;
  const left = view.x(from) + 8;
  const width = view.x(to) - left;
  const barWidth = isNarrow ? width : 0.28 * width;
  const names = isNarrow ? { left: 0, room: layout.width, lanes: 1 }
    : { left: left + barWidth + 6, room: width - barWidth - 8, lanes: 0 };
  for (let row = 0; row <= step; row++) {
    drawProbability(view, row, left, barWidth);
    if (row === step || (!isNarrow && pitch >= LEAST_LABEL)) writePredicted(view, row, names);
  }
  if (isNarrow) return; // there its title stands before the name
  view.write(words.next, left, view.y(layout.decoder.top) - 9, { size: 12, colour: colours.decoder, room: width });
}

/**
 * @param {View} view
 * @param {number} row
 * @param {number} left
 * @param {number} width
 */
function drawProbability(view, row, left, width) {
  const { context, layout, pitch, scene: { trace, step, colours } } = view;
  const height = Math.max(1, Math.min(18, 0.6 * pitch));
  const top = view.y(laneY(layout, "decoder", row)) - height / 2;
  context.fillStyle = colours.decoder;
  context.globalAlpha = row === step ? 0.25 : 0.15;
  context.fillRect(left, top, width, height);
  context.globalAlpha = row === step ? 1 : 0.55;
  context.fillRect(left, top, width * trace.steps[row].probability, height);
  context.globalAlpha = 1;
}

/**
 * A token that was written, so many lanes below its own; beside another one than before a change that one.
 * @param {View} view
 * @param {number} row
 * @param {{ left: number, room: number, lanes: number }} names
 */
function writePredicted(view, row, { left, room, lanes }) {
  const { context, layout, pitch, scene: { trace, step, colours, words, comparison } } = view;
  const { predicted, probability } = trace.steps[row];
  const y = view.y(laneY(layout, "decoder", row + lanes));
  const isNow = row === step;
  const size = nameSize(view);
  const token = shorten(plainPiece(predicted.text), LETTERS);
  const text = fill(words.note, { token, percent: formatPercent(probability) });
  const width = view.measure(text, size, isNow);
  const x = layout.isNarrow ? view.x(layout.output.to) - width - 4 : left;
  const former = comparison?.former[row];
  if (former) {
    const height = Math.max(1, Math.min(18, 0.6 * pitch));
    context.fillStyle = colours.changed;
    context.globalAlpha = 0.45;
    context.fillRect(x - 2, y - height / 2 - 1, width + 4, height + 2);
    context.globalAlpha = 1;
  }
  const colour = isNow ? colours.ink : colours.text;
  view.write(text, x, y, { size, colour, isBold: isNow, room, hasHalo: layout.isNarrow && !former });
  if (layout.isNarrow) {
    view.write(words.next, x - 8, y, { size: 12, colour: colours.decoder, align: "right", hasHalo: true });
  }
  if (former && !layout.isNarrow) writeFormer(view, former, { x: x + width + 8, y, room: room - width - 6 });
}

/**
 * The token that the unchanged run writes, small and struck out, where there is room.
 * @param {View} view
 * @param {{ text: string }} piece
 * @param {{ x: number, y: number, room: number }} spot
 */
function writeFormer(view, { text }, { x, y, room }) {
  const { scene: { colours } } = view;
  const size = Math.max(LEAST_LABEL, Math.min(12, 0.6 * view.pitch));
  const name = plainPiece(text);
  const width = Math.min(room, view.measure(name, size));
  if (room < 20 || view.pitch < LEAST_LABEL) return;
  view.write(name, x, y, { size, colour: colours.text, room: width });
  strikeOut(view, { x, y, width, colour: colours.text });
}
