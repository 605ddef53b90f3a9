// A block's heads as maps, in the place of its knot once there is room: masked cells hatched, the row of the step
// framed, the columns of (start) and (end) pale.

import { parseHex } from "../../../ui/contrast.js";
import { bitmapOf } from "./bitmaps.js";
import { boxOf } from "./layout.js";
import { cameraOn, project } from "./camera.js";

const FROM_WIDTH = 150, TO_WIDTH = 240; // pixels of a block between which its maps appear
const TITLE = 20, GAP = 12; // pixels
const REST = 0.35; // how strong the columns of special tokens are

/** How much of the maps is seen where a block is so many pixels wide. */
export function headsShare(width) {
  return Math.min(1, Math.max(0, (width - FROM_WIDTH) / (TO_WIDTH - FROM_WIDTH)));
}

/** The part of a block where its maps are, in the picture. */
function zoneOf(layout, { stack, layer, block }) {
  const { start, end } = layout[stack].layers[layer][block];
  const { top, bottom } = layout[stack];
  return { left: start + 0.05 * (end - start), width: 0.76 * (end - start), top, height: bottom - top };
}

/** The number of columns that makes maps of a ratio (width to height) largest in a room. */
export function gridColumns(heads, room, ratio) {
  let best = { height: -Infinity, across: 1 };
  for (let across = 1; across <= heads; across++) {
    const { height } = mapSize(room, { across, down: Math.ceil(heads / across) }, ratio);
    if (height > best.height) best = { height, across };
  }
  return best.across;
}

function mapSize(room, { across, down }, ratio) {
  const height = Math.min(room.height / down - TITLE - GAP, (room.width / across - GAP) / ratio);
  return { width: height * ratio, height };
}

/** The rectangles on the stage of a grid's maps. */
function gridBoxes(room, heads, across, ratio) {
  const down = Math.ceil(heads / across);
  const { width, height } = mapSize(room, { across, down }, ratio);
  const cell = { width: room.width / across, height: room.height / down };
  return Array.from({ length: heads }, (_, head) => ({
    left: room.left + (head % across) * cell.width + (cell.width - width) / 2,
    top: room.top + Math.floor(head / across) * cell.height + TITLE + (cell.height - TITLE - height) / 2,
    width,
    height,
  }));
}

/**
 * Where the maps of a block are on the stage. From where its layer fills the stage to where the block does, they glide
 * from the grid that is best there to the one that is best here.
 * @returns {import("./layout.js").Box[]}
 */
export function headBoxes(layout, place, camera, { heads, ratio }) {
  const zone = zoneOf(layout, place);
  const roomAt = (one) => project(cameraOn(boxOf(layout, one), layout), zone);
  const [far, near] = [roomAt({ ...place, block: null }), roomAt({ ...place, head: null })];
  const room = project(camera, zone);
  const grids = [far, near].map((one) => gridBoxes(room, heads, gridColumns(heads, one, ratio), ratio));
  const share = Math.min(1, Math.max(0, Math.log(room.width / far.width) / Math.log(near.width / far.width) || 0));
  return grids[0].map((one, head) => {
    const other = grids[1][head];
    const mix = (side) => one[side] + share * (other[side] - one[side]);
    return { left: mix("left"), top: mix("top"), width: mix("width"), height: mix("height") };
  });
}

/** Draws the map of one head in a box; rows after the step are not written yet. */
export function drawHead(context, box, { map, layer, head, step, colours, bitmaps, theme, hiddenTokens }) {
  const { kind } = map;
  const rows = map.queries.length, columns = map.keys.length;
  const known = kind === "encoder" ? rows : step + 1;
  const bitmap = bitmaps.get(`head ${kind} ${layer} ${head} ${theme}`, () => headBitmap(map, layer, head, colours));
  const cell = { width: box.width / columns, height: box.height / rows };
  const isOff = map.isOff(layer, head);
  context.globalAlpha = 1;
  context.fillStyle = colours.ground;
  context.fillRect(box.left, box.top, box.width, box.height);
  if (isOff) drawCross(context, box, colours.masked);
  else {
    drawMask(context, box, maskedBoxes(map, box, hiddenTokens), colours.masked);
    context.imageSmoothingEnabled = false;
    context.drawImage(bitmap, 0, 0, columns, known, box.left, box.top, box.width, known * cell.height);
  }
  context.strokeStyle = colours.masked;
  context.lineWidth = 1;
  context.strokeRect(box.left - 0.5, box.top - 0.5, box.width + 1, box.height + 1);
  if (kind === "encoder" || isOff) return;
  context.strokeStyle = colours.ink;
  context.lineWidth = 1.25;
  const height = Math.max(3, cell.height);
  context.strokeRect(box.left - 2, box.top + (step + 0.5) * cell.height - height / 2 - 1, box.width + 4, height + 2);
}

/** What is off. */
export function drawCross(context, { left, top, width, height }, colour) {
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(left, top);
  context.lineTo(left + width, top + height);
  context.moveTo(left + width, top);
  context.lineTo(left, top + height);
  context.stroke();
}

function headBitmap(map, layer, head, { accent }) {
  const colour = parseHex(accent);
  const rows = map.one(layer, head);
  const rest = (column) => (map.kind !== "cross" && map.special.keys.has(column) ? REST : 1);
  const shaded = rows.map((row) => row.map((weight, column) => weight * rest(column)));
  return bitmapOf(shaded, map.keys.length, (weight) => [colour, Math.min(1, weight)]);
}

/** Where the masked cells of a map are: above the decoder's diagonal, and in the columns of hidden tokens. */
function maskedBoxes({ kind, queries, keys }, { left, top, width, height }, hiddenTokens) {
  const cell = { width: width / keys.length, height: height / queries.length };
  const box = (row, column, rows, columns) => [
    left + column * cell.width, top + row * cell.height, columns * cell.width, rows * cell.height];
  if (kind === "decoder") return queries.slice(1).map((_, row) => box(row, row + 1, 1, keys.length - row - 1));
  return hiddenTokens.map((token) => box(0, token, queries.length, 1));
}

/** Hatches boxes of a map. */
function drawMask(context, { left, top, width, height }, boxes, colour) {
  if (!boxes.length) return;
  context.save();
  context.beginPath();
  for (const [x, y, boxWidth, boxHeight] of boxes) context.rect(x, y, boxWidth, boxHeight);
  context.clip();
  context.beginPath();
  for (let x = left - height; x < left + width; x += 6) {
    context.moveTo(x, top + height);
    context.lineTo(x + height, top);
  }
  context.strokeStyle = colour;
  context.lineWidth = 0.8;
  context.stroke();
  context.restore();
}

/** The width of a map's weights per height, within what is readable. */
export function ratioOf(map) {
  return Math.min(2, Math.max(0.5, map.keys.length / map.queries.length));
}
