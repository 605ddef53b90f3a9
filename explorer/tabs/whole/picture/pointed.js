// The lane that is pointed at: which ribbons belong to it, and notes that name what it takes most from.

import { knownLanes, laneY } from "./layout.js";
import { BLOCKS, kindOf } from "../place.js";
import { LETTERS } from "./view.js";
import { formatPercent } from "../../../ui/numbers.js";
import { fill, plainPiece, shorten } from "../../../ui/text.js";

const SIZE = 11, LARGE = 13; // pixels of a note's letters, far and near
const MOST = 3, LEAST = 0.1; // keys that a note names where there is room, and their least weight

const TIGHT = 90, FEW_LETTERS = 6; // pixels of a note in which tokens are shortened, and to what

/**
 * A token's lane.
 * @typedef {{ stack: Stack, lane: number }} Lane
 */

/** @typedef {import("./view.js").PictureScene} PictureScene */

/**
 * Whether two lanes are the same one, or both none.
 * @param {Lane | null | undefined} one
 * @param {Lane | null | undefined} other
 */
export function isSameLane(one, other) {
  return one?.stack === other?.stack && one?.lane === other?.lane;
}

/**
 * Whether a lane is one of a sentence, and already written at its step; that there is none is no fault.
 * @param {Lane | null} lane
 * @param {{ layout: import("./layout.js").Layout, step: number }} scene
 */
export function isThere(lane, scene) {
  return lane === null || lane.lane < knownLanes(scene, lane.stack);
}

/**
 * The row of a kind of attention that shows what the lane takes, or, of a source token in the cross-attention, what the
 * step takes from it: then `key` is that token. Null where the lane has no part.
 * @param {{ pointed: Lane | null, step: number }} scene
 * @param {Kind} kind
 * @returns {{ row: number, key: number | null } | null}
 */
export function pointedRow({ pointed, step }, kind) {
  if (!pointed) return null;
  if (kind === "cross") return pointed.stack === "decoder" ? rowOfLane(pointed) : { row: step, key: pointed.lane };
  return kind === pointed.stack ? rowOfLane(pointed) : null;
}

/**
 * @param {Lane} lane
 * @returns {{ row: number, key: number | null }}
 */
function rowOfLane({ lane }) {
  return { row: lane, key: null };
}

/**
 * What a note says: the keys that the lane takes most from, the strongest first.
 * @param {PictureScene} scene
 * @param {Kind} kind
 * @param {number} layer
 * @param {{ most?: number, letters?: number }} [limits]
 * @returns {string[]}
 */
export function noteParts(scene, kind, layer, { most = MOST, letters = LETTERS } = {}) {
  const { trace, words } = scene;
  const map = trace.kinds[kind];
  const chosen = pointedRow(scene, kind);
  if (!chosen || !map.ready || !map.headsOn(layer).length) return [];
  const row = map.meanRows(layer)[chosen.row];
  const tokens = kind === "decoder" ? trace.steps.map(({ fed }) => fed) : trace.source;
  const keys = chosen.key === null ? strongestKeys(row, most) : [chosen.key];
  return keys.map((key) => fill(words.note, {
    token: shorten(plainPiece(tokens[key].text), letters), percent: formatPercent(row[key]),
  }));
}

/**
 * @param {ArrayLike<number>} row
 * @param {number} most
 */
function strongestKeys(row, most) {
  const keys = Array.from(row, (_, key) => key).sort((one, other) => row[other] - row[one]).slice(0, most);
  return keys.filter((key, i) => i === 0 || row[key] >= LEAST);
}

/**
 * All notes of a lane as a text, layer by layer.
 * @param {PictureScene} scene
 */
export function notesText(scene) {
  const { config, words } = scene;
  return /** @type {Stack[]} */ (["encoder", "decoder"]).flatMap((stack) => (
    Array.from({ length: config.layers[stack] }, (_, layer) => BLOCKS[stack].flatMap((block) => {
      const parts = block === "feed" ? [] : noteParts(scene, kindOf({ stack, block }), layer, { most: 1 });
      const name = words.blocks[block === "self" ? `${stack}Self` : block].long;
      return parts.map((part) => `${words.layer} ${layer + 1}, ${name}: ${part}`);
    }).flat()))).flat().join("; ");
}

/**
 * Draws a note in every attention that the lane has a part in.
 * @param {import("./view.js").View} view
 */
export function drawNotes(view) {
  const { layout, scene, scene: { colours, config } } = view;
  if (!scene.pointed) return;
  for (const stack of /** @type {Stack[]} */ (["encoder", "decoder"])) {
    for (let layer = 0; layer < config.layers[stack]; layer++) {
      for (const block of BLOCKS[stack].filter((name) => name !== "feed")) {
        const box = layout[stack].layers[layer][block];
        const kind = kindOf({ stack, block });
        if (view.isSeen(box.start, box.to)) writeNote(view, { stack, kind, layer, box, colour: colours[kind] });
      }
    }
  }
}

/**
 * @param {import("./view.js").View} view
 * @param {{ stack: Stack, kind: Kind, layer: number, box: import("./layout.js").Block, colour: string }} note
 */
function writeNote(view, { stack, kind, layer, box, colour }) {
  const { layout, scene } = view;
  const room = (box.to - box.start) * view.kx - 4;
  const size = view.nearness > 0.5 ? LARGE : SIZE;
  const lane = pointedRow(scene, kind)?.row;
  const parts = noteParts(scene, kind, layer, { letters: room < TIGHT ? FEW_LETTERS : LETTERS });
  while (parts.length > 1 && view.measure(parts.join(", "), size, true) > room) parts.pop();
  if (!parts.length) return;
  const y = view.y(laneY(layout, stack, lane)) + 0.5 * view.pitch + 0.6 * size;
  const isBlock = view.isInBlock(stack, layer); // where it stands beside the maps
  const x = isBlock ? view.x(box.plus) - 8 : view.x((box.start + box.to) / 2);
  view.write(parts.join(", "), x, y, {
    size, colour, align: isBlock ? "right" : "center", isBold: true, hasHalo: true, room,
  });
}
