// The model's table of positional encodings: its waves and symmetries (section 3.5).
//
// Sinusoids come in pairs: the sine and the cosine of the angle pos / 10000^(2i / d_model). In the paper's order pair i
// is the dimensions 2i and 2i + 1; in that of halves, which is Marian's, it is the dimensions i and d_model / 2 + i.
// Positions, dimensions and pairs count from zero, as in the paper.

import { Tensor } from "../ui/tensor.js";

const MIN_ROUNDING_BOUND = 1e-7; // about the precision of a 32-bit float
const BASE = 10000; // of the paper's geometric progression

/** @typedef {"dot product" | "cosine"} SimilarityMeasure */
/** @typedef {"sinusoidal" | "sinusoidal halves" | "learned" | "none"} PositionKind of the model's config */

/**
 * A dimension's pair, and whether it is the pair's cosine; a learned table has pairs as in the paper's order.
 * @param {number} dimension @param {number} width @param {PositionKind} kind
 */
function waveOf(dimension, width, kind) {
  if (kind === "sinusoidal halves") return { pair: dimension % (width / 2), isCosine: dimension >= width / 2 };
  return { pair: Math.floor(dimension / 2), isCosine: dimension % 2 === 1 };
}

/** The dimensions of a pair's sine and cosine. @param {number} pair @param {number} width @param {PositionKind} kind */
export function pairDimensions(pair, width, kind) {
  return kind === "sinusoidal halves" ? [pair, width / 2 + pair] : [2 * pair, 2 * pair + 1];
}

/**
 * pos / 10000^(2i / d_model), in radians, of pair i.
 * @param {number} position @param {number} pair @param {number} width
 */
export function angleOf(position, pair, width) {
  return position / BASE ** ((2 * pair) / width);
}

/** The wavelength of a pair in positions. @param {number} pair @param {number} width */
export function wavelengthOf(pair, width) {
  return (2 * Math.PI) / angleOf(1, pair, width);
}

/**
 * The sine or the cosine of the angle, in 64 bits.
 * @param {number} position @param {number} dimension @param {number} width @param {PositionKind} kind
 */
export function sinusoid(position, dimension, width, kind) {
  const { pair, isCosine } = waveOf(dimension, width, kind);
  const angle = angleOf(position, pair, width);
  return isCosine ? Math.cos(angle) : Math.sin(angle);
}

/**
 * The table of sinusoids, as the model computes it: [position d_model].
 * @param {[number, number]} shape @param {PositionKind} kind
 */
function sinusoids([length, width], kind) {
  /** @type {(_: unknown, i: number) => number} */
  const number = (_, i) => sinusoid(Math.floor(i / width), i % width, width, kind);
  return new Tensor({ shape: [length, width], data: Float32Array.from({ length: length * width }, number) });
}

/**
 * The similarity of two positions: the dot product of their rows, or the cosine of the angle between these.
 * @param {number[]} first @param {number[]} second @param {SimilarityMeasure} measure
 */
function similarityOf(first, second, measure) {
  /** @type {(one: number[], other: number[]) => number} */
  const dot = (one, other) => one.reduce((sum, number, i) => sum + number * other[i], 0);
  return dot(first, second) / (measure === "cosine" ? Math.sqrt(dot(first, first) * dot(second, second)) : 1);
}

/**
 * The similarities of all pairs of rows, and their least, greatest and mean by distance.
 * @param {number[][]} rows @param {SimilarityMeasure} measure
 */
