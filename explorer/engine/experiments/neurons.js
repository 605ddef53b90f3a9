// What single neurons do to a forced translation: explorer/experiments/neuron_ranking.py.

import { EPSILON } from "../layers.js";
import { Tensor } from "../tensor.js";
import { groupBy } from "./groups.js";

/** @typedef {import("./forced.js").ForcedTranslation} ForcedTranslation */

/**
 * By how much each neuron moves the stream after its layer at most, to first order: [layer d_ff]; 0 does not fire.
 * @param {ForcedTranslation} forced
 * @param {Stack} stack
 */
export function neuronReach({ model, hidden, sums }, stack) {
  const { layers } = model[stack], { d_ff } = model.config;
  const reach = new Tensor([layers.length, d_ff]);
  layers.forEach(({ feed_forward: { w_2 }, feed_forward_norm: { norm } }, layer) => {
    const largest = largestValues(hidden[stack][layer], sums[stack][layer]);
    const lengths = reach.at(layer);
    for (let neuron = 0; neuron < d_ff; neuron++) {
      const value = largest[neuron];
      if (value > 0) lengths[neuron] = value * deviation(w_2.weight.column(neuron), norm.weight);
    }
  });
  return reach;
}

/**
 * The largest absolute value of each neuron, each divided by what the normalisation divides its position by.
 * @param {Tensor} hidden
 * @param {Tensor} sums
 */
function largestValues(hidden, sums) {
  const largest = new Float64Array(hidden.width);
  for (let position = 0; position < hidden.shape[1]; position++) {
    const sum = sums.at(0, position);
    const scale = Math.sqrt(deviation(sum) ** 2 / sum.length + EPSILON);
    hidden.at(0, position).forEach((value, neuron) => {
      largest[neuron] = Math.max(largest[neuron], Math.abs(value) / scale);
    });
  }
  return largest;
}

/**
 * The length of a vector without its mean, each number times its weight.
 * @param {Float32Array} vector
 * @param {Float32Array | null} weight
 */
function deviation(vector, weight = null) {
  let mean = 0, squares = 0;
  for (let i = 0; i < vector.length; i++) mean += vector[i] / vector.length;
  for (let i = 0; i < vector.length; i++) squares += ((vector[i] - mean) * (weight ? weight[i] : 1)) ** 2;
  return Math.sqrt(squares);
}

/**
 * The changes of each piece's log-probability, in nats, with each of some neurons held alone: [neuron step].
 * @param {ForcedTranslation} forced
 * @param {NeuronAt[]} neurons
 */
export function changesWithHeldNeurons(forced, neurons) {
  /** @type {Map<NeuronAt, number[]>} */
  const changes = new Map();
  for (const group of groupBy(neurons, ([stack, layer]) => `${stack} ${layer}`).values()) {
    const [[stack, layer]] = group;
    const run = { layer: layer + 1, x: streamsWithHeld(forced, group) };
    const rows = stack === "encoder"
      ? forced.changeEncoder(group.length, run)
      : forced.changeDecoder(group.length, run);
    group.forEach((neuron, row) => changes.set(neuron, rows[row]));
  }
  return neurons.map((neuron) => changes.get(neuron));
}

/**
 * The streams that leave a layer: [row position d_model], in row r with neurons[r] held and no other.
 * @param {ForcedTranslation} forced
 * @param {NeuronAt[]} neurons of one layer
 */
function streamsWithHeld({ model, hidden, sums }, neurons) {
  const [[stack, layer]] = neurons;
  const { feed_forward: { w_2 }, feed_forward_norm: { norm } } = model[stack].layers[layer];
  const held = sums[stack][layer].select(neurons.map(() => 0));
  neurons.forEach(([, , index, value, at = null], row) => {
    const column = w_2.weight.column(index);
    for (let position = 0; position < held.shape[1]; position++) {
      if (at !== null && at !== position) continue;
      const change = value - hidden[stack][layer].at(0, position)[index];
      const sum = held.at(row, position);
      for (let i = 0; i < column.length; i++) sum[i] += change * column[i];
    }
  });
  return norm.forward(held);
}
