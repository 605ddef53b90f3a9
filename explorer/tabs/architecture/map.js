// The layout of the architecture's figure: data flows upwards, as in the paper. This module draws nothing.

import { fill } from "../../ui/text.js";

/**
 * A rectangle of the figure: a block, a "bar" (a closed layer) or a "frame" (the open layer).
 * @typedef {object} Box
 * @property {"block" | "bar" | "frame"} kind
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {Block} [block]
 * @property {Stack} [stack] of a bar or frame
 * @property {number} [layer] of a bar or frame
 * @property {number} [parameters] of a bar or frame
 */

const BLOCK = { width: 270, height: 33, gap: 9 };
const BAR = { height: 24, gap: 7 };
const FRAME = { left: 12, right: 26, top: 22, bottom: 10 };
const WIDTH = FRAME.left + BLOCK.width + FRAME.right;
const MARGIN = { side: 34, top: 26, bottom: 6, between: 56 };

/** The layer that something belongs to in words, or the stack if it belongs to none. */
export function placeName(text, { stack, layer }) {
  return layer === null ? text[stack] : fill(text.place, { stack: text[stack], layer: layer + 1 });
}

/** The blocks of a stack: before the layers, by layer, and after the layers. */
function stackParts(blocks, stack) {
  const stackBlocks = blocks.filter((block) => block.stack === stack);
  const layers = [];
  for (const block of stackBlocks.filter(({ layer }) => layer !== null)) {
    layers[block.layer] ??= [];
    layers[block.layer].push(block);
  }
  const first = stackBlocks.findIndex(({ layer }) => layer !== null);
  const before = stackBlocks.slice(0, first);
  return { before, layers, after: stackBlocks.slice(first).filter(({ layer }) => layer === null) };
}

/** The unfolded layer of a stack: `open`, or the last if the stack has fewer layers. */
export function unfoldedLayer(blocks, stack, open) {
  const layers = blocks.filter((block) => block.stack === stack && block.layer !== null).map(({ layer }) => layer);
  return Math.min(open, Math.max(...layers));
}

/** The boxes of a stack from the bottom up. The origin is the lower left corner, and y grows upwards. */
function stackColumn(blocks, stack, open) {
  const { before, layers, after } = stackParts(blocks, stack);
  /** @type {Box[]} */
  const boxes = [];
  let y = 0;
  const add = (block) => {
    boxes.push({ kind: "block", block, x: FRAME.left, y, width: BLOCK.width, height: BLOCK.height });
    y += BLOCK.height + BLOCK.gap;
  };
  before.forEach(add);
  layers.forEach((layerBlocks, layer) => {
    const parameters = layerBlocks.reduce((sum, block) => sum + block.parameters, 0);
    const box = { stack, layer, parameters, x: 0, y, width: WIDTH };
    if (layer !== open) {
      boxes.push({ ...box, kind: "bar", height: BAR.height });
      y += BAR.height + BAR.gap;
      return;
    }
    y += FRAME.bottom;
    const firstBox = boxes.length;
    layerBlocks.forEach(add);
    y += FRAME.top - BLOCK.gap;
    boxes.splice(firstBox, 0, { ...box, kind: "frame", height: y - box.y });
    y += BLOCK.gap;
  });
  after.forEach(add);
  return { boxes, height: y - BLOCK.gap };
}

/**
 * The residual connections: around each sub-layer to its Add & Norm.
 *
 * @param {Box[]} boxes
 */
function residuals(boxes) {
  const layerBlocks = boxes.filter(({ kind, block }) => kind === "block" && block.layer !== null);
  return layerBlocks.flatMap((box, i) => (i % 2 ? [] : [{ from: box, to: layerBlocks[i + 1] }]));
}

/**
 * The whole figure with layer `open` unfolded, or the last layer of a stack with fewer: `boxes` with x and y of their
 * upper left corner, `arrows` and `residuals` between boxes, `memory` as the points of a line from the encoder to each
 * decoder layer. `isStacked` puts the decoder above the encoder, for narrow screens.
 *
 * @param {Block[]} blocks
 * @param {number} open
 * @param {boolean} isStacked
 */
export function layoutFigure(blocks, open, isStacked) {
  const column = (stack) => stackColumn(blocks, stack, unfoldedLayer(blocks, stack, open));
  const encoder = column("encoder");
  const decoder = column("decoder");
  const stackedHeight = encoder.height + decoder.height + MARGIN.between;
  const contentHeight = isStacked ? stackedHeight : Math.max(encoder.height, decoder.height);
  const height = MARGIN.top + contentHeight + MARGIN.bottom;
  const decoderOffset = isStacked ? 0 : WIDTH + MARGIN.between;
  const bottom = height - MARGIN.bottom;
  const placeBoxes = (stack, x, base) => stack.boxes.map(
    (box) => ({ ...box, x: box.x + x, y: base - box.y - box.height }),
  );
  const left = placeBoxes(encoder, MARGIN.side, bottom);
  const decoderBottom = isStacked ? bottom - encoder.height - MARGIN.between : bottom;
  const right = placeBoxes(decoder, MARGIN.side + decoderOffset, decoderBottom);
  const memoryX = isStacked ? MARGIN.side / 2 : MARGIN.side + WIDTH + MARGIN.between / 2;
  return {
    width: MARGIN.side + decoderOffset + WIDTH + 4,
    height,
    boxes: [...left, ...right],
    arrows: [...arrows(left), ...arrows(right)],
    residuals: [...residuals(left), ...residuals(right)],
    memory: memoryPaths(left, right, memoryX),
  };
}

/** The arrows from each box to the next above it; frames have none of their own. */
function arrows(boxes) {
  const boxesInFlow = boxes.filter(({ kind }) => kind !== "frame");
  return boxesInFlow.slice(1).map((to, i) => ({ from: boxesInFlow[i], to }));
}

/** The lines from the top of the encoder, along x, into the cross-attention or the bar of each decoder layer. */
function memoryPaths(left, right, x) {
  const top = left.at(-1);
  const start = { x: middle(top), y: top.y };
  const turn = Math.min(...left.map(({ y }) => y)) - 14;
  const targets = right.filter(({ kind, block }) => kind === "bar" || block?.name === "cross_attention");
  return targets.map((box) => {
    const y = box.y + box.height / 2;
    return [start, { x: start.x, y: turn }, { x, y: turn }, { x, y }, { x: box.x, y }];
  });
}

/**
 * The x of the line through a column's boxes.
 *
 * @param {Box} box
 */
export function middle(box) {
  return box.kind === "block" ? box.x + box.width / 2 : box.x + FRAME.left + BLOCK.width / 2;
}
