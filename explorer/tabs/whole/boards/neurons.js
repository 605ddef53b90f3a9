// The neurons of a feed-forward network: which light up at a token, and where else. Pure.

/** @typedef {{ neuron: number, value: number }} Neuron */

/**
 * The neurons with the largest numbers above zero, the largest first.
 * @param {ArrayLike<number>} hidden of a token, after the activation
 * @param {number} count
 * @returns {Neuron[]}
 */
export function strongestNeurons(hidden, count) {
  const neurons = Array.from(hidden, (value, neuron) => ({ neuron, value })).filter(({ value }) => value > 0);
  return neurons.sort((one, other) => other.value - one.value).slice(0, count);
}

/**
 * How many numbers are above zero.
 * @param {ArrayLike<number>} hidden
 */
export function countPositive(hidden) {
  return Array.from(hidden).filter((value) => value > 0).length;
}

/**
 * The other tokens at which a neuron is above zero, where it is largest first.
 * @param {ArrayLike<number>[]} rows [token d_ff]
 * @param {number} neuron
 * @param {number} token
 * @param {number} count
 * @returns {{ token: number, value: number }[]}
 */
export function alsoAt(rows, neuron, token, count) {
  const values = rows.map((row, i) => ({ token: i, value: row[neuron] }));
  const others = values.filter(({ token: one, value }) => one !== token && value > 0);
  return others.sort((one, other) => other.value - one.value).slice(0, count);
}

/**
 * The largest of the numbers around an index: what a pointer means where columns are narrower than a pixel.
 * @param {ArrayLike<number>} row
 * @param {number} index
 * @param {number} reach
 */
export function largestNear(row, index, reach) {
  const from = Math.max(0, index - reach);
  let best = index;
  for (let i = from; i <= Math.min(row.length - 1, index + reach); i++) if (row[i] > row[best]) best = i;
  return best;
}
