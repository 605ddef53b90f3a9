// Where everything of the picture is, in pixels of the stage when the whole model fills it: two stacks of horizontal
// lanes, one lane a token, the encoder above the decoder; between them the river of the memory. Pure.

import { levelOf } from "../place.js";

/** @typedef {import("../place.js").Place} Place */

/**
 * A rectangle.
 * @typedef {{ left: number, top: number, width: number, height: number }} Box
 */

/**
 * A block of a layer: what branches off the lanes from `start` to `end`, is added at `plus` and normalised at `norm`;
 * the lane's numbers stand from `from` to `to`.
 * @typedef {{ start: number, end: number, plus: number, norm: number, from: number, to: number }} Block
 */

/**
 * One stack: the lanes lie from `top` on, `pitch` pixels each; `layers` are the blocks of each layer by name.
 * @typedef {object} StackLayout
 * @property {number} top
 * @property {number} bottom
 * @property {number} count of lanes
 * @property {{ left: number, right: number }[]} columns of the layers
 * @property {Record<string, Block>[]} layers
 */

// Pixels: titles of a stack, on a phone with slanted ones; loop of the chosen token; memory
const HEADER = { wide: 36, narrow: 40 }, LOOP = 18, LEAST_RIVER = 24;
const MAX_PITCH = 40;
const LONG = 24, GROUP = 8, TO_COME = 2; // lanes of the decoder: see lanesShown
const NARROW = 600; // pixels of a stage with small margins
const NAMES = { wide: 116, narrow: 78 }; // pixels at the edge for the tokens' names, beside a layer or a block

const NARROW_PITCH = 14, MAX_NARROW = 2000; // pixels of a lane with a name of 12, and the most for all

/**
 * The parts of a layer's width: branch, then the numbers behind it, in the order of computation.
 * @type {Record<"wide" | "narrow", Record<Stack, Record<string, [branch: number, numbers: number]>>>}
 */
const SHARES = {
  wide: {
    encoder: { self: [0.57, 0.085], feed: [0.19, 0.085] },
    decoder: { self: [0.245, 0.085], cross: [0.24, 0.085], feed: [0.19, 0.085] },
  },
  narrow: {
    encoder: { self: [0.67, 0.06], feed: [0.14, 0.06] },
    decoder: { self: [0.305, 0.06], cross: [0.305, 0.06], feed: [0.14, 0.06] },
  },
};
const LAYER_GAP = 0.07;

/**
 * The least height of a stage in which names are readable: on a phone the page scrolls.
 * @param {{ src: number, tgt: number }} counts
 * @param {number} width
 */
export function leastHeight({ src, tgt }, width) {
  if (width >= NARROW) return 0;
  return Math.min(MAX_NARROW, 2 * HEADER.narrow + LOOP + LEAST_RIVER + (src + tgt) * NARROW_PITCH);
}

/**
 * How many lanes a translation of so many steps has on a stage: in a long one those to come leave their room to what is
 * written, in eights, so that few steps move the lanes. A phone has room for all, because its page scrolls.
 * @param {{ steps: number, step: number }} trace
 * @param {number} width
 */
export function lanesShown({ steps, step }, width) {
  if (steps <= LONG || width < NARROW) return steps;
  return Math.min(steps, Math.max(LONG, GROUP * Math.ceil((step + 1) / GROUP) + TO_COME));
}

/**
 * The layout for a model and the numbers of tokens; `tgt` are the lanes that are shown.
 * @param {{ layers: { encoder: number, decoder: number } }} config
 * @param {{ src: number, tgt: number }} counts
 * @param {{ width: number, height: number }} stage
 */
export function layoutOf(config, { src, tgt }, { width, height }) {
  const isNarrow = width < NARROW;
  const header = headerOf({ isNarrow });
  const labels = isNarrow ? 64 : Math.min(130, Math.max(84, width * 0.075));
  const output = isNarrow ? 28 : Math.min(190, width * 0.135);
  const start = isNarrow ? 24 : Math.max(64, width * 0.065); // embedding, position and their sum
  const river = Math.max(LEAST_RIVER, height * 0.05);
  const room = height - 2 * header - LOOP - river;
  const pitch = Math.min(MAX_PITCH, room / (src + tgt));
  const spare = Math.max(0, room - pitch * (src + tgt)) / 2;
  const left = labels + start;
  const right = width - output;
  const encoderTop = header + spare / 2;
  const riverTop = encoderTop + src * pitch + 4;
  const decoderTop = riverTop + river + header + spare;
  const bounds = { left, right: right - (isNarrow ? 12 : 26) };
  const shares = SHARES[isNarrow ? "narrow" : "wide"];
  /** @type {(name: Stack, top: number, count: number) => StackLayout} */
  const stack = (name, top, count) => ({
    top, bottom: top + count * pitch, count, ...layersOf(shares[name], config.layers[name], bounds),
  });
  return {
    width,
    height,
    pitch,
    isNarrow,
    labels,
    start: { from: labels + 6, to: left - 8 },
    right,
    output: { from: right + 4, to: width - 6 },
    river: { top: riverTop, bottom: riverTop + river, turn: bounds.right },
    encoder: stack("encoder", encoderTop, src),
    decoder: stack("decoder", decoderTop, tgt),
  };
}

