// The memory as a river: the encoder's lanes turn down, run back between the stacks and drop into each cross-attention.

import { TITLE, headBoxes, largeHeads } from "./heads.js";
import { dropX, laneY, namesWidth } from "./layout.js";
import { pointedRow } from "./pointed.js";
import { LEAST_WIDTH, LETTERS } from "./view.js";
import { WHOLE } from "../place.js";
import { plainPiece, shorten } from "../../../ui/text.js";

const FEW = 40; // tokens whose ways together are still no dark band
const LIT = 0.12; // weight of a source token whose way to the step is lit

const NAMED = 0.2; // weight of a column that has a name where not all have room
const NAME_GAP = 15; // pixels between names
const SIDE = 12, EDGE = 8, BESIDE = 70; // pixels: who asks and who offers, their distance from the edge and the drops

/** @typedef {import("./view.js").View} View */

/**
 * The encoder's lanes turn down, run back and drop into every layer's cross-attention; the step's are lit.
 * @param {View} view
 */
export function drawRiver(view) {
  const { context, layout, scene, scene: { colours, trace, step, config, hiddenTokens } } = view;
  const map = trace.kinds.cross;
  const chosen = pointedRow(scene, "cross");
  const lit = Array.from({ length: config.layers.decoder }, (_, layer) => (
    map.ready ? map.meanRows(layer)[chosen?.row ?? step] : null));
  context.strokeStyle = colours.cross;
  context.lineJoin = "round";
  for (let token = 0; token < layout.encoder.count; token++) {
    if (hiddenTokens.includes(token)) continue; // nothing of it arrives
    lit.forEach((weights, layer) => {
      const opacity = 1 - view.filling(layout.decoder.layers[layer].cross); // where it fills the stage: drawColumnDrops
      context.globalAlpha = opacity * 0.28 * Math.min(1, FEW / layout.encoder.count);
      context.lineWidth = Math.max(0.5, Math.min(2, 0.1 * layout.pitch));
      drawDrop(view, token, layer);
      const isLit = (chosen?.key ?? null) === null ? weights?.[token] >= LIT : token === chosen.key;
      if (!weights || !isLit) return;
      context.globalAlpha = 0.9 * opacity;
      context.lineWidth = Math.max(0.8, weights[token] * Math.min(10, 0.7 * layout.pitch));
      drawDrop(view, token, layer);
    });
  }
  for (let layer = 0; layer < config.layers.decoder; layer++) drawColumnDrops(view, layer, chosen?.row ?? step);
  context.globalAlpha = 1;
}

/**
 * A cross-attention that fills the stage: the memory falls onto the columns of the large maps, as wide as weights.
 * @param {View} view
 * @param {number} layer
 * @param {number} row
 */
function drawColumnDrops(view, layer, row) {
  const { context, layout, scene: { hiddenTokens } } = view;
  const opacity = view.filling(layout.decoder.layers[layer].cross);
  for (const { weights, box } of opacity > 0 ? largeMaps(view, layer, row) : []) {
    const column = box.width / weights.length;
    for (const [token, weight] of weights.entries()) {
      if (hiddenTokens.includes(token)) continue;
      const isLit = weight >= LIT;
      const x = box.left + (token + 0.5) * column;
      context.globalAlpha = opacity * (isLit ? 0.9 : 0.28);
      context.lineWidth = isLit ? Math.max(0.8, weight * column) : 0.8;
      context.beginPath();
      context.moveTo(x, 0);
      context.lineTo(x, box.top - TITLE);
      context.stroke();
    }
  }
}

/**
 * The large maps of a cross-attention on the stage, each with the weights of a row.
 * @param {View} view
 * @param {number} layer
 * @param {number} row
 */
function largeMaps({ scene, camera }, layer, row) {
  const map = scene.trace.kinds.cross;
  if (!map.ready) return [];
  const boxes = headBoxes(scene, { ...WHOLE, stack: "decoder", layer, block: "cross" }, camera);
  return largeHeads(map, layer).filter((head) => !map.isOff(layer, head)).map((head) => (
    { weights: Array.from(map.one(layer, head)[row]), box: boxes[head] }));
}

/**
 * @param {View} view
 * @param {number} token
 * @param {number} layer
 */
