// The flight as a film, as times: when which stop is told, and the viewpoint at any moment. Pure.

import { durationOf, legsOf, viewpointAt, viewpointBetween } from "../picture/flight.js";

const SAME_FOR_ALL = 60; // letters: a stop whose sentence is short is shown as long as this, and a little longer
const MAX_FLIGHT = 0.5; // of a stop's time

/** @typedef {import("../picture/flight.js").Viewpoint} Viewpoint */
/** @typedef {import("../place.js").Place} Place */

/**
 * A part of the film between two shares of its time: a leg of the flight to a stop, or the time there. `place` is that
 * whose board opens; `boards` are the indices of the stops whose images of boards are seen: that of the place, and that
 * of a number.
 * @typedef {{ stop: number, from: number, to: number, start: Viewpoint, end: Viewpoint, place: Place,
 *   boards: { ofPlace: number, ofNumber: number } }} Shot
 */

/**
 * The shots of a film of stops, each of which is shown for as long as its sentence takes to read.
 * @param {import("../picture/flight.js").FlightScene} scene
 * @param {{ place: Place, letters: number }[]} stops
 * @param {number} duration milliseconds
 * @returns {Shot[]}
 */
export function timetableOf(scene, stops, duration) {
  const all = stops.reduce((sum, { letters }) => sum + letters + SAME_FOR_ALL, 0);
  let from = 0;
  return stops.flatMap(({ place, letters }, stop) => {
    const share = (letters + SAME_FOR_ALL) / all;
    const shots = shotsOf(scene, { stop, place, before: stops[stop - 1]?.place ?? place }, share * duration);
    const start = from;
    from += share;
    return shots.map(({ length, ...rest }, i) => {
      const begin = start + shots.slice(0, i).reduce((sum, one) => sum + one.length, 0) / duration;
      return { ...rest, from: begin, to: begin + length / duration };
    });
  });
}

/** The legs to a stop, and the time there; `length` in milliseconds. */
function shotsOf(scene, { stop, place, before }, time) {
  const previous = Math.max(0, stop - 1);
  let viewpoint = viewpointAt(scene, before);
  let seen = { place: before, index: previous };
  const legs = (stop ? legsOf(before, place) : []).map(({ end, opens }) => {
    const start = viewpoint;
    viewpoint = viewpointAt(scene, end);
    if (opens) seen = { place: end, index: stop };
    const ofNumber = viewpoint.openness > start.openness ? stop : previous;
    const length = durationOf(start, viewpoint);
    return { stop, start, end: viewpoint, place: seen.place, boards: { ofPlace: seen.index, ofNumber }, length };
  });
  const flight = legs.reduce((sum, { length }) => sum + length, 0);
  const hurry = Math.min(1, (MAX_FLIGHT * time) / (flight || 1));
  const end = viewpointAt(scene, place);
  const boards = { ofPlace: stop, ofNumber: stop };
  const rest = { stop, start: end, end, place, boards, length: time - flight * hurry };
  return [...legs.map((leg) => ({ ...leg, length: leg.length * hurry })), rest];
}

/**
 * What is seen at a share of the film's time.
 * @param {Shot[]} timetable
 * @param {number} share from 0 to 1
 */
export function momentAt(timetable, share) {
  const { stop, from, to, start, end, place, boards } = timetable.find((one) => share < one.to) ?? timetable.at(-1);
  const time = Math.min(1, Math.max(0, (share - from) / (to - from)));
  return { stop, viewpoint: start === end ? end : viewpointBetween(start, end, time), place, boards };
}

/** What is seen at a stop. @param {import("../picture/flight.js").FlightScene} scene */
export function momentOfStop(scene, place, stop) {
  return { stop, viewpoint: viewpointAt(scene, place), place, boards: { ofPlace: stop, ofNumber: stop } };
}