/** @param {{ isNarrow: boolean }} layout */
function headerOf({ isNarrow }) {
  return HEADER[isNarrow ? "narrow" : "wide"];
}

/** @typedef {ReturnType<typeof layoutOf>} Layout */

/**
 * @param {Record<string, [branch: number, numbers: number]>} shares by block
 * @param {number} count
 * @param {{ left: number, right: number }} bounds
 */
function layersOf(shares, count, { left, right }) {
  const width = (right - left) / count;
  const columns = Array.from({ length: count }, (_, layer) => ({
    left: left + layer * width, right: left + (layer + 1) * width,
  }));
  const total = Object.values(shares).flat().reduce((sum, share) => sum + share, LAYER_GAP);
  const layers = columns.map((column) => {
    let x = column.left;
    return Object.fromEntries(Object.entries(shares).map(([name, [branch, strip]]) => {
      const start = x, end = start + (branch / total) * width, to = end + (strip / total) * width;
      x = to;
      /** @param {number} share */
      const part = (share) => end + share * (to - end);
      return [name, { start, end, plus: part(0.1), norm: part(0.5), from: part(0.56), to }];
    }));
  });
  return { columns, layers };
}

/**
 * How many lanes are there at the step: all of the source, and of the translation those that are written.
 * @param {{ layout: Layout, step: number }} scene
 * @param {Stack} stack
 */
export function knownLanes({ layout, step }, stack) {
  return stack === "encoder" ? layout.encoder.count : step + 1;
}

/**
 * The middle of a lane.
 * @param {Layout} layout
 * @param {Stack} stack
 * @param {number} index
 */
export function laneY(layout, stack, index) {
  return layout[stack].top + (index + 0.5) * layout.pitch;
}

/**
 * Where the drop of a source token meets the top of a cross-attention.
 * @param {Layout} layout
 * @param {Pick<Block, "start" | "end">} block
 * @param {number} index
 */
export function dropX(layout, { start, end }, index) {
  const margin = 0.04 * (end - start);
  return start + margin + ((index + 0.5) / layout.encoder.count) * (end - start - 2 * margin) * 0.82;
}

/**
 * The rectangle that a place of the canvas takes in the picture; heads and numbers lie inside that of their block.
 * @param {Layout} layout
 * @param {Place} place
 * @returns {Box}
 */
export function frameOf(layout, place) {
  const { stack, layer, block } = place;
  if (levelOf(place) === "whole") return { left: 0, top: 0, width: layout.width, height: layout.height };
  if (stack === "memory") return memoryBox(layout);
  if (stack === "output") return outputBox(layout);
  const { top, bottom, columns, layers } = layout[stack];
  const header = headerOf(layout);
  const lanes = { top: top - header, height: bottom - top + header + 10 };
  if (block === "embedding") {
    const left = layout.labels - 0.8 * Math.min(layout.labels, 90);
    return { left, width: layout.start.to + 10 - left, ...lanes };
  }
  const { left, right } = columns[layer];
  if (block === null) return { left: left - 3, width: right - left - 1, ...lanes };
  const { start, to } = layers[layer][block];
  return { left: start, width: 1.02 * (to - start), ...lanes };
}

/**
 * The rectangle that fills the stage at a place: beside a layer or a block is room for the tokens' names.
 * @param {Layout} layout
 * @param {Place} place
 * @returns {Box}
 */
export function boxOf(layout, place) {
  const frame = frameOf(layout, place);
  const { stack, layer, block } = place;
  if (layer === null && (block === null || !layout.isNarrow)) return frame;
  const from = layer === null ? layout.start.from : frame.left;
  const isTight = layout.isNarrow && layer !== null && block !== null; // the sum is the last that fits
  const to = isTight ? layout[/** @type {Stack} */ (stack)].layers[layer][block].norm : frame.left + frame.width;
  const width = (to - from) / (1 - namesWidth(layout) / layout.width);
  return { ...frame, left: to - width, width };
}

/**
 * How many pixels at the edge belong to the tokens' names.
 * @param {Pick<Layout, "isNarrow">} layout
 */
export function namesWidth({ isNarrow }) {
  return NAMES[isNarrow ? "narrow" : "wide"];
}

/**
 * The river with the lanes that it comes from and those that it falls to.
 * @param {Layout} layout
 */
function memoryBox({ river, encoder, decoder, pitch, width }) {
  const top = river.top - Math.min(6, encoder.count) * pitch;
  return { left: 0, top, width, height: decoder.top + Math.min(6, decoder.count) * pitch - top };
}

/** @param {Layout} layout */
function outputBox({ decoder, width, right, isNarrow }) {
  const left = right - 30;
  const header = headerOf({ isNarrow });
  return { left, top: decoder.top - header, width: width - left, height: decoder.bottom - decoder.top + header + 10 };
}
