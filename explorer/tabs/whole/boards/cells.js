// What the cells of a matrix show: numbers pooled into as many cells as there is room for, the number with the full
// colour, and the outlines of cells that are masked. Pure.

import { maskedRuns } from "../../../derived/masks.js";
import { quantile } from "../../../ui/numbers.js";

/** @typedef {import("./equation.js").Row} Row */

const MIN_CELL = 0.8; // device pixels; narrower cells are halved in number
const FULL_COLOUR = 0.98; // the part of all numbers below the one with the full colour

/**
 * The number that gets the full colour.
 * @param {Row[]} rows
 */
export function scaleOf(rows) {
  const width = rows[0].length;
  const sizes = new Float64Array(rows.length * width);
  for (const [i, row] of rows.entries()) sizes.set(row, i * width);
  for (const [i, number] of sizes.entries()) sizes[i] = Number.isFinite(number) ? Math.abs(number) : 0;
  return quantile(sizes, FULL_COLOUR) || sizes.reduce((most, size) => Math.max(most, size), 0) || 1;
}

/**
 * Two numbers as one that keeps their sign: the root of the mean of their squares, each with its sign.
 * @param {number} one
 * @param {number} other
 */
function merge(one, other) {
  const square = (one * Math.abs(one) + other * Math.abs(other)) / 2;
  return Math.sign(square) * Math.sqrt(Math.abs(square));
}

/**
 * Numbers, half as many; a last one without a partner stays.
 * @param {ArrayLike<number>} numbers
 */
export function halve(numbers) {
  return Float64Array.from({ length: Math.ceil(numbers.length / 2) }, (_, i) => (
    2 * i + 1 < numbers.length ? merge(numbers[2 * i], numbers[2 * i + 1]) : numbers[2 * i]));
}

/**
 * The rows, half as many; a last one without a partner stays.
 * @param {Row[]} rows
 */
function halveRows(rows) {
  return Array.from({ length: Math.ceil(rows.length / 2) }, (_, i) => {
    const [one, other] = rows.slice(2 * i, 2 * i + 2);
    return other ? Float64Array.from(one, (number, j) => merge(number, other[j])) : one;
  });
}

/**
 * The rows with as many cells as there is room for; `width` and `height` are device pixels.
 * @param {Row[]} rows
 * @param {number} width
 * @param {number} height
 */
export function pooled(rows, width, height) {
  let fitting = rows;
  while (fitting[0].length > 1 && width / fitting[0].length < MIN_CELL) fitting = fitting.map(halve);
  while (fitting.length > 1 && height / fitting.length < MIN_CELL) fitting = halveRows(fitting);
  return fitting;
}

/**
 * The outlines of all cells that are not allowed, as an SVG path in pixels; "" without one.
 * @param {boolean[][]} allowed
 * @param {number} width
 * @param {number} height
 */
export function maskedPath(allowed, width, height) {
  const [across, down] = [width / allowed[0].length, height / allowed.length];
  const runs = maskedRuns(allowed.length, allowed[0].length, (row, column) => !allowed[row][column]);
  return runs.map(({ row, from, to }) => (
    `M${from * across},${row * down}H${to * across}V${(row + 1) * down}H${from * across}Z`)).join("");
}

/**
 * The outline of all cells for which something holds, as an SVG path in pixels; "" without one.
 * @param {boolean[][]} holds
 * @param {number} width
 * @param {number} height
 */
export function outlinePath(holds, width, height) {
  const [across, down] = [width / holds[0].length, height / holds.length];
  /** @type {(i: number, j: number) => boolean} */
  const at = (i, j) => Boolean(holds[i]?.[j]);
  return holds.flatMap((row, i) => Array.from(row).flatMap((isInside, j) => {
    if (!isInside) return [];
    const [left, top] = [j * across, i * down];
    return [
      at(i - 1, j) ? "" : `M${left},${top}h${across}`, at(i + 1, j) ? "" : `M${left},${top + down}h${across}`,
      at(i, j - 1) ? "" : `M${left},${top}v${down}`, at(i, j + 1) ? "" : `M${left + across},${top}v${down}`,
    ];
  })).join("");
}
