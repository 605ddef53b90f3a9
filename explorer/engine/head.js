// One attention head in a forward pass, with its parameters, inputs and outputs: explorer/recording/head.py.

import { ATTENTION, layerOutput } from "./probe.js";
import { Tensor } from "./tensor.js";
import { attentionAt } from "./transformer.js";

/** @typedef {import("./kernel.js").Linear} Linear */
/** @typedef {import("./probe.js").NamedSite} NamedSite */
/** @typedef {import("./recordings.js").ForwardPass} ForwardPass */

/** @type {Record<Kind, NamedSite>} */
const MASKS = {
  encoder: { stack: "encoder", tensor: "mask" },
  decoder: { stack: "decoder", tensor: "mask" },
  cross: { stack: "decoder", tensor: "memory_mask" },
};

/**
 * Where queries and keys come from: the stream before the layer; for cross-attention the decoder and the memory.
 * @param {Kind} kind
 * @param {number} layer @param {number} encoderLayers
 * @returns {[queries: NamedSite, keys: NamedSite]}
 */
export function inputStreams(kind, layer, encoderLayers) {
  if (kind !== "cross") return [layerOutput(kind, layer - 1), layerOutput(kind, layer - 1)];
  /** @type {NamedSite} */
  const fed = { stack: "decoder", layer, sublayer: "self_attention", tensor: "stream" };
  return [fed, layerOutput("encoder", encoderLayers - 1)];
}

/**
 * The rows of a linear layer that belong to a head: weight and bias.
 * @param {Linear} linear @param {number} head @param {number} width
 */
function headRows({ weight, bias }, head, width) {
  const matrix = new Tensor([width, weight.inputs]);
  for (let row = 0; row < width; row++) matrix.at(row).set(weight.row(head * width + row));
  return { weight: matrix, bias: new Tensor([width], bias.slice(head * width, (head + 1) * width)) };
}

/** A part of a tensor: what is at some indices of its first axes. @param {Tensor} tensor @param {number[]} indices */
function part(tensor, ...indices) {
  return new Tensor(tensor.shape.slice(indices.length), tensor.at(...indices));
}

/**
 * The mask for every query: encoders and cross-attention have one row for all of them.
 * @param {Tensor} mask @param {number[]} shape
 */
function wholeMask(mask, shape) {
  const whole = new Tensor(shape);
  for (let query = 0; query < shape[0]; query++) {
    whole.at(query).set(mask.at(0, 0, mask.shape[2] === 1 ? 0 : query));
  }
  return whole;
}

/**
 * What the output projection multiplies a head's output by: [d_value d_model].
 * @param {Linear} linear @param {number} head @param {number} width
 */
function outputRows({ weight }, head, width) {
  const matrix = new Tensor([width, weight.outputs]);
  for (let output = 0; output < weight.outputs; output++) {
    const row = weight.row(output);
    for (let i = 0; i < width; i++) matrix.data[i * weight.outputs + output] = row[head * width + i];
  }
  return matrix;
}

/**
 * One head of a pass with its projections.
 *
 * The weights are those of the decoding steps: those of the pass differ in the last bits.
 * @param {ForwardPass} pass
 * @param {Kind} kind
 * @param {number} layer @param {number} head
 */
export function headTensors(pass, kind, layer, head) {
  const { model: { config }, trace } = pass;
  const tensor = (/** @type {string} */ name) => pass.at({ ...ATTENTION[kind], layer, tensor: name });
  const ofHead = (/** @type {string} */ name) => part(tensor(name), 0, head);
  const [queriesFrom, keysFrom] = inputStreams(kind, layer, config.n_layers);
  const { w_q, w_k, w_v, w_o } = attentionAt(pass.model, kind, layer);
  const [q, k] = [w_q, w_k].map((linear) => headRows(linear, head, config.d_head));
  const v = headRows(w_v, head, config.d_value);
  const scores = ofHead("scores");
  return {
    q: ofHead("q"),
    k: ofHead("k"),
    v: ofHead("v"),
    scores,
    weights: part(trace.weights[kind], layer, head),
    mask: wholeMask(pass.at(MASKS[kind]), scores.shape),
    heads: part(tensor("heads_transposed"), 0),
    output: part(tensor("output"), 0),
    queries_from: part(pass.at(queriesFrom), 0),
    keys_from: part(pass.at(keysFrom), 0),
    w_q: q.weight,
    w_q_bias: q.bias,
    w_k: k.weight,
    w_k_bias: k.bias,
    w_v: v.weight,
    w_v_bias: v.bias,
    w_o: outputRows(w_o, head, config.d_value),
  };
}
