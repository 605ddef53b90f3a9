// One attention head in a forward pass, with its parameters, inputs and outputs: explorer/recording/head.py.

import { ATTENTION } from "./probe.js";
import { Tensor } from "./tensor.js";
import { attentionAt } from "./transformer.js";
import { requireIndex } from "./refusal.js";

export const MASKS = {
  encoder: { stack: "encoder", tensor: "mask" },
  decoder: { stack: "decoder", tensor: "mask" },
  cross: { stack: "decoder", tensor: "memory_mask" },
};

/** The residual stream after a layer; for layer -1, after the embedding. */
export function layerOutput(stack, layer) {
  return layer < 0 ? { stack, tensor: "stream" } : { stack, layer, sublayer: "feed_forward", tensor: "stream" };
}

/** Where queries and keys come from: the stream before the layer; for cross-attention the decoder and the memory. */
export function inputStreams(kind, layer, encoderLayers) {
  if (kind !== "cross") return [layerOutput(kind, layer - 1), layerOutput(kind, layer - 1)];
  const own = { stack: "decoder", layer, sublayer: "self_attention", tensor: "stream" };
  return [own, layerOutput("encoder", encoderLayers - 1)];
}

/** The rows of a linear layer that belong to a head: weight and bias. */
function headRows({ weight, bias }, head, width) {
  const rows = Array.from({ length: width }, (_, row) => weight.row(head * width + row));
  const matrix = new Tensor([width, weight.inputs]);
  rows.forEach((row, i) => matrix.at(i).set(row));
  return { weight: matrix, bias: new Tensor([width], bias.slice(head * width, (head + 1) * width)) };
}

/** The tensor of one sentence of the batch, and of one head of it if there are heads. */
function part(tensor, ...indices) {
  return new Tensor(tensor.shape.slice(indices.length), tensor.at(...indices));
}

/** The mask of a sentence for every query: encoders and cross-attention have one row for all of them. */
function wholeMask(mask, sentence, [queries, keys]) {
  const whole = new Tensor([queries, keys]);
  for (let query = 0; query < queries; query++) whole.at(query).set(mask.at(sentence, 0, mask.shape[2] === 1 ? 0 : query));
  return whole;
}

/** One head, for one sentence of the batch. Throws a UserError if the model has no such layer or head. */
export function headOf(pass, kind, layer, head, { sentence = 0, refusals }) {
  const { model, model: { config } } = pass, { stack } = ATTENTION[kind];
  requireIndex("layer", layer, model[stack].layers.length, refusals);
  requireIndex("head", head, config.n_heads, refusals);
  const tensor = (name) => pass.at({ ...ATTENTION[kind], layer, tensor: name });
  const [queriesFrom, keysFrom] = inputStreams(kind, layer, config.n_layers).map((site) => part(pass.at(site), sentence));
  const [q, k, v, scores, weights] = ["q", "k", "v", "scores", "weights"].map((name) => part(tensor(name), sentence, head));
  return {
    q, k, v, scores, weights, queriesFrom, keysFrom,
    mask: wholeMask(pass.at(MASKS[kind]), sentence, scores.shape),
    heads: part(tensor("heads_transposed"), sentence),
    output: part(tensor("output"), sentence),
  };
}

/**
 * One head of a pass with its projections, without the output projection. Throws a UserError if there is none.
 *
 * The weights of a single sentence are those of its decoding steps.
 */
export function headTensors(pass, kind, layer, head, { sentence = 0, refusals }) {
  const { queriesFrom, keysFrom, ...tensors } = headOf(pass, kind, layer, head, { sentence, refusals });
  const { d_head, d_value } = pass.model.config;
  const attention = attentionAt(pass.model, kind, layer);
  const all = { ...tensors, queries_from: queriesFrom, keys_from: keysFrom };
  if (pass.traces.length === 1) all.weights = part(pass.traces[0][kind].weights, layer, head);
  for (const [name, width] of [["w_q", d_head], ["w_k", d_head], ["w_v", d_value]]) {
    const { weight, bias } = headRows(attention[name], head, width);
    Object.assign(all, { [name]: weight, [`${name}_bias`]: bias });
  }
  return all;
}
