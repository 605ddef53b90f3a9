// What the inputs of attention add to its output: lengths (explorer/recording/vector_lengths.py), and what comes from
// the source and what from the target pieces before (ALTI+, explorer/recording/contributions.py).

import { multiply } from "../ui/tensor.js";
import { inputStreams } from "./head.js";
import { EPSILON } from "./layers.js";
import { ATTENTION } from "./probe.js";
import { Tensor, matmul, norm, swapAxes } from "./tensor.js";
import { attentionAt } from "./transformer.js";

/** @typedef {import("./recordings.js").ForwardPass} ForwardPass */

/**
 * v W_O of every head and key of a layer: what a key adds for each unit of weight [batch head key d_model].
 * @param {ForwardPass} pass @param {Kind} kind @param {number} layer
 */
function addedPerWeight(pass, kind, layer) {
  return attentionAt(pass.model, kind, layer).addedPerWeight(pass.at({ ...ATTENTION[kind], layer, tensor: "v" }));
}

/**
 * ||v W_O|| of every layer, head and key, for the one sentence of a pass.
 * @param {ForwardPass} pass
 * @param {Kind} kind
 */
export function valueNorms(pass, kind) {
  const layers = pass.model[ATTENTION[kind].stack].layers.map((_, layer) => addedPerWeight(pass, kind, layer));
  const [, heads, keys] = layers[0].shape;
  return new Tensor([layers.length, heads, keys]).map((_, index) => {
    const key = index % keys;
    const head = Math.floor(index / keys) % heads;
    return norm(layers[Math.floor(index / (heads * keys))].at(0, head, key));
  });
}

/**
 * The factors that make a linear map of layer normalisation with a known deviation, for each dimension of a row.
 * @param {Float32Array} row @param {import("./layers.js").LayerNorm} norm
 */
function normFactors(row, { weight }) {
  const mean = row.reduce((sum, number) => sum + number, 0) / row.length;
  const variance = row.reduce((sum, number) => sum + (number - mean) ** 2, 0) / row.length;
  return Float64Array.from(weight, (factor) => factor / Math.sqrt(variance + EPSILON));
}

/**
 * |output| - |output - L(vector)|, where |.| sums absolute values.
 * @param {Numbers} output @param {Numbers} vector @param {Float64Array} factors
 */
function nearness(output, vector, factors) {
  let mean = 0, sum = 0;
  for (let i = 0; i < vector.length; i++) mean += vector[i] / vector.length;
  for (let i = 0; i < vector.length; i++) {
    sum += Math.abs(output[i]) - Math.abs(output[i] - (vector[i] - mean) * factors[i]);
  }
  return sum;
}

/**
 * Divides a row by its sum; one without any contribution stays with its residual.
 * @param {number[]} row @param {number} residual
 */
function rowShares(row, residual) {
  const sum = row.reduce((total, number) => total + number, 0);
  return row.map((number, input) => (sum === 0 ? Number(input === residual) : number / sum));
}

/**
 * Each input's contributions [query input] to an attention sub-layer; in cross-attention the residual is the last.
 * @param {ForwardPass} pass @param {Kind} kind @param {number} layer
 */
function layerContributions(pass, kind, layer) {
  const { model } = pass;
  const site = { ...ATTENTION[kind], layer };
  const tensor = (/** @type {string} */ name) => pass.at({ ...site, tensor: name });
  const [stream] = inputStreams(kind, layer, model.config.n_layers);
  const weights = swapAxes(swapAxes(swapAxes(tensor("weights"), 2), 1), 2); // [1 key query head]
  const added = matmul(weights, swapAxes(addedPerWeight(pass, kind, layer), 1));
  const [, keys, queries] = added.shape;
  const isCross = kind === "cross";
  const addNorm = kind === "cross"
    ? model.decoder.layers[layer].cross_attention_norm
    : model[kind].layers[layer].self_attention_norm;
  return Array.from({ length: queries }, (_, query) => {
    const stayed = pass.at(stream).at(0, query);
    const output = tensor("stream").at(0, query);
    const factors = normFactors(tensor("sum").at(0, query), addNorm.norm);
    /** @type {Float32Array[]} */
    const vectors = Array.from({ length: keys }, (_, key) => added.at(0, key, query));
    if (isCross) vectors.push(stayed);
    else stayed.forEach((number, i) => (vectors[query][i] += number));
    const near = vectors.map((vector) => Math.max(0, nearness(output, vector, factors)));
    return rowShares(near, isCross ? keys : query);
  });
}

/**
 * The share of each source piece in every step; the rest comes from the target pieces before.
 * @param {ForwardPass} pass
 */
export function contributionsOf(pass) {
  const { model: { encoder, decoder }, trace: { source, steps } } = pass;
  /** @type {Float64Array[]} */
  let inputs = source.map((_, index) => Float64Array.from(source, (_, other) => Number(other === index)));
  encoder.layers.forEach((_, layer) => (inputs = multiply(layerContributions(pass, "encoder", layer), inputs)));
  let shares = steps.map(() => new Float64Array(source.length));
  decoder.layers.forEach((_, layer) => {
    const cross = layerContributions(pass, "cross", layer);
    const before = multiply(layerContributions(pass, "decoder", layer), shares);
    const residual = (/** @type {number} */ step) => cross[step][source.length];
    const fromSource = cross.map((row) => row.slice(0, source.length));
    shares = /** @type {Float64Array[]} */ (multiply(fromSource, inputs)).map(
      (row, step) => row.map((share, index) => share + residual(step) * before[step][index]),
    );
  });
  const all = new Tensor([steps.length, source.length]);
  shares.forEach((row, step) => all.at(step).set(row));
  return all;
}