export function similarities(rows, measure) {
  const similar = rows.map((row) => rows.map((other) => similarityOf(row, other, measure)));
  const diagonals = rows.map((_, distance) => rows.slice(distance).map((__, i) => similar[i][i + distance]));
  const mean = (/** @type {number[]} */ numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  return {
    similar,
    least: diagonals.map((numbers) => Math.min(...numbers)),
    greatest: diagonals.map((numbers) => Math.max(...numbers)),
    means: diagonals.map(mean),
  };
}

/**
 * The next power of ten above an error that is rounding: its digits differ between machines, and may all be 0.
 * @param {number} error
 */
export function roundingBound(error) {
  let bound = MIN_ROUNDING_BOUND;
  while (bound <= error) bound *= 10;
  return bound;
}

/**
 * The largest difference between encodings, every pair rotated by the angle of a distance, and those so much later.
 *
 * sin(a + b) = sin a cos b + cos a sin b and cos(a + b) = cos a cos b - sin a sin b: the same turn at every position.
 * @param {Tensor} table @param {number} distance @param {PositionKind} kind
 */
export function turnError(table, distance, kind) {
  const [length, width] = table.shape;
  let largest = 0;
  for (let pair = 0; pair < width / 2; pair++) {
    const [sine, cosine] = pairDimensions(pair, width, kind);
    const turn = angleOf(distance, pair, width);
    const [sin, cos] = [Math.sin(turn), Math.cos(turn)];
    for (let position = 0; position < length - distance; position++) {
      const row = table.row(position);
      const later = table.row(position + distance);
      const sineError = row[sine] * cos + row[cosine] * sin - later[sine];
      const cosineError = row[cosine] * cos - row[sine] * sin - later[cosine];
      largest = Math.max(largest, Math.abs(sineError), Math.abs(cosineError));
    }
  }
  return largest;
}

/**
 * The relative error of a linear map, fitted to the first `length` rows, from encodings to those `distance` later.
 *
 * The map is fitted by least squares on every second position and judged on those between: the norm of what it gets
 * wrong there over the norm of what it should give. 0 is a linear map, 1 no better than answering zero. Null where
 * there are fewer positions to fit than dimensions: then some map always fits, and says nothing about the others.
 * @param {Tensor} table @param {number} length @param {number} distance
 */
function fitError(table, length, distance) {
  const count = length - distance;
  const [, width] = table.shape;
  if (Math.floor(count / 2) < width) return null;
  const rows = (/** @type {0 | 1} */ parity, /** @type {number} */ shift) => {
    const positions = Array.from({ length: count }, (_, i) => i).filter((i) => i % 2 === parity);
    return positions.map((i) => Float64Array.from(table.row(i + shift)));
  };
  const best = leastSquares(rows(0, 0), rows(0, distance));
  const there = rows(1, distance);
  let wrong = 0;
  let whole = 0;
  rows(1, 0).forEach((row, i) => there[i].forEach((number, column) => {
    wrong += (row.reduce((sum, one, j) => sum + one * best[j][column], 0) - number) ** 2;
    whole += number ** 2;
  }));
  return Math.sqrt(wrong / whole);
}

/**
 * The matrix X with the least |A X - B|, by Householder's reflections; changes the rows of A and B, two lists.
 * @param {Float64Array[]} a @param {Float64Array[]} b
 */
function leastSquares(a, b) {
  const width = a[0].length;
  for (let column = 0; column < width; column++) {
    const below = a.slice(column);
    const norm = Math.hypot(...below.map((row) => row[column]));
    const first = below[0][column];
    const reflector = below.map((row, i) => row[column] + (i === 0 ? Math.sign(first || 1) * norm : 0));
    const length = reflector.reduce((sum, number) => sum + number * number, 0);
    for (const rows of [below, b.slice(column)]) {
      for (let j = 0; j < rows[0].length; j++) {
        const part = (2 * reflector.reduce((sum, number, i) => sum + number * rows[i][j], 0)) / length;
        rows.forEach((row, i) => { row[j] -= part * reflector[i]; });
      }
    }
  }
  /** @type {Float64Array[]} */
  const solution = new Array(width);
  for (let i = width - 1; i >= 0; i--) {
    const known = (/** @type {number} */ j) => (
      solution.slice(i + 1).reduce((sum, row, k) => sum + a[i][i + 1 + k] * row[j], 0));
    solution[i] = b[i].map((number, j) => (number - known(j)) / a[i][i]);
  }
  return solution;
}

/** The model's own table, of any kind but "none", with what the figures and texts need of it. */
export class PositionTable {
  /** @type {PositionKind} */ kind;
  /** @type {number | null} */ trained;
  /** @type {number} */ width;
  /** @type {Tensor} */ vectors;
  /** @type {Map<number, number | null>} Of shifts, by distance. */ errors = new Map();

  /**
   * `data` are the numbers of a learned table in base64; `trained` is the number of positions of the longest training
   * sentence, null if it is not recorded.
   * @param {{ kind: PositionKind, shape: [number, number], data?: string, trained: number | null }} settings
   */
  constructor({ kind, shape, data, trained }) {
    this.kind = kind;
    this.trained = trained;
    this.width = shape[1];
    this.vectors = kind === "learned" ? new Tensor({ shape, data }) : sinusoids(shape, kind);
  }

  get isLearned() {
    return this.kind === "learned";
  }

  /** The first rows, as arrays. @param {number} count */
  rows(count) {
    return Array.from({ length: count }, (_, position) => [...this.vectors.row(position)]);
  }

  /** @param {number} dimension */
  wave(dimension) {
    return waveOf(dimension, this.width, this.kind);
  }

  /** The dimensions of the sine and the cosine of every pair. */
  get pairs() {
    const count = Math.floor(this.width / 2);
    return Array.from({ length: count }, (_, pair) => pairDimensions(pair, this.width, this.kind));
  }

  /** The initial selection: the fastest pair, the pair after an eighth of the dimensions, and the sine halfway. */
  get notableDimensions() {
    const { pairs } = this;
    const [first, eighth, middle] = [0, 1, 4].map((part) => pairs[Math.floor((pairs.length * part) / 8)]);
    return [...new Set([...first, ...eighth, middle[0]])].sort((a, b) => a - b);
  }

  /**
   * The error of a shift as a turn of every pair, or of a learned table as a linear map; null if unknown.
   * @param {number} distance
   */
  shiftError(distance) {
    const { errors, vectors, kind, trained } = this;
    const [count] = vectors.shape;
    if (!errors.has(distance)) {
      const fit = () => fitError(vectors, Math.min(trained ?? count, count), distance);
      errors.set(distance, this.isLearned ? fit() : turnError(vectors, distance, kind));
    }
    return errors.get(distance);
  }
}
