// Which steps of a pass and which modules of the model belong to a place of the picture. Pure.

import { SUBLAYERS, WHOLE } from "../place.js";

/** @typedef {import("../place.js").Place} Place */

/** The tensors outside the layers that do not belong to the embedding. */
const OUTSIDE = { memory: ["memory", "memory_mask"], output: ["logits", "probabilities"] };
const LAYER = /^(encoder|decoder)\.layers\.(\d+)$/;
const EMBEDDING = /^(encoder|decoder)\.embedding$/;

/**
 * The steps that are computed at a place: those of its layer, its block, or the block around it.
 * @param {ReturnType<typeof import("../../../derived/shapes.js").shapesOf>} steps
 * @param {Place} place
 */
export function stepsAt(steps, { stack, layer, block }) {
  if (stack === "memory" || stack === "output") return steps.filter(({ tensor }) => OUTSIDE[stack].includes(tensor));
  const own = steps.filter((step) => step.stack === stack && step.layer === layer);
  if (layer === null) return own.filter(({ tensor }) => !Object.values(OUTSIDE).flat().includes(tensor));
  return block === null ? own : own.filter(({ sublayer }) => sublayer === SUBLAYERS[block]);
}

/**
 * The modules of a place, with those inside them; of the whole model its layers and what is outside them.
 * @param {any[]} parts of the table of parameters
 * @param {Place} place
 * @returns {any[]}
 */
export function partsAt(parts, { stack, layer, block }) {
  if (stack === null) return parts.filter(({ path }) => placeOfLayer(path) !== null);
  const own = modulesAt({ stack, layer, block });
  return parts.filter(({ path }) => own.some((module) => path === module || path.startsWith(`${module}.`)));
}

function modulesAt({ stack, layer, block }) {
  if (stack === "memory") return [];
  if (stack === "output") return ["projection"];
  if (layer === null) return [`${stack}.embedding`];
  const path = `${stack}.layers.${layer}`;
  return block === null ? [path] : [`${path}.${SUBLAYERS[block]}`, `${path}.${SUBLAYERS[block]}_norm`];
}

/**
 * The place of a layer, an embedding or the output by the path of its module; null for other modules.
 * @param {string} path
 * @returns {Place | null}
 */
export function placeOfLayer(path) {
  const [, stack, layer] = path.match(LAYER) ?? path.match(EMBEDDING) ?? [];
  if (path === "projection") return { ...WHOLE, stack: "output" };
  if (!stack) return null;
  const named = /** @type {Stack} */ (stack);
  return layer === undefined ? { ...WHOLE, stack: named, block: "embedding" }
    : { ...WHOLE, stack: named, layer: Number(layer) };
}
