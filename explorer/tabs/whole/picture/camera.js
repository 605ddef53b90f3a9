// The camera: which part of the picture fills the stage, with a zoom factor of its own in each direction, because
// sub-layers are tall and screens are wide; and flights from place to place. Pure.

import { pathOf, isSamePlace } from "../place.js";

const LEG_MS = 420, MS_PER_FACTOR = 260, MAX_LEG_MS = 1500; // of a flight's leg, and what each factor 2 of zoom adds

/**
 * From the picture to the stage: x * kx + dx, y * ky + dy.
 * @typedef {{ kx: number, ky: number, dx: number, dy: number }} Camera
 */

/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("../place.js").Place} Place */
/** @typedef {{ x: number, y: number }} Point */

/**
 * The camera that shows a box as large as the stage.
 * @param {Box} box
 * @param {{ width: number, height: number }} stage
 * @returns {Camera}
 */
export function cameraOn({ left, top, width, height }, stage) {
  const kx = stage.width / width, ky = stage.height / height;
  return { kx, ky, dx: -left * kx, dy: -top * ky };
}

/**
 * Where a box is on the stage.
 * @param {Camera} camera
 * @param {Box} box
 * @returns {Box}
 */
export function project({ kx, ky, dx, dy }, { left, top, width, height }) {
  return { left: left * kx + dx, top: top * ky + dy, width: width * kx, height: height * ky };
}

/**
 * The point of the picture under a point of the stage.
 * @param {Camera} camera
 * @param {Point} point
 * @returns {Point}
 */
export function unproject({ kx, ky, dx, dy }, { x, y }) {
  return { x: (x - dx) / kx, y: (y - dy) / ky };
}

/**
 * The camera between two. In each direction the zoom grows evenly, and the point that both see at the same spot stays
 * there: a box inside the other never leaves the stage.
 * @param {Camera} from
 * @param {Camera} to
 * @param {number} share
 * @returns {Camera}
 */
export function between(from, to, share) {
  const x = axisBetween(from.kx, from.dx, to.kx, to.dx, share);
  const y = axisBetween(from.ky, from.dy, to.ky, to.dy, share);
  return { kx: x.scale, dx: x.shift, ky: y.scale, dy: y.shift };
}

/**
 * The scale and the shift of one direction, between two.
 * @param {number} scale0
 * @param {number} shift0
 * @param {number} scale1
 * @param {number} shift1
 * @param {number} share
 */
function axisBetween(scale0, shift0, scale1, shift1, share) {
  if (Math.abs(scale1 / scale0 - 1) < 1e-6) {
    return { scale: scale1, shift: shift0 + share * (shift1 - shift0) };
  }
  const scale = scale0 * (scale1 / scale0) ** share;
  const fixed = (shift0 - shift1) / (scale1 - scale0); // of the picture: seen at one spot from both ends
  return { scale, shift: fixed * scale0 + shift0 - fixed * scale };
}

/**
 * Slow at both ends.
 * @param {number} time from 0 to 1
 */
export function ease(time) {
  return time < 0.5 ? 4 * time ** 3 : 1 - (2 - 2 * time) ** 3 / 2;
}

/**
 * Milliseconds of a leg between two cameras.
 * @param {Camera} from
 * @param {Camera} to
 */
export function legMs(from, to) {
  const factor = Math.max(Math.abs(Math.log2(to.kx / from.kx)), Math.abs(Math.log2(to.ky / from.ky)));
  return Math.min(MAX_LEG_MS, LEG_MS + MS_PER_FACTOR * factor);
}

/**
 * The places that a flight passes, the first left out: along the rails, out to the nearest place that contains both and
 * in again. What it passes without a turn is left out, unless `stops(place)`.
 * @param {Place} from
 * @param {Place} to
 * @param {(place: Place) => boolean} stops
 */
export function railsBetween(from, to, stops) {
  const [before, after] = [pathOf(from), pathOf(to)];
  let common = 0;
  while (common < before.length && common < after.length && isSamePlace(before[common], after[common])) common += 1;
  const out = before.slice(common - 1, -1).reverse();
  const inward = after.slice(common);
  const turn = common - 1;
  return [...out, ...inward].filter((place, i, all) =>
    i === all.length - 1 || stops(place) || (out.length > 0 && inward.length > 0 && isSamePlace(place, before[turn])));
}
