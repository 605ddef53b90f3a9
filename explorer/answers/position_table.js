// The properties of a table of positions: explorer/tabs/positions/sinusoids.py.

const MIN_ROUNDING_BOUND = 1e-7; // about the precision of a 32-bit float
const BASE = 10000; // of the paper's geometric progression

/** A dimension's pair, and whether it is the pair's cosine; a learned table has pairs as in the paper's order. */
export function waveOf(dimension, width, kind) {
  if (kind === "sinusoidal halves") return { pair: dimension % (width / 2), isCosine: dimension >= width / 2 };
  return { pair: Math.floor(dimension / 2), isCosine: dimension % 2 === 1 };
}

/** The dimensions of a pair's sine and cosine. */
export function pairDimensions(pair, width, kind) {
  return kind === "sinusoidal halves" ? [pair, width / 2 + pair] : [2 * pair, 2 * pair + 1];
}

/** pos / 10000^(2i / d_model), in radians, of pair i. */
export function angleOf(position, pair, width) {
  return position / BASE ** ((2 * pair) / width);
}

/** The similarity of two positions: the dot product of their rows, or the cosine of the angle between these. */
export function similarityOf(first, second, measure) {
  const dot = (one, other) => one.reduce((sum, number, i) => sum + number * other[i], 0);
  return dot(first, second) / (measure === "cosine" ? Math.sqrt(dot(first, first) * dot(second, second)) : 1);
}

/** The next power of ten above an error that is rounding: its digits differ between machines, and may all be 0. */
export function roundingBound(error) {
  let bound = MIN_ROUNDING_BOUND;
  while (bound <= error) bound *= 10;
  return bound;
}

/** The largest difference between encodings, every pair rotated by the angle of a distance, and those so much later. */
export function turnError(table, distance, kind) {
  const { shape: [length, width] } = table;
  let largest = 0;
  for (let pair = 0; pair < width / 2; pair++) {
    const [sine, cosine] = pairDimensions(pair, width, kind), turn = angleOf(distance, pair, width), sin = Math.sin(turn), cos = Math.cos(turn);
    for (let position = 0; position < length - distance; position++) {
      const row = table.at(position), later = table.at(position + distance);
      const errors = [row[sine] * cos + row[cosine] * sin - later[sine], row[cosine] * cos - row[sine] * sin - later[cosine]];
      largest = Math.max(largest, ...errors.map(Math.abs));
    }
  }
  return largest;
}

/**
 * The relative error of a linear map, fitted to the first `length` rows, from encodings to those `distance` positions later.
 *
 * It is fitted on every second position and judged on those between; null where there are fewer to fit than dimensions.
 */
export function fitError(table, length, distance) {
  const count = length - distance, [, width] = table.shape, places = Array.from({ length: Math.max(count, 0) }, (_, i) => i);
  if (Math.floor(count / 2) < width) return null;
  const rows = (parity, shift) => places.filter((i) => i % 2 === parity).map((i) => Float64Array.from(table.at(i + shift)));
  const best = leastSquares(rows(0, 0), rows(0, distance)), here = rows(1, 0), there = rows(1, distance);
  let wrong = 0, whole = 0;
  here.forEach((row, i) => there[i].forEach((number, column) => {
    wrong += (row.reduce((sum, one, j) => sum + one * best[j][column], 0) - number) ** 2;
    whole += number ** 2;
  }));
  return Math.sqrt(wrong / whole);
}

/** The matrix X with the least |A X - B|, by Householder's reflections; changes the rows of A and B, which are lists. */
function leastSquares(a, b) {
  const width = a[0].length;
  for (let column = 0; column < width; column++) {
    const below = a.slice(column), norm = Math.hypot(...below.map((row) => row[column])), [{ [column]: first }] = below;
    const reflector = below.map((row, i) => row[column] + (i === 0 ? Math.sign(first || 1) * norm : 0));
    const length = reflector.reduce((sum, number) => sum + number * number, 0);
    for (const rows of [below, b.slice(column)]) {
      for (let j = 0; j < rows[0].length; j++) {
        const part = (2 * reflector.reduce((sum, number, i) => sum + number * rows[i][j], 0)) / length;
        rows.forEach((row, i) => { row[j] -= part * reflector[i]; });
      }
    }
  }
  const solution = new Array(width);
  for (let i = width - 1; i >= 0; i--) {
    solution[i] = b[i].map((number, j) => (number - solution.slice(i + 1).reduce((sum, row, k) => sum + a[i][i + 1 + k] * row[j], 0)) / a[i][i]);
  }
  return solution;
}
