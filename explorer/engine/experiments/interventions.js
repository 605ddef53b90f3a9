// Interventions: changes of a run's tensors through the model's probe. Parameters are never changed.
//
// It is explorer/experiments/interventions.py, for the same experiments as JSON. A change is a function of a tensor
// and of the position of its first row; it returns another tensor.

import { ATTENTION, KINDS, Probe, layerOutput, siteKey } from "../probe.js";
import { shuffled } from "../random.js";
import { Tensor, idTensor } from "../tensor.js";
import { groupBy } from "./groups.js";

/** @typedef {import("../decoding.js").Translator} Translator */
/** @typedef {import("../probe.js").NamedSite} NamedSite */
/** @typedef {(tensor: Tensor, start: number) => Tensor} TensorChange */
/** @typedef {[site: NamedSite, change: TensorChange]} Intervention */
/** @typedef {Record<Kind, Tensor>} Means of every head: [layer head d_value] */
/** @typedef {Map<string, Tensor>} Donor the tensors of a run by siteKey */

/**
 * A probe that makes changes, pairs of a site and a change, in one run, with or without a cache.
 * @param {Intervention[]} changes
 */
export function interventionProbe(changes) {
  /** @type {Map<string, TensorChange[]>} */
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
 * @param {HeadAt} head @param {Experiment["off_by"]} by @param {Means | null} means @param {number} row
 * @returns {Intervention}
 */
export function ablateHead([kind, layer, head], by, means, row = 0) {
  const tensor = by === "zero" || by === "mean" ? "heads" : "scores";
  /** @type {TensorChange} */
  const change = (whole) => {
    const changed = whole.clone();
    const { width } = whole;
    const part = changed.at(row, head);
    const mean = means?.[kind].at(layer, head);
    const special = kind === "decoder" ? 0 : width - 1;
    const value = /** @type {Record<typeof by, (i: number) => number>} */ ({
      zero: () => 0,
      uniform: () => 0,
      mean: (i) => mean[i],
      special: (i) => (i === special ? 0 : -Infinity),
    })[by];
    for (let i = 0; i < part.length; i++) part[i] = value(i % width);
    return changed;
  };
  return [{ ...ATTENTION[kind], layer, tensor }, change];
}

/**
 * The change of each feed-forward network that has some of the neurons. Values for one position come last.
 * @param {NeuronAt[]} neurons
 * @returns {Intervention[]}
 */
function holdNeurons(neurons) {
  /** @param {NeuronAt} neuron */
  const isAtOne = ([, , , , position = null]) => Number(position !== null);
  const inOrder = [...neurons].sort((one, other) => isAtOne(one) - isAtOne(other));
  const groups = groupBy(inOrder, ([stack, layer]) => `${stack} ${layer}`);
  return [...groups.values()].map((held) => {
    const [[stack, layer]] = held;
    return [{ stack, layer, sublayer: "feed_forward", tensor: "hidden" }, holdValues(held)];
  });
}

/** @param {NeuronAt[]} neurons @returns {TensorChange} */
function holdValues(neurons) {
  return (hidden, start) => {
    const changed = hidden.clone();
    const [batch, length] = hidden.shape;
    for (const [, , index, value, position = null] of neurons) {
      for (let row = 0; row < batch; row++) {
        for (let i = 0; i < length; i++) {
          if (position === null || position === start + i) changed.at(row, i)[index] = value;
        }
      }
    }
    return changed;
  };
}

/**
 * Masks source pieces as keys, in the encoder and in cross-attention, which share the mask.
 * @param {number[]} pieces
 * @returns {Intervention}
 */
function hidePieces(pieces) {
  /** @type {TensorChange} */
  const change = (mask) => mask.map((allowed, index) => (pieces.includes(index % mask.width) ? 0 : allowed));
  return [{ stack: "encoder", tensor: "mask" }, change];
}

/**
 * Replaces positional encodings; positions beyond the end of a shuffled `order` stay as they are.
 * @param {Tensor} table @param {Stack} stack @param {Experiment["encoder_positions"]} how
 * @param {{ order: number[], shift: number }} options
 * @returns {Intervention}
 */
function reposition(table, stack, how, { order, shift }) {
  /** @type {TensorChange} */
  const change = (positions, start) => {
    if (how === "off") return positions.map(() => 0);
    const indices = Array.from({ length: positions.shape[0] }, (_, i) => start + i);
    return table.select(indices.map((index) => (how === "shifted" ? index + shift : order[index] ?? index)));
  };
  return [{ stack, tensor: "positions" }, change];
}

/**
 * Changes that copy activations from the donor's pass at positions that the run has, too.
 * @param {Experiment["patch"]} patch
 * @param {Donor} donor
 * @returns {Intervention[]}
 */
export function patches({ heads = [], cells = [] }, donor) {
  /** @type {(site: NamedSite, copy: (of: Tensor, index: number) => TensorChange, index: number) => Intervention} */
  const patch = (site, copy, index) => [site, copy(donor.get(siteKey(site)), index)];
  return [
    ...heads.map(([kind, layer, head]) => patch({ ...ATTENTION[kind], layer, tensor: "heads" }, copyHead, head)),
    ...cells.map(([stack, layer, position]) => patch(layerOutput(stack, layer), copyCell, position)),
  ];
}

/** @param {Tensor} heads @param {number} head @returns {TensorChange} */
function copyHead(heads, head) {
  return (tensor, start) => {
    const changed = tensor.clone();
    const part = changed.at(0, head);
    const rows = heads.at(0, head).subarray(start * heads.width);
    part.set(rows.subarray(0, part.length));
    return changed;
  };
}

/** @param {Tensor} stream @param {number} position @returns {TensorChange} */
function copyCell(stream, position) {
  return (tensor, start) => {
    if (position < start || position >= Math.min(start + tensor.shape[1], stream.shape[1])) return tensor;
    const changed = tensor.clone();
    changed.at(0, position - start).set(stream.at(0, position));
    return changed;
  };
}

/**
 * The changes of an experiment; `lengths` is the number of positions to shuffle in each stack.
 * @param {Experiment} experiment @param {Translator} translator
 * @param {{ lengths: Record<Stack, number>, means: Means | null, donor: Donor | null }} run
 */
export function experimentChanges(experiment, translator, { lengths, means, donor }) {
  const { hidden = [], off = [], off_by = "zero", neurons = [], seed = 1, shift = 5, patch } = experiment;

  const changes = hidden.length ? [hidePieces(hidden)] : [];
  for (const stack of /** @type {Stack[]} */ (["encoder", "decoder"])) {
    const how = stack === "encoder" ? experiment.encoder_positions : experiment.decoder_positions;
    const order = shuffled([...new Array(lengths[stack]).keys()], seed);
    if (how) changes.push(reposition(translator.model[stack].embedding.positions, stack, how, { order, shift }));
  }
  changes.push(...off.map((head) => ablateHead(head, off_by, means)), ...holdNeurons(neurons));
  return patch ? [...changes, ...patches(patch, donor)] : changes;
}

/**
 * Every head's mean output over all positions of translations, pairs of source and decoder-input ids.
 * @param {Translator} translator @param {[src: number[], tgtIn: number[]][]} pairs
 */
export function headMeans(translator, pairs) {
  const { model } = translator, { n_heads, d_value } = model.config;
  const means = /** @type {Means} */ ({});
  for (const kind of KINDS) means[kind] = new Tensor([model[ATTENTION[kind].stack].layers.length, n_heads, d_value]);
  const counts = { encoder: 0, decoder: 0, cross: 0 };
  /** @type {import("../probe.js").Visit} */
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
  for (const kind of KINDS) means[kind] = means[kind].map((sum) => sum / counts[kind]);
  return means;
}
