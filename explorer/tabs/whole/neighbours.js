// The neighbours of a place, to which a drag leads: the layer, block, head, row or column beside it. Pure.

import { BLOCKS, WHOLE, formatPlace, levelOf, parsePlace } from "./place.js";

/** @typedef {import("./place.js").Place} Place */
/** @typedef {import("./place.js").Sizes} Sizes */

/** Where a neighbour is: columns to the right and rows below, one of them 0. @typedef {[number, number]} Direction */

/**
 * The neighbour of a place; null where there is none.
 * @param {Place} place
 * @param {Direction} direction
 * @param {Sizes} sizes
 * @returns {Place | null}
 */
export function neighbourOf(place, direction, sizes) {
  const neighbour = {
    whole: () => null, layer: layerBeside, block: blockBeside, head: headBeside, neuron: neuronBeside,
    number: numberBeside,
  }[levelOf(place)](place, direction, sizes);
  return neighbour && parsePlace(formatPlace(neighbour), sizes);
}

/** The encoder's layers stand above the decoder's. */
function layerBeside(place, [right, down], { layers }) {
  if (down === 0) return { ...place, layer: place.layer + right };
  const stack = otherStack(place, down);
  return stack && { ...place, stack, layer: Math.min(place.layer, layers[stack] - 1) };
}

/** In the order of computation; the embedding comes first, the memory or the output last. */
function blockBeside(place, [right, down], { layers }) {
  if (down !== 0) {
    const stack = otherStack(place, down);
    return stack && { ...place, stack };
  }
  const row = place.stack === "memory" || place.stack === "encoder" ? "encoder" : "decoder";
  const blocks = blocksOf(row, layers[row]);
  const at = blocks.findIndex((one) => formatPlace(one) === formatPlace(place));
  return blocks[at + right] ?? null;
}

/** @returns {Place[]} */
function blocksOf(stack, layers) {
  const ofLayers = Array.from({ length: layers }, (_, layer) => BLOCKS[stack].map((block) => (
    { ...WHOLE, stack, layer, block })));
  const end = stack === "encoder" ? "memory" : "output";
  return [{ ...WHOLE, stack, block: "embedding" }, ...ofLayers.flat(), { ...WHOLE, stack: end }];
}

/** Heads of a block stand beside each other, those of another layer below. */
function headBeside(place, [right, down]) {
  return { ...place, head: place.head + right, layer: place.layer + down };
}

/** Neurons of a layer stand beside each other, those of another layer below. */
function neuronBeside(place, [right, down]) {
  return { ...place, neuron: place.neuron + right, layer: place.layer + down };
}

/** The columns of the scores are tokens of the vocabulary, of which none is beside another. */
function numberBeside(place, [right, down]) {
  if (place.part === "logit") return null;
  return { ...place, row: place.row + down, column: place.column + right };
}

/** @returns {Stack | null} */
function otherStack({ stack }, down) {
  if (stack === "encoder" && down > 0) return "decoder";
  return stack === "decoder" && down < 0 ? "encoder" : null;
}
