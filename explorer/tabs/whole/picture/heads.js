// A block's heads as maps, instead of its knot once there is room: masked cells hatched, the row of the step
// framed, the columns of (start) and (end) pale. Their rows lie on the lanes; where a block fills the stage, only those
// of the heads that tell most, which are large.

import { parseHex } from "../../../ui/contrast.js";
import { boxOf } from "./layout.js";
import { cameraOn, project } from "./camera.js";
import { tellingHeads } from "../../../derived/head_looks.js";
import { isHidden, isOutOfReach, maskedRuns } from "../../../derived/masks.js";
import { kindOf } from "../place.js";
import { bitmapOf } from "../../../ui/pixels.js";

const APPEAR = { wide: [150, 240], narrow: [100, 180] }; // pixels of a block between which its maps appear
export const TITLE = 20; // pixels above a map
const GAP = 12, NARROW_GAP = 4; // pixels between maps, and between those that share a layer's width
const LARGE_SHARE = { wide: 0.68, narrow: 0.76 }; // of a block's width, for the large maps if there are small ones
const REST = 0.35; // how strong the columns of special tokens are

/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("../place.js").Place} Place */
/** @typedef {{ width: number, height: number }} Size */

/**
 * What is drawn of one head; `rows` are those that have lanes, `colours` those of the theme, and as `accent` that of
 * the head's kind.
 * @typedef {{ map: AttentionMap, layer: number, head: number, rows: number, step: number, theme: string,
 *   colours: Record<string, string>, bitmaps: import("./bitmaps.js").Bitmaps, hiddenTokens: number[] }} HeadMapContent
 */

/**
 * How much of the maps is seen where a block is so many pixels wide.
 * @param {Pick<Layout, "isNarrow">} layout
 * @param {number} width
 */
export function headsShare({ isNarrow }, width) {
  const [from, to] = APPEAR[isNarrow ? "narrow" : "wide"];
  return Math.min(1, Math.max(0, (width - from) / (to - from)));
}

/**
 * The part of a block where its maps are, in the picture.
 * @param {Layout} layout
 * @param {Place} place in a block
 * @returns {Box}
 */
export function zoneOf(layout, { stack, layer, block }) {
  const { top, bottom, layers } = layout[/** @type {Stack} */ (stack)];
  const { start, end } = layers[layer][block];
  const width = (layout.isNarrow ? 0.8 : 0.76) * (end - start);
  return { left: start + 0.05 * (end - start), width, top, height: bottom - top };
}

/**
 * The number of columns that makes maps of a ratio (width to height) largest in a room.
 * @param {number} heads
 * @param {Size} room
 * @param {number} ratio
 */
export function gridColumns(heads, room, ratio) {
  let best = { height: -Infinity, across: 1 };
  for (let across = 1; across <= heads; across++) {
    const { height } = mapSize(room, { across, down: Math.ceil(heads / across) }, ratio);
    if (height > best.height) best = { height, across };
  }
  return best.across;
}

/**
 * The size of each map.
 * @param {Size} room
 * @param {{ across: number, down: number }} counts
 * @param {number} ratio
 */
function mapSize(room, { across, down }, ratio) {
  const height = Math.min(room.height / down - TITLE - GAP, (room.width / across - GAP) / ratio);
  return { width: height * ratio, height };
}

/**
 * The rectangles on the stage of a grid's maps.
 * @param {Box} room
 * @param {number} heads
 * @param {number} across
 * @param {number} ratio
 */
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
 * The rectangles of equal maps beside one another, as tall as the lanes.
 * @param {Box} room
 * @param {number} heads
 * @returns {Box[]}
 */
function rowBoxes({ left, top, width, height }, heads) {
  const cell = width / heads;
  return Array.from({ length: heads }, (_, head) => (
    { left: left + head * cell, top, width: cell - Math.min(NARROW_GAP, cell / 4), height }));
}

/**
 * The rectangles where some maps are large, as tall as the lanes, and the others small beside them.
 * @param {Box} room
 * @param {number} heads
 * @param {number[]} large
 * @param {{ ratio: number, share: number }} options
 */
function blockBoxes(room, heads, large, { ratio, share }) {
  const width = (large.length < heads ? share : 1) * room.width;
  const cell = width / large.length;
  const others = { ...room, left: room.left + width, width: room.width - width };
  const count = heads - large.length;
  const small = count ? gridBoxes(others, count, gridColumns(count, others, ratio), ratio) : [];
  return Array.from({ length: heads }, (_, head) => {
    const at = large.indexOf(head);
    if (at < 0) return small.shift();
    return { left: room.left + at * cell, top: room.top, width: Math.min(cell - GAP, ratio * room.height),
      height: room.height };
  });
}

/**
 * The heads of a block that are large where it fills the stage.
 * @param {AttentionMap} map
 * @param {number} layer
 * @returns {number[]}
 */
export function largeHeads(map, layer) {
  return map.ready ? map.once(`telling heads ${layer}`, () => tellingHeads(map, layer)) : [0];
}

/**
 * The part of a block for its maps on the stage: at a camera, and at those of the block's layer and of the block.
 * @param {Layout} layout
 * @param {Place} place
 * @param {import("./camera.js").Camera} camera
 */
function roomsOf(layout, place, camera) {
  const zone = zoneOf(layout, place);
  /** @param {Place} one */
  const roomAt = (one) => project(cameraOn(boxOf(layout, one), layout), zone);
  return {
    room: project(camera, zone),
    far: roomAt({ ...place, block: null, head: null }),
    near: roomAt({ ...place, head: null }),
  };
}

/**
 * How far a room has grown from a smaller to a larger one, from 0 to 1, evenly in zoom factors.
 * @param {Box} room
 * @param {Box} far
 * @param {Box} near
 */
