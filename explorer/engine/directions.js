// What a neuron reads and writes by its weights alone: explorer/recording/directions.py.

import { piecesOf } from "./trace.js";

/** @typedef {import("./kernel.js").Matrix} Matrix */
/** @typedef {{ index: number, cosine: number }} Cosine */

const SHOWN = 6; // tokens at either end, and neighbours

/**
 * The tokens of largest and of smallest cosine, and the nearest neighbours.
 * @param {import("./decoding.js").Translator} translator
 * @param {Stack} stack @param {number} layer @param {number} neuron
 */
export function directionsJson(translator, stack, layer, neuron) {
  const { model } = translator;
  const { w_1, w_2 } = model[stack].layers[layer].feed_forward;
  const embeddings = model[stack].embedding.tokens;
  const outputs = stack === "encoder" ? embeddings : model.projection.weight;
  const rows = rowsOf(w_2.weight);
  const column = rows.map((row) => row[neuron]);
  const reads = cosinesOfRows(embeddings, w_1.weight.row(neuron));
  const writes = cosinesOfRows(outputs, column);
  const others = cosinesOfColumns(rows, column);
  others[neuron] = -Infinity;
  const tokens = (/** @type {Cosine[]} */ best) => piecesOf(translator, best.map(({ index }) => index)).map(
    ({ id, text }, i) => ({ id, text, cosine: best[i].cosine }));
  return {
    reads: tokens(first(reads)),
    reads_against: tokens(first(reads, -1)),
    writes: tokens(first(writes)),
    writes_against: tokens(first(writes, -1)),
    neighbours: first(others).map(({ index, cosine }) => ({ neuron: index, cosine })),
  };
}

/** @param {Matrix} matrix */
function rowsOf(matrix) {
  return Array.from({ length: matrix.outputs }, (_, row) => matrix.row(row));
}

/** @param {Matrix} matrix @param {ArrayLike<number>} vector */
function cosinesOfRows(matrix, vector) {
  const length = Math.hypot(...Array.from(vector));
  return Float64Array.from({ length: matrix.outputs }, (_, index) => {
    const row = matrix.row(index);
    let product = 0, square = 0;
    for (let i = 0; i < row.length; i++) {
      product += row[i] * vector[i];
      square += row[i] * row[i];
    }
    return product / (Math.sqrt(square) * length);
  });
}

/** @param {Float32Array[]} rows @param {number[]} column */
function cosinesOfColumns(rows, column) {
  const products = new Float64Array(rows[0].length), squares = new Float64Array(rows[0].length);
  rows.forEach((row, i) => row.forEach((number, j) => {
    products[j] += number * column[i];
    squares[j] += number * number;
  }));
  const length = Math.hypot(...column);
  return products.map((product, j) => product / (Math.sqrt(squares[j]) * length));
}

/**
 * The largest cosines, or with `sign` -1 the smallest.
 * @param {Float64Array} cosines
 * @returns {Cosine[]}
 */
function first(cosines, sign = 1) {
  const indices = [...cosines.keys()].filter((index) => cosines[index] > -Infinity);
  indices.sort((one, other) => sign * (cosines[other] - cosines[one]));
  return indices.slice(0, SHOWN).map((index) => ({ index, cosine: cosines[index] }));
}
