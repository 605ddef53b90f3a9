// The lanes: one thick unbroken band a token, the residual stream; its numbers as strips, the signs (+) where something
// is added, and the loop of the chosen token.

import { laneY } from "./layout.js";
import { stripName } from "./view.js";
import { bitmapOf, fullScale, signedShades } from "../../../ui/pixels.js";

const LEAST_SIGN = 1.8; // pixels of the radius of a sign (+) beside the present lane
const LEAST_MOVED = 0.05, FULL_MOVED = 0.4; // shares of a vector's length between which its halo grows strong

/** @typedef {import("./view.js").View} View */

/** @param {View} view */
export function drawCurrentLane(view) {
  const { context, layout, scene: { colours, step } } = view;
  const height = Math.max(3, view.pitch);
  context.globalAlpha = 0.13;
  context.fillStyle = colours.decoder;
  context.fillRect(0, view.y(laneY(layout, "decoder", step)) - height / 2, layout.width, height);
  context.globalAlpha = 1;
}

/**
 * The residual stream: one thick unbroken band a token, from its embedding to the end.
 * @param {View} view
 * @param {Stack} stack
 */
export function drawLanes(view, stack) {
  const { context, layout, scene: { colours } } = view;
  const from = view.x(layout.start.from);
  const to = view.x(stack === "encoder" ? layout.river.turn : layout.output.from);
  const known = view.known(stack);
  for (let lane = 0; lane < layout[stack].count; lane++) {
    const y = view.y(laneY(layout, stack, lane));
    const isWritten = lane < known;
    const height = isWritten ? Math.min(16, Math.max(1, 0.36 * view.pitch)) : 1;
    const empty = 0.35 * Math.min(1, view.pitch / 6);
    context.globalAlpha = isWritten ? (view.isNow(stack, lane) ? 0.5 : 0.2) : empty;
    context.fillStyle = isWritten ? view.scene.colours[stack] : colours.masked;
    context.fillRect(from, y - height / 2, to - from, height);
  }
  context.globalAlpha = 1;
}

/**
 * Token, position and their sum.
 * @param {View} view
 * @param {Stack} stack
 */
export function drawStart(view, stack) {
  const { layout: { start } } = view;
  if (!view.isSeen(start.from, start.to)) return;
  const width = start.to - start.from;
  /** @type {(from: number, to: number) => { from: number, to: number }} */
  const part = (from, to) => ({ from: start.from + from * width, to: start.from + to * width });
  const hasPositions = view.scene.config.positions !== "none";
  drawStrip(view, stack, stripName(stack, null, null, "embedding"), part(0, 0.27));
  if (hasPositions) {
    drawStrip(view, stack, stripName(stack, null, null, "positions"), part(0.33, 0.53), { lift: 0.22, share: 0.45 });
    drawSigns(view, stack, start.from + 0.61 * width);
  }
  drawStrip(view, stack, stripName(stack, null, null, "stream"), part(0.7, 1));
}

/**
 * The signs (+) where a block's result is added to the lane, so strong.
 * @param {View} view
 * @param {Stack} stack
 * @param {number} where
 */
