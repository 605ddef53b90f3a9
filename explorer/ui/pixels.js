// Numbers as pixels: a colour for each, and how strong it is.

import { contextOf } from "./canvas.js";
import { parseHex } from "./contrast.js";

/** A colour [red, green, blue], from 0 to 255 each, and its opacity. @typedef {[number[], number]} Shade */

const EXPONENT = 0.8; // of the share of the full colour: small numbers stay visible
const FULL = 2.8; // root mean squares that have the full colour

/** The number with the full colour. */
export function fullScale({ data }) {
  const squares = data.reduce((sum, number) => sum + number * number, 0);
  return FULL * Math.sqrt(squares / data.length) || 1;
}

/** How strong the colour of a number is, from 0 to 1. */
export function strength(number, scale) {
  return Math.min(1, Math.abs(number) / scale) ** EXPONENT || 0;
}

/**
 * The shades of numbers above and below zero: in one hue far away, in two near.
 * @returns {(number: number) => Shade}
 */
export function signedShades({ accent, negative }, scale, isNear) {
  const [above, below] = [accent, isNear ? negative : accent].map(parseHex);
  return (number) => [number < 0 ? below : above, strength(number, scale)];
}

/**
 * RGBA pixels, row by row.
 * @param {number} width
 * @param {number} height
 * @param {(row: number, column: number) => Shade | null} shadeAt null: nothing is there
 */
export function pixelsOf(width, height, shadeAt) {
  const pixels = new Uint8ClampedArray(4 * width * height);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const shade = shadeAt(row, column);
      if (shade === null) continue;
      const at = 4 * (row * width + column);
      pixels.set(shade[0], at);
      pixels[at + 3] = 255 * shade[1];
    }
  }
  return pixels;
}

/**
 * A matrix as a canvas with a pixel for each number.
 * @param {{ length: number, [row: number]: ArrayLike<number> }} rows
 * @param {number} columns
 * @param {(number: number) => Shade} shadeOf
 */
export function bitmapOf(rows, columns, shadeOf) {
  const canvas = document.createElement("canvas");
  canvas.width = columns;
  canvas.height = Math.max(1, rows.length);
  const pixels = pixelsOf(columns, canvas.height, (row, column) => (
    row < rows.length ? shadeOf(rows[row][column]) : null));
  contextOf(canvas).putImageData(new ImageData(pixels, columns, canvas.height), 0, 0);
  return canvas;
}
