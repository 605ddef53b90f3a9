// Interventions: changes of a run's tensors through the model's probe. Parameters are never changed.
//
// It is explorer/experiments/interventions.py, for the same experiments as JSON. A change is a function of a tensor
// and of the position of its first row; it returns another tensor.

import { ATTENTION, KINDS, Probe, layerOutput, siteKey } from "../probe.js";
import { shuffled } from "../random.js";
import { Tensor, idTensor } from "../tensor.js";

/** A probe that makes changes, pairs of a site and a change, in one run, with or without a cache. */
export function interventionProbe(changes) {
  const at = new Map();
  const mask = siteKey({ stack: "decoder", tensor: "mask" });
  for (const [site, change] of changes) at.set(siteKey(site), [...(at.get(siteKey(site)) ?? []), change]);
  let start = 0; // position of the first piece fed to the decoder in this call
  return new Probe((site, tensor) => {
    const key = siteKey(site);
    if (key === mask) start = tensor.shape[3] - tensor.shape[2];
    return at.get(key)?.reduce((changed, change) => change(changed, site.stack === "decoder" ? start : 0), tensor);
  });
}

/**
 * The site and the change that switch a head off. Only "mean" needs `means`.
 *
 * - zero: its output is 0, so that W_O adds nothing for it;
 * - uniform: its scores are all 0, so that it averages all values it may attend to;
 * - mean: its output at every position is its mean over the example sentences;
 * - special: it attends to the special piece alone, `<s>` in the decoder and `</s>` in the source.
 *
 * In a batch, only the sentence of one `row` is changed.
 */
export function ablateHead([kind, layer, head], by, means, row = 0) {
  const tensor = by === "zero" || by === "mean" ? "heads" : "scores";
  const change = (whole) => {
    const changed = whole.clone();
    const { width } = whole;
    const part = changed.at(row, head);
    const mean = means?.[kind].at(layer, head);
    const special = kind === "decoder" ? 0 : width - 1;
    const value = {
      zero: () => 0,
      uniform: () => 0,
      mean: (i) => mean[i],
      special: (i) => (i === special ? 0 : -Infinity),
    }[by];
    for (let i = 0; i < part.length; i++) part[i] = value(i % width);
    return changed;
  };
  return [{ ...ATTENTION[kind], layer, tensor }, change];
}

/** Masks source pieces as keys, in the encoder and in cross-attention, which share the mask. */
function hidePieces(pieces) {
  const change = (mask) => mask.map((allowed, place) => (pieces.includes(place % mask.width) ? 0 : allowed));
  return [{ stack: "encoder", tensor: "mask" }, change];
}

/** Replaces positional encodings; positions beyond the end of a shuffled `order` stay as they are. */
function reposition(table, stack, how, { order, shift }) {
  const change = (positions, start) => {
    if (how === "off") return positions.map(() => 0);
    const places = Array.from({ length: positions.shape[0] }, (_, i) => start + i);
    return table.select(places.map((place) => (how === "shifted" ? place + shift : order[place] ?? place)));
  };
  return [{ stack, tensor: "positions" }, change];
}

/**
 * Changes that copy activations from the donor's pass, a Map of tensors by site, at positions that the run has, too.
 */
export function patches({ heads = [], cells = [] }, donor) {
  const headChanges = heads.map(([kind, layer, head]) => {
    const site = { ...ATTENTION[kind], layer, tensor: "heads" };
    return [site, copyHead(donor.get(siteKey(site)), head)];
  });
  return [...headChanges, ...cells.map(([stack, layer, position]) => {
    const site = layerOutput(stack, layer);
    return [site, copyCell(donor.get(siteKey(site)), position)];
  })];
}

function copyHead(heads, head) {
  return (tensor, start) => {
    const changed = tensor.clone();
    const part = changed.at(0, head);
    const rows = heads.at(0, head).subarray(start * heads.width);
    part.set(rows.subarray(0, part.length));
    return changed;
  };
}

function copyCell(stream, position) {
  return (tensor, start) => {
    if (position < start || position >= Math.min(start + tensor.shape[1], stream.shape[1])) return tensor;
    const changed = tensor.clone();
    changed.at(0, position - start).set(stream.at(0, position));
    return changed;
  };
}

/** The changes of an experiment; `lengths` is the number of positions to shuffle in each stack. */
export function experimentChanges(experiment, translator, { lengths, means, donor }) {
  const { hidden = [], off = [], off_by = "zero", seed = 1, shift = 5, patch } = experiment;
  const changes = hidden.length ? [hidePieces(hidden)] : [];
  for (const stack of ["encoder", "decoder"]) {
    const how = experiment[`${stack}_positions`];
    const order = shuffled([...new Array(lengths[stack]).keys()], seed);
    if (how) changes.push(reposition(translator.model[stack].embedding.positions, stack, how, { order, shift }));
  }
  changes.push(...off.map((head) => ablateHead(head, off_by, means)));
  return patch ? [...changes, ...patches(patch, donor)] : changes;
}

/** Every head's mean output over all positions of translations, pairs of source and decoder-input ids. */
export function headMeans(translator, pairs) {
  const { model } = translator, { n_heads, d_value } = model.config, means = {};
  const layers = Object.fromEntries(KINDS.map((kind) => [kind, model[ATTENTION[kind].stack].layers.length]));
  for (const kind of KINDS) means[kind] = new Tensor([layers[kind], n_heads, d_value]);
  const counts = { encoder: 0, decoder: 0, cross: 0 };
  const visit = ({ stack, sublayer, layer, tensor: name }, heads) => {
    const kind = KINDS.find((kind) => ATTENTION[kind].stack === stack && ATTENTION[kind].sublayer === sublayer);
    if (name !== "heads") return;
    counts[kind] += layer === 0 ? heads.shape[2] : 0;
    for (let head = 0; head < n_heads; head++) {
      const sums = means[kind].at(layer, head);
      heads.at(0, head).forEach((number, i) => (sums[i % d_value] += number));
    }
  };
  for (const [src, tgtIn] of pairs) model.forward(idTensor([src]), idTensor([tgtIn]), new Probe(visit));
  return Object.fromEntries(KINDS.map((kind) => [kind, means[kind].map((sum) => sum / counts[kind])]));
}
