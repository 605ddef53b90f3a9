// ALTI+, what comes from the source and what from the target pieces before: explorer/recording/contributions.py.

import { ATTENTION } from "../engine/probe.js";
import { EPSILON } from "../engine/layers.js";
import { Tensor } from "../engine/tensor.js";
import { attentionAt } from "../engine/transformer.js";
import { inputStreams } from "./head.js";
import { tensorJson } from "./payload.js";

/** The factors that make a linear map of layer normalisation with a known deviation: one for each dimension of a row. */
function normFactors(row, { weight }) {
  const mean = row.reduce((sum, number) => sum + number, 0) / row.length;
  const variance = row.reduce((sum, number) => sum + (number - mean) ** 2, 0) / row.length;
  return Float64Array.from(weight, (factor) => factor / Math.sqrt(variance + EPSILON));
}

/** |output| - |output - L(vector)|, where |.| sums absolute values. */
function nearness(output, vector, factors) {
  let mean = 0, sum = 0;
  for (let i = 0; i < vector.length; i++) mean += vector[i] / vector.length;
  for (let i = 0; i < vector.length; i++) sum += Math.abs(output[i]) - Math.abs(output[i] - (vector[i] - mean) * factors[i]);
  return sum;
}

/** Divides a row by its sum; one without any contribution stays with its residual. */
function rowShares(row, residual) {
  const sum = row.reduce((total, number) => total + number, 0);
  if (sum > 0) return row.map((number) => number / sum);
  return row.fill(0).fill(1, residual, residual + 1);
}

/** Each input's contributions [query input] to an attention sub-layer; in cross-attention the residual is the last input. */
function layerContributions(pass, kind, layer) {
  const { model } = pass, place = { ...ATTENTION[kind], layer }, tensor = (name) => pass.at({ ...place, tensor: name });
  const weights = tensor("weights"), [, heads, queries, keys] = weights.shape, isCross = kind === "cross";
  const added = attentionAt(model, kind, layer).addedPerWeight(tensor("v")), [residual] = inputStreams(kind, layer, model.config.n_layers);
  const { norm } = model[place.stack].layers[layer][`${place.sublayer}_norm`];
  return Array.from({ length: queries }, (_, query) => {
    const own = pass.at(residual).at(0, query), output = tensor("stream").at(0, query), factors = normFactors(tensor("sum").at(0, query), norm);
    const row = new Float64Array(isCross ? keys + 1 : keys);
    for (let key = 0; key < row.length; key++) {
      const vector = new Float64Array(own.length);
      for (let head = 0; key < keys && head < heads; head++) {
        const weight = weights.at(0, head, query)[key], value = added.at(0, head, key);
        for (let i = 0; weight && i < value.length; i++) vector[i] += weight * value[i];
      }
      if (key === (isCross ? keys : query)) own.forEach((number, i) => (vector[i] += number));
      row[key] = Math.max(0, nearness(output, vector, factors));
    }
    return rowShares(row, isCross ? keys : query);
  });
}

/** The product of two matrices, as rows. */
function multiply(mixing, rows) {
  return mixing.map((row) => {
    const sum = new Float64Array(rows[0].length);
    for (let i = 0; i < rows.length; i++) for (let column = 0; column < sum.length; column++) sum[column] += row[i] * rows[i][column];
    return sum;
  });
}

/** The share of each source piece in every step; the rest comes from the target pieces before. */
export function contributionsJson(pass) {
  const { model: { encoder, decoder }, traces: [{ source, steps }] } = pass;
  let inputs = source.map((_, place) => Float64Array.from(source, (_, other) => Number(other === place)));
  encoder.layers.forEach((_, layer) => (inputs = multiply(layerContributions(pass, "encoder", layer), inputs)));
  let shares = steps.map(() => new Float64Array(source.length));
  decoder.layers.forEach((_, layer) => {
    const cross = layerContributions(pass, "cross", layer), before = multiply(layerContributions(pass, "decoder", layer), shares);
    shares = multiply(cross, inputs).map((row, step) => row.map((share, place) => share + cross[step][source.length] * before[step][place]));
  });
  const all = new Tensor([steps.length, source.length]);
  shares.forEach((row, step) => all.at(step).set(row));
  return { source: tensorJson(all) };
}
