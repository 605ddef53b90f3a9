// The lengths of the vectors that an attention sub-layer adds up: explorer/recording/lengths.py.

import { ATTENTION } from "./probe.js";
import { Tensor, norm } from "./tensor.js";
import { attentionAt } from "./transformer.js";

/** ||v W_O|| of every head and key: the length of what a key adds for each unit of weight. */
function valueLengths(pass, kind, layer) {
  const added = attentionAt(pass.model, kind, layer).addedPerWeight(pass.at({ ...ATTENTION[kind], layer, tensor: "v" }));
  const norms = new Tensor(added.shape.slice(1, 3));
  return norms.map((_, place) => norm(added.data.subarray(place * added.width, (place + 1) * added.width)));
}

/** ||v W_O|| of every layer, head and key, for the one sentence of a pass. */
export function valueNorms(pass, kind) {
  const { layers } = pass.model[ATTENTION[kind].stack];
  const rows = layers.map((_, layer) => valueLengths(pass, kind, layer));
  const norms = new Tensor([rows.length, ...rows[0].shape]);
  rows.forEach((row, layer) => norms.at(layer).set(row.data));
  return norms;
}

/** ||w v W_O|| of every cell [layer head query key], for the one sentence of a pass: weights are never negative. */
export function lengthsOf(pass, kind) {
  const [trace] = pass.traces, lengths = new Tensor(trace[kind].weights.shape);
  const [layers, heads, queries] = lengths.shape;
  for (let layer = 0; layer < layers; layer++) {
    const weights = pass.at({ ...ATTENTION[kind], layer, tensor: "weights" }), norms = valueLengths(pass, kind, layer);
    for (let head = 0; head < heads; head++) {
      for (let query = 0; query < queries; query++) {
        lengths.at(layer, head, query).set(weights.at(0, head, query).map((weight, key) => weight * norms.at(head)[key]));
      }
    }
  }
  return lengths;
}
