// What lies under a point of the stage: the step of a word, a lane, or the place that a click opens. Pure.

import { unproject } from "./camera.js";
import { headBoxes, zoneOf } from "./heads.js";
import { frameOf } from "./layout.js";
import { BLOCKS, WHOLE, boardOf, kindOf, levelOf } from "../place.js";

/**
 * What a stage shows.
 * @typedef {{ place: Place, scene: import("./view.js").PictureScene,
 *   camera: import("./camera.js").Camera }} Shown
 */

/** @typedef {import("./camera.js").Point} Point */
/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("../place.js").Place} Place */

/**
 * Whether a point is in a box.
 * @param {Box} box
 * @param {Point} point
 */
function isIn({ left, top, width, height }, { x, y }) {
  return x >= left && x <= left + width && y >= top && y <= top + height;
}

/**
 * The step of the German word under a point of the whole, where it is written; null if there is none.
 * @param {Shown} shown
 * @param {Point} point
 */
export function stepAt({ place, scene: { layout, step } }, { x, y }) {
  const { decoder, output, pitch } = layout;
  if (levelOf(place) !== "whole" || x < output.from) return null;
  const lane = Math.floor((y - decoder.top) / pitch);
  return lane >= 0 && lane < step ? lane : null;
}

/**
 * The lane under a point of the whole, or of a layer beside its maps; null if there is none.
 * @param {Shown} shown
 * @param {Point} point
 * @returns {import("./pointed.js").Lane | null}
 */
export function laneAt({ place, scene: { layout, step }, camera }, point) {
  const level = levelOf(place);
  if (level !== "whole" && level !== "layer") return null;
  const at = unproject(camera, point);
  const stacks = /** @type {Stack[]} */ (level === "layer" ? [place.stack] : ["encoder", "decoder"]);
  const stack = stacks.find((one) => at.y >= layout[one].top && at.y < layout[one].bottom);
  if (!stack || (level === "layer" && isOverMaps(layout, place, at))) return null;
  const lane = Math.floor((at.y - layout[stack].top) / layout.pitch);
  return stack === "decoder" && lane > step ? null : { stack, lane };
}

/**
 * Whether a point of the picture is where a layer's maps are.
 * @param {import("./layout.js").Layout} layout
 * @param {Place} place
 * @param {Point} at
 */
function isOverMaps(layout, place, at) {
  const blocks = BLOCKS[/** @type {Stack} */ (place.stack)].filter((block) => block !== "feed");
  return blocks.some((block) => isIn(zoneOf(layout, { ...place, block }), at));
}

/**
 * The place one level further in under a point; null if there is none.
 * @param {Shown} shown
 * @param {Point} point
 * @returns {Place | null}
 */
export function targetAt({ place, scene, camera }, point) {
  const { layout, config } = scene;
  const level = levelOf(place);
  if (boardOf(place) !== null || level === "number") return null;
  const at = unproject(camera, point);
  /** @param {Place} one */
  const inside = (one) => isIn(frameOf(layout, one), at);
  if (level === "whole") {
    /** @type {Place[]} */
    const layers = /** @type {Stack[]} */ (["encoder", "decoder"]).flatMap((stack) => (
      [{ ...WHOLE, stack, block: "embedding" }, ...layersOf(stack, config.layers[stack])]));
    return layers.find(inside) ?? (inside({ ...WHOLE, stack: "output" }) ? { ...WHOLE, stack: "output" } : null)
      ?? (at.y > layout.encoder.bottom && at.y < layout.decoder.top - 20 ? { ...WHOLE, stack: "memory" } : null);
  }
  if (level === "layer") {
    return BLOCKS[/** @type {Stack} */ (place.stack)].map((block) => ({ ...place, block })).find(inside) ?? null;
  }
  if (kindOf(place) === null) return null;
  const head = headBoxes(scene, place, camera).findIndex((box) => (
    isIn({ ...box, top: box.top - 18, height: box.height + 22 }, point)));
  return head < 0 ? null : { ...place, head };
}

/**
 * The places of all layers.
 * @param {Stack} stack
 * @param {number} count
 */
function layersOf(stack, count) {
  return Array.from({ length: count }, (_, layer) => ({ ...WHOLE, stack, layer }));
}