export function drawSigns(view, stack, where, opacity = 1) {
  const { context, layout, scene: { colours } } = view;
  const x = view.x(where);
  const isSmall = layout.isNarrow && view.nearness < 0.5; // beside strips that are narrower still
  const radius = Math.min(isSmall ? 2.4 : 10, 0.26 * view.pitch);
  for (let lane = 0; lane < view.known(stack); lane++) {
    const isNow = view.isNow(stack, lane);
    if (radius < LEAST_SIGN && !isNow) continue;
    const y = view.y(laneY(layout, stack, lane));
    const size = Math.max(2.6, radius);
    context.globalAlpha = opacity;
    context.fillStyle = colours.ground;
    context.strokeStyle = isNow ? colours.ink : view.scene.colours[stack];
    context.lineWidth = Math.max(0.8, Math.min(1.6, size / 4));
    context.beginPath();
    context.arc(x, y, size, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
    context.beginPath();
    context.moveTo(x - 0.6 * size, y);
    context.lineTo(x + 0.6 * size, y);
    context.moveTo(x, y - 0.6 * size);
    context.lineTo(x, y + 0.6 * size);
    context.stroke();
  }
  context.globalAlpha = 1;
}

/**
 * A tensor's rows on their lanes; `lift` and `share` are parts of the lane's height: how far above, and how tall.
 * @param {View} view
 * @param {Stack} stack
 * @param {string} name
 * @param {{ from: number, to: number }} ends
 * @param {{ lift?: number, share?: number }} [options]
 */
export function drawStrip(view, stack, name, { from, to }, { lift = 0, share = 0.62 } = {}) {
  const { context, layout, scene: { strips, bitmaps, theme, colours, comparison } } = view;
  const moved = comparison?.strips.get(name);
  const tensor = strips.get(name);
  if (!tensor || !view.isSeen(from, to)) return;
  const columns = tensor.shape.at(-1);
  const isNear = view.nearness > 0.5;
  const sides = { accent: colours[stack], negative: colours[`${stack}_negative`] };
  const bitmap = bitmaps.get(`${name} ${columns} ${isNear} ${theme}`, () => (
    bitmapOf(tensor.rows, columns, signedShades(sides, fullScale(tensor), isNear))));
  const left = view.x(from);
  const width = view.x(to) - left;
  const known = Math.min(view.known(stack), tensor.shape[0]);
  context.imageSmoothingEnabled = columns > 2 * width;
  const height = Math.max(1, share * view.pitch);
  for (let lane = 0; lane < known; lane++) {
    const top = view.y(laneY(layout, stack, lane)) - lift * view.pitch - height / 2;
    if (top > layout.height || top + height < 0) continue;
    if (moved) drawHalo(view, { left, top, width, height }, moved[lane]);
    context.globalAlpha = 1;
    context.fillStyle = colours.ground;
    context.fillRect(left, top, width, height);
    context.globalAlpha = view.isNow(stack, lane) || stack === "encoder" ? 1 : 0.75;
    context.drawImage(bitmap, 0, lane, columns, 1, left, top, width, height);
    if (height < 9) continue;
    context.strokeStyle = sides.accent;
    context.globalAlpha = 0.4;
    context.lineWidth = 1;
    context.strokeRect(left, top, width, height);
  }
  context.globalAlpha = 1;
}

/**
 * Fills a rectangle with round corners; Safari has roundRect since 16.
 * @param {CanvasRenderingContext2D} context
 * @param {[left: number, top: number, right: number, bottom: number]} sides
 * @param {number} radius
 */
function fillRounded(context, [left, top, right, bottom], radius) {
  context.beginPath();
  context.moveTo(left, top + radius);
  context.quadraticCurveTo(left, top, left + radius, top);
  context.lineTo(right - radius, top);
  context.quadraticCurveTo(right, top, right, top + radius);
  context.lineTo(right, bottom - radius);
  context.quadraticCurveTo(right, bottom, right - radius, bottom);
  context.lineTo(left + radius, bottom);
  context.quadraticCurveTo(left, bottom, left, bottom - radius);
  context.fill();
}

/**
 * The soft border of a strip that moved by a share of its length.
 * @param {View} view
 * @param {import("./layout.js").Box} strip
 * @param {number} share
 */
function drawHalo(view, { left, top, width, height }, share) {
  if (share < LEAST_MOVED) return;
  const { context, scene: { colours } } = view;
  const border = Math.min(5, Math.max(1.5, 0.2 * view.pitch));
  context.fillStyle = colours.changed;
  context.globalAlpha = 0.25 + 0.5 * Math.min(1, (share - LEAST_MOVED) / (FULL_MOVED - LEAST_MOVED));
  for (const size of [border, border / 2]) { // twice, so that it fades outwards
    fillRounded(context, [left - size, top - size, left + width + size, top + height + size], size);
  }
}

/**
 * The chosen token becomes the next lane.
 * @param {View} view
 */
export function drawLoop(view) {
  const { context, layout, scene: { step, colours, words } } = view;
  if (step + 1 >= layout.decoder.count || view.nearness > 0.5) return;
  const [right, left] = [view.x(layout.width - 3), view.x(4)];
  const [from, to] = [step, step + 1].map((row) => view.y(laneY(layout, "decoder", row)));
  const bottom = view.y(layout.decoder.bottom + 10);
  context.save();
  context.globalAlpha = 1 - view.nearness;
  context.strokeStyle = colours.decoder;
  context.lineWidth = 1.25;
  context.setLineDash([4, 3]);
  context.beginPath();
  context.moveTo(right - 8, from);
  context.lineTo(right, from);
  context.lineTo(right, bottom);
  context.lineTo(left, bottom);
  context.lineTo(left, to);
  context.lineTo(left + 12, to);
  context.stroke();
  context.restore();
  if (!layout.isNarrow) {
    const left = view.x(layout.start.to);
    context.fillStyle = colours.ground;
    context.fillRect(left - 4, bottom - 8, view.measure(words.loop, 12) + 8, 16);
    view.write(words.loop, left, bottom, { size: 12, colour: colours.decoder });
  }
}
