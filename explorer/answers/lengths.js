// The lengths of the vectors that an attention sub-layer adds up: explorer/recording/lengths.py.

import { ATTENTION } from "../engine/probe.js";
import { Tensor, concatenate, sizeOf, norm } from "../engine/tensor.js";
import { attentionAt } from "../engine/transformer.js";
import { tensorJson, unmaskedCells } from "./payload.js";
import { specialPlaces } from "./trace.js";

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

/** The tensor, with mean and maximum over an axis appended along it, in double precision. */
function withMeanAndMax(tensor, axis) {
  const { shape } = tensor, count = shape[axis], inner = sizeOf(shape.slice(axis + 1)), reduced = shape.with(axis, 1);
  const [means, maxima] = [0, -Infinity].map((start) => new Tensor(reduced, new Float64Array(sizeOf(reduced)).fill(start)));
  tensor.data.forEach((number, place) => {
    const target = Math.floor(place / (count * inner)) * inner + (place % inner);
    means.data[target] += number / count;
    maxima.data[target] = Math.max(maxima.data[target], number);
  });
  return concatenate(concatenate(tensor, means, axis), maxima, axis);
}

const ROUNDING = 1e-5; // relative difference of two lengths that are equal but for rounding

/** The place of the largest number of a row; hidden keys count as 0. */
function strongestKey(row, hidden) {
  let best = 0;
  for (let key = 1; key < row.length; key++) {
    if ((hidden.has(key) ? 0 : row[key]) > (hidden.has(best) ? 0 : row[best])) best = key;
  }
  return best;
}

/** How often the longest part and the largest weight disagree, with some keys hidden: see StrongestKeyChanges in Python. */
function strongestKeyChanges(weights, lengths, hidden, isCausal) {
  const [layers, heads, queries, keys] = weights.shape, reach = (query) => (isCausal ? query + 1 : keys);
  const visible = (query) => Array.from({ length: reach(query) }, (_, key) => key).filter((key) => !hidden.has(key)).length;
  const places = [...new Array(queries).keys()];
  const changes = (layer, head) => places.filter((query) => {
    const row = lengths.at(layer, head, query), length = (key) => (hidden.has(key) ? 0 : row[key]);
    const attended = strongestKey(weights.at(layer, head, query), hidden);
    return length(attended) < length(strongestKey(row, hidden)) * (1 - ROUNDING);
  }).length;
  return {
    rows: places.filter((query) => visible(query) > 1).length,
    different: Array.from({ length: layers }, (_, layer) => Array.from({ length: heads }, (_, head) => changes(layer, head))),
  };
}

/** The lengths of a kind for the one sentence of a pass, without masked cells, and the strongest-key changes. */
export function lengthsJson(pass, kind) {
  const [trace] = pass.traces, lengths = lengthsOf(pass, kind), map = trace[kind];
  const joined = [map.weights, lengths].map(({ shape, data }) => (
    withMeanAndMax(withMeanAndMax(new Tensor(shape, Float64Array.from(data)), 1), 0)
  ));
  const changed = [[], specialPlaces(map).keys].map((hidden) => strongestKeyChanges(...joined, new Set(hidden), kind === "decoder"));
  return { lengths: tensorJson(unmaskedCells(lengths, kind)), changed };
}