function drawDrop(view, token, layer) {
  const { context, layout } = view;
  const { river, encoder, decoder } = layout;
  const share = (token + 0.5) / encoder.count;
  const span = layout.isNarrow ? 8 : 20;
  const bus = view.y(river.bottom - share * (river.bottom - river.top));
  const right = view.x(river.turn + 2 + (1 - share) * span);
  const drop = view.x(dropX(layout, decoder.layers[layer].cross, token));
  const y = view.y(laneY(layout, "encoder", token));
  context.beginPath();
  context.moveTo(view.x(river.turn), y);
  context.lineTo(right, y);
  context.lineTo(right, bus);
  context.lineTo(drop, bus);
  context.lineTo(drop, view.y(decoder.top - 6));
  context.stroke();
}

/**
 * The source's tokens on the drops, where there is room.
 * @param {View} view
 */
export function drawDropNames(view) {
  const { layout, scene, scene: { trace, step, config } } = view;
  const tokens = [...trace.source.keys()];
  for (let layer = 0; layer < config.layers.decoder; layer++) {
    const { cross } = layout.decoder.layers[layer];
    if (!view.isSeen(cross.start, cross.end)) continue;
    if (view.filling(cross) > 0.5) {
      const maps = largeMaps(view, layer, pointedRow(scene, "cross")?.row ?? step);
      for (const map of maps) nameColumns(view, map);
      if (maps[0]?.box.left >= 0 && maps[0].box.left < layout.width / 2) writeSides(view, maps.at(-1).box);
      continue;
    }
    const gap = ((cross.end - cross.start) / tokens.length) * view.kx * 0.76;
    if (gap < NAME_GAP) continue;
    const weights = sourceWeights(view, "encoder");
    for (const token of tokens) {
      const spot = { x: view.x(dropX(layout, cross, token)), y: view.y(layout.decoder.top) - 42 };
      nameDrop(view, token, { ...spot, isBold: weights?.[token] > 0.3 });
    }
  }
}

/**
 * Who asks and who offers, where it fits: above the rows' names, and right of the drops onto the last large map.
 * @param {View} view
 * @param {import("./layout.js").Box} box
 */
function writeSides(view, { left, top, width }) {
  const { layout, scene: { words, colours } } = view;
  /** @type {(text: string, at: { x: number, y: number }, room: number) => void} */
  const write = (text, { x, y }, room) => {
    if (LEAST_WIDTH * view.measure(text, SIDE, true) > room) return;
    view.write(text, x, y, { size: SIDE, colour: colours.cross, isBold: true, hasHalo: true, room });
  };
  write(words.asks, { x: EDGE, y: top - 10 }, namesWidth(layout) - EDGE);
  const right = left + width + BESIDE;
  write(words.offers, { x: right, y: 14 }, layout.width - right);
}

/**
 * Names of a large map's columns: all with room, else those of large weights, the largest first.
 * @param {View} view
 * @param {{ weights: number[], box: import("./layout.js").Box }} map
 */
function nameColumns(view, { weights, box }) {
  const column = box.width / weights.length;
  /** @type {number[]} */
  const named = [];
  const tokens = [...weights.keys()].sort((one, other) => weights[other] - weights[one]);
  for (const token of tokens) {
    const isNear = named.some((one) => Math.abs(one - token) * column < NAME_GAP);
    if (isNear || (column < NAME_GAP && weights[token] < NAMED)) continue;
    named.push(token);
    const x = box.left + (token + 0.5) * column;
    nameDrop(view, token, { x, y: box.top - TITLE - 8, isBold: weights[token] >= NAMED });
  }
}

/**
 * Writes a token beside its drop, rising to the right.
 * @param {View} view
 * @param {number} token
 * @param {{ x: number, y: number, isBold: boolean }} spot
 */
function nameDrop(view, token, { x, y, isBold }) {
  const { context, scene: { trace, colours, hiddenTokens } } = view;
  if (hiddenTokens.includes(token)) return;
  context.save();
  context.translate(x + 4, y);
  context.rotate(-Math.PI / 4);
  view.write(shorten(plainPiece(trace.source[token].text), LETTERS), 0, 0, {
    size: 12, colour: colours.ink, isBold, hasHalo: true,
  });
  context.restore();
}

/**
 * How much the step, or the lane that is pointed at, looks at each source token: the last layer's mean over heads.
 * @param {View} view
 * @param {Stack} stack
 */
export function sourceWeights(view, stack) {
  const { trace: { kinds: { cross } }, step, pointed } = view.scene;
  if (stack !== "encoder" || !cross.ready) return null;
  return cross.meanRows(cross.layers - 1)[pointed?.stack === "decoder" ? pointed.lane : step];
}
