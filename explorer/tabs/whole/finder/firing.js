// Which neurons fire at a token of the sentence. Pure.

/** @typedef {{ stack: Stack, layer: number, neuron: number, value: number, share: number }} Firing */

/**
 * The neurons of all layers of a stack that fire most at a row: by their value as a share of their largest one over
 * the sentences of the atlas, at most 1, and then by the value.
 * @param {import("../../../ui/tensor.js").Tensor[]} hidden [row d_ff] by layer
 * @param {number} row
 * @param {import("../../../atlas/layer.js").AtlasLayer[]} layers of the stack
 * @returns {Firing[]}
 */
export function firingsAt(hidden, row, layers, most = 20) {
  const all = layers.flatMap((layer, i) => {
    const numbers = hidden[i].row(row);
    return [...layer.slot.keys()].filter((neuron) => numbers[neuron] > 0 && layer.slot[neuron] >= 0).map((neuron) => ({
      stack: layer.stack, layer: i, neuron, value: numbers[neuron],
      share: Math.min(1, numbers[neuron] / layer.largest(neuron)),
    }));
  });
  return all.sort((one, other) => other.share - one.share || other.value - one.value).slice(0, most);
}