function growth({ width }, far, near) {
  return Math.min(1, Math.max(0, Math.log(width / far.width) / Math.log(near.width / far.width) || 0));
}

/**
 * The box between two.
 * @param {Box} from
 * @param {Box} to
 * @param {number} share
 * @returns {Box}
 */
function boxBetween(from, to, share) {
  /** @param {keyof Box} side */
  const mix = (side) => from[side] + share * (to[side] - from[side]);
  return { left: mix("left"), top: mix("top"), width: mix("width"), height: mix("height") };
}

/**
 * Where the maps of a block are on the stage. From where its layer fills the stage to where the block does, they glide
 * from a row of equals to the large ones and the others.
 * @param {Pick<import("./view.js").PictureScene, "layout" | "trace">} scene
 * @param {Place} place
 * @param {import("./camera.js").Camera} camera
 * @returns {Box[]}
 */
export function headBoxes({ layout, trace }, place, camera) {
  const map = trace.kinds[kindOf(place)];
  const { heads } = map;
  const ratio = ratioOf(map, layout[/** @type {Stack} */ (place.stack)].count);
  const { room, far, near } = roomsOf(layout, place, camera);
  const equals = rowBoxes(room, heads);
  const share = LARGE_SHARE[layout.isNarrow ? "narrow" : "wide"];
  const apart = blockBoxes(room, heads, largeHeads(map, place.layer), { ratio, share });
  return equals.map((box, head) => boxBetween(box, apart[head], growth(room, far, near)));
}

/**
 * Draws the map of one head in a box; rows after the step are not written yet.
 * @param {CanvasRenderingContext2D} context
 * @param {Box} box
 * @param {HeadMapContent} content
 */
export function drawHead(context, box, { map, layer, head, rows, step, colours, bitmaps, theme, hiddenTokens }) {
  const { kind } = map;
  const columns = map.keys.length;
  const known = kind === "encoder" ? rows : step + 1;
  const bitmap = bitmaps.get(`head ${kind} ${layer} ${head} ${theme}`, () => headBitmap(map, layer, head, colours));
  const cell = { width: box.width / columns, height: box.height / rows };
  const isOff = map.isOff(layer, head);
  context.globalAlpha = 1;
  context.fillStyle = colours.ground;
  context.fillRect(box.left, box.top, box.width, box.height);
  if (isOff) drawCross(context, box, colours.masked);
  else {
    drawMask(context, box, { map, rows, hiddenTokens, colour: colours.masked });
    context.imageSmoothingEnabled = cell.width < 1;
    context.drawImage(bitmap, 0, 0, columns, known, box.left, box.top, box.width, known * cell.height);
  }
  context.strokeStyle = colours.masked;
  context.lineWidth = 1;
  context.strokeRect(box.left - 0.5, box.top - 0.5, box.width + 1, box.height + 1);
  if (kind !== "encoder" && !isOff) frameRow(context, box, { rows, row: step, colour: colours.ink });
}

/**
 * Frames a row of a head's map.
 * @param {CanvasRenderingContext2D} context
 * @param {Box} box
 * @param {{ rows: number, row: number, colour: string }} options
 */
export function frameRow(context, { left, top, width, height }, { rows, row, colour }) {
  const cell = height / rows;
  const tall = Math.max(3, cell);
  context.strokeStyle = colour;
  context.lineWidth = 1.25;
  context.strokeRect(left - 2, top + (row + 0.5) * cell - tall / 2 - 1, width + 4, tall + 2);
}

/**
 * What is off.
 * @param {CanvasRenderingContext2D} context
 * @param {Box} box
 * @param {string} colour
 */
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

/**
 * The weights of a head as pixels; the columns of special tokens are pale.
 * @param {AttentionMap} map
 * @param {number} layer
 * @param {number} head
 * @param {Record<string, string>} colours
 */
function headBitmap(map, layer, head, { accent }) {
  const colour = parseHex(accent);
  const rows = map.one(layer, head);
  /** @param {number} column */
  const rest = (column) => (map.kind !== "cross" && map.special.keys.has(column) ? REST : 1);
  const shaded = rows.map((row) => row.map((weight, column) => weight * rest(column)));
  return bitmapOf(shaded, map.keys.length, (weight) => [colour, Math.min(1, weight)]);
}

/**
 * The masked cells of a map, also those of source tokens that are hidden.
 * @param {AttentionMap} map
 * @param {number[]} hiddenTokens
 */
function maskOf(map, hiddenTokens) {
  return map.once(`mask ${hiddenTokens}`, () => maskedRuns(map.queries.length, map.keys.length, (query, key) => (
    isOutOfReach(map, query, key) || isHidden(map, key, hiddenTokens))));
}

/**
 * Hatches the masked cells of a map in a box.
 * @param {CanvasRenderingContext2D} context
 * @param {Box} box
 * @param {{ map: AttentionMap, rows: number, hiddenTokens: number[], colour: string }} options
 */
function drawMask(context, { left, top, width, height }, { map, rows, hiddenTokens, colour }) {
  const mask = maskOf(map, hiddenTokens).filter(({ row }) => row < rows);
  if (!mask.length) return;
  const across = width / map.keys.length;
  const down = height / rows;
  context.save();
  context.beginPath();
  for (const { row, from, to } of mask) {
    context.rect(left + from * across, top + row * down, (to - from) * across, down);
  }
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

/**
 * The width of a map's weights per height, within what is readable.
 * @param {AttentionMap} map
 * @param {number} rows that are drawn
 */
function ratioOf(map, rows) {
  return Math.min(2, Math.max(0.5, map.keys.length / rows));
}
