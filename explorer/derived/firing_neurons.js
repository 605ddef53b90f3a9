// The order in which neurons are tried: explorer/experiments/neuron_ranking.py. Pure.

import { Tensor } from "../ui/tensor.js";

/**
 * The neurons that fire in a sentence, switched off; first those that move the stream after their layer most.
 * @param {Record<Stack, any>} reach the answer to the call `neurons`
 * @returns {NeuronAt[]}
 */
export function firingNeurons(reach) {
  const found = /** @type {Stack[]} */ (["encoder", "decoder"]).flatMap((stack) => (
    new Tensor(reach[stack]).rows.flatMap((row, layer) => (
      Array.from(row, (moved, index) => ({ moved, place: [stack, layer, index] }))))));
  return found
    .filter(({ moved }) => moved > 0)
    .sort((one, other) => other.moved - one.moved)
    .map(({ place }) => /** @type {NeuronAt} */ ([...place, 0, null]));
}
