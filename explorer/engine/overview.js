// A forward pass at a glance: a few numbers of every token's vector wherever it is changed, as signed bytes:
// explorer/recording/overview.py.

import { encodeBytes } from "./payload.js";
import { Tensor } from "./tensor.js";

const COLUMNS = 16; // of a token's vector
const HIDDEN_COLUMNS = 32; // of the wider one inside a feed-forward sub-layer
const LARGEST = 127; // of a signed byte
const TENSORS = ["embedding", "positions", "output", "hidden", "stream"];

/**
 * Embedding, positions and streams, the sub-layers' outputs and hidden numbers, of one sentence, in their order.
 *
 * Positions are sampled: sines and cosines pool to almost the same everywhere.
 * @param {import("./recordings.js").ForwardPass} pass
 * @returns {Strip[]}
 */
export function strips(pass) {
  return pass.sites.filter(({ tensor }) => TENSORS.includes(tensor)).map((site) => {
    const columns = site.tensor === "hidden" ? HIDDEN_COLUMNS : COLUMNS;
    const column = site.tensor === "positions" ? (/** @type {Float32Array} */ group) => group[0] : signedLength;
    return /** @type {Strip} */ ({ ...site, ...stripJson(grouped(pass.at(site), columns, column)) });
  });
}

/**
 * One number for each group of neighbouring numbers of a row, [position column], in double precision.
 * @param {Tensor} tensor @param {number} most @param {(group: Float32Array) => number} numberOf
 */
function grouped({ width, data }, most, numberOf) {
  const columns = Math.min(most, width);
  const starts = Array.from({ length: columns + 1 }, (_, column) => Math.floor((column * width) / columns));
  const positions = data.length / width;
  const numbers = new Tensor([positions, columns], new Float64Array(positions * columns));
  return numbers.map((_, index) => {
    const column = index % columns, row = ((index - column) / columns) * width;
    return numberOf(data.subarray(row + starts[column], row + starts[column + 1]));
  });
}

/** The root mean square of numbers with the sign of their sum. @param {Float32Array} numbers */
function signedLength(numbers) {
  let sum = 0, squares = 0;
  for (const number of numbers) {
    sum += number;
    squares += number * number;
  }
  const length = Math.sqrt(squares / numbers.length);
  return sum < 0 ? -length : length;
}

/** @param {Tensor<Float64Array>} tensor */
function stripJson({ shape, data }) {
  const scale = data.reduce((largest, number) => Math.max(largest, Math.abs(number)), 0);
  const signed = Int8Array.from(data, (number) => (scale ? Math.round(number * (LARGEST / scale)) : 0));
  return { shape, scale, data: encodeBytes(new Uint8Array(signed.buffer)) };
}
