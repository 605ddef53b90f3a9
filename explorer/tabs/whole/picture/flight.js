// Flights over the picture: their legs, the viewpoint at a place and between two, and where boards are then.
// Pure, so that a film of a flight shows what the stage does.

import { between, cameraOn, ease, legMs, project, railsBetween, unproject } from "./camera.js";
import { headBoxes } from "./heads.js";
import { boxOf } from "./layout.js";
import { boardOf, isSamePlace, isWithin, levelOf, parentOf } from "../place.js";

const SEEN_FROM = 0.3, SEEN_TO = 0.75; // shares of the stage's width between which a board appears
const NUMBER_MS = 500; // of a number's board to open

/**
 * From where the stage is seen; `openness` is how far the board of a number is open, from 0 to 1.
 * @typedef {{ camera: import("./camera.js").Camera, openness: number }} Viewpoint
 */

/** @typedef {Pick<import("./view.js").PictureScene, "layout" | "trace">} FlightScene */
/** @typedef {import("../place.js").Place} Place */

/**
 * The camera at a place: its box fills the stage; a head's is its map in the block.
 * @param {FlightScene} scene
 * @param {Place} place
 */
export function cameraAt(scene, place) {
  const { layout } = scene;
  const block = place.head === null ? place : { ...place, head: null, part: null };
  const camera = cameraOn(boxOf(layout, block), layout);
  if (place.head === null) return camera;
  const box = headBoxes(scene, block, camera)[place.head];
  const { x, y } = unproject(camera, { x: box.left, y: box.top });
  return cameraOn({ left: x, top: y, width: box.width / camera.kx, height: box.height / camera.ky }, layout);
}

/**
 * @param {FlightScene} scene
 * @param {Place} place
 * @returns {Viewpoint}
 */
export function viewpointAt(scene, place) {
  return { camera: cameraAt(scene, place), openness: levelOf(place) === "number" ? 1 : 0 };
}

/**
 * The viewpoint at a share of the time from one to another.
 * @param {Viewpoint} from
 * @param {Viewpoint} to
 * @param {number} time
 * @returns {Viewpoint}
 */
export function viewpointBetween(from, to, time) {
  const share = ease(time);
  const openness = from.openness + share * (to.openness - from.openness);
  return { camera: between(from.camera, to.camera, share), openness };
}

/** Milliseconds of a leg, none where only the board is another. @param {Viewpoint} from @param {Viewpoint} to */
export function durationOf(from, to) {
  if (JSON.stringify(from) === JSON.stringify(to)) return 0;
  return Math.max(legMs(from.camera, to.camera), from.openness === to.openness ? 0 : NUMBER_MS);
}

/**
 * The legs of a flight by their ends; the board of a place where it sets out stays until `opens`, where one of its goal
 * begins to open.
 * @param {Place} from
 * @param {Place} place
 * @returns {{ end: Place, opens: boolean }[]}
 */
export function legsOf(from, place) {
  /** Whether a neuron is inside, whose board stands over that of its network. @param {Place} one */
  const isCovered = (one) => [from, place].some((end) => end.neuron !== null && isSamePlace(one, parentOf(end)));
  /** @param {Place} one */
  const hasBoard = (one) => (boardOf(one) !== null && !isCovered(one)) || levelOf(one) === "number";
  return railsBetween(from, place, hasBoard).map((end) => ({ end, opens: isWithin(place, end) && hasBoard(end) }));
}

/**
 * The boards that are seen, the upper one last: how much of them, and where their corner is and their size as a share
 * of the stage. `place` is that whose board opens over its box.
 * @param {FlightScene} scene
 * @param {Viewpoint} viewpoint
 * @param {Place} place
 */
export function boardsSeen(scene, { camera, openness }, place) {
  const { width, height } = scene.layout;
  const boards = [];
  const name = boardOf(place);
  if (name !== null && openness < 1) {
    const own = cameraAt(scene, place);
    const world = { left: -own.dx / own.kx, top: -own.dy / own.ky, width: width / own.kx, height: height / own.ky };
    const box = project(camera, world);
    const [x, y] = [box.width / width, box.height / height];
    const opacity = Math.min(1, Math.max(0, (Math.min(x, y) - SEEN_FROM) / (SEEN_TO - SEEN_FROM)));
    boards.push({ name, opacity, left: box.left, top: box.top, x, y });
  }
  const size = 0.4 + 0.6 * openness;
  /** @param {number} length */
  const corner = (length) => ((1 - size) / 2) * length;
  boards.push({ name: "number", opacity: openness, left: corner(width), top: corner(height), x: size, y: size });
  return boards.filter(({ opacity }) => opacity > 0);
}
