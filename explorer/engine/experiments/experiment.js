// An experiment with all its fields: what it changes, what the model reads, and whether it fits:
// explorer/experiments/experiment.py and running.py.

import { shuffled } from "../random.js";
import { refuse } from "../refusals.js";
import { BLANK } from "../tidying.js";

/** @typedef {import("../decoding.js").Translator} Translator */

const END = /[ .!?…]+$/u;
const BLANKS = new RegExp(`${BLANK}+`, "gu");

/**
 * Whether an experiment replaces tensors of the model, not only texts.
 * @param {Experiment} experiment
 */
export function replacesTensors({ hidden, off, neurons, encoder_positions, decoder_positions, patch }) {
  return Boolean(hidden.length || off.length || neurons.length || encoder_positions || decoder_positions || patch);
}

/**
 * Whether an experiment may change the probability of the unchanged translation.
 * @param {Experiment} experiment
 */
export function changesProbabilities(experiment) {
  return replacesTensors(experiment) || experiment.source !== null || experiment.word_order !== null;
}

/**
 * Shuffles the words of a text with a seed; the punctuation at its end stays there.
 * @param {string} text @param {number} seed
 */
export function shuffleWords(text, seed) {
  const body = text.replace(END, "");
  const words = body.split(BLANKS).filter(Boolean);
  return shuffled(words, seed).join(" ") + text.slice(body.length);
}

/**
 * The text that the model reads: the sentence or its replacement, with shuffled words if the experiment says so.
 * @param {string} sentence
 * @param {Experiment} experiment
 */
export function sourceText(sentence, { source, word_order: seed }) {
  const text = source ?? sentence;
  return seed === null ? text : shuffleWords(text, seed);
}

/**
 * Throws a UserError if the model, or a source of `nSrc` pieces, lacks what the experiment names.
 * @param {Experiment} experiment
 * @param {Translator} translator
 * @param {number} nSrc
 * @param {EngineSettings} settings
 */
export function validateExperiment(experiment, translator, nSrc, settings) {
  const { hidden, off, off_by: by, neurons, patch } = experiment;
  const { model } = translator;
  for (const head of [...off, ...patch?.heads ?? []]) requireHead(head, model, settings);
  for (const [stack, layer] of patch?.cells ?? []) requireLayer(layer, model[stack].layers.length, settings);
  validateNeurons(neurons, model, nSrc, settings);
  if (hidden.some((piece) => piece >= nSrc)) {
    refuse(settings, "no_piece", { piece: Math.max(...hidden) + 1, pieces: nSrc });
  }
  if (new Set(hidden).size === nSrc) refuse(settings, "all_hidden");
  const isSourceHeadOff = off.some(([kind]) => kind !== "decoder");
  if (hidden.includes(nSrc - 1) && by === "special" && isSourceHeadOff) refuse(settings, "end_hidden");
  validateBeginning(experiment.beginning, translator, settings);
  validateShift(experiment, translator, nSrc, settings);
}

/**
 * Throws a UserError if the model lacks a head.
 * @param {HeadAt} head
 * @param {import("../transformer.js").Transformer} model
 * @param {EngineSettings} settings
 */
export function requireHead([kind, layer, head], { config: { n_heads }, encoder, decoder }, settings) {
  const sizes = { encoder: encoder.layers.length, decoder: decoder.layers.length, heads: n_heads };
  const isKnown = layer < (kind === "encoder" ? sizes.encoder : sizes.decoder) && head < n_heads;
  if (isKnown) return;
  refuse(settings, "no_head", { head: `HeadAt(kind='${kind}', layer=${layer}, head=${head})`, ...sizes });
}

/**
 * Throws a UserError if the model, or a source of `nSrc` pieces, lacks a neuron, or one cannot be held so.
 * @param {NeuronAt[]} neurons
 * @param {import("../transformer.js").Transformer} model
 * @param {number} nSrc
 * @param {EngineSettings} settings
 */
export function validateNeurons(neurons, model, nSrc, settings) {
  const { limits: { MAX_NEURONS, MAX_NEURON_VALUE } } = settings;
  const { config: { d_ff, max_len } } = model;
  if (neurons.length > MAX_NEURONS) {
    refuse(settings, "many_neurons", { limit: MAX_NEURONS, count: neurons.length });
  }
  const known = new Set();
  for (const [stack, layer, index, value, position = null] of neurons) {
    const counted = { neuron: index + 1, layer: layer + 1 };
    if (layer >= model[stack].layers.length || index >= d_ff) {
      const sizes = { encoder: model.encoder.layers.length, decoder: model.decoder.layers.length, neurons: d_ff };
      refuse(settings, "no_neuron", { ...counted, ...sizes });
    }
    if (!(Math.abs(value) <= MAX_NEURON_VALUE)) refuse(settings, "neuron_value", { limit: MAX_NEURON_VALUE });
    if (stack === "encoder" && position !== null && position >= nSrc) {
      refuse(settings, "no_piece", { piece: position + 1, pieces: nSrc });
    }
    if (stack === "decoder" && position !== null && position >= max_len) {
      refuse(settings, "no_position", { position: position + 1, limit: max_len });
    }
    const place = [stack, layer, index, position].join();
    if (known.has(place)) refuse(settings, "neuron_twice", counted);
    known.add(place);
  }
}

/** @param {number} layer @param {number} count @param {EngineSettings} settings */
function requireLayer(layer, count, settings) {
  if (!(layer >= -1 && layer < count)) refuse(settings, "no_layer", { layer, last: count - 1 });
}

/** @param {number[]} beginning @param {Translator} translator @param {EngineSettings} settings */
function validateBeginning(beginning, { tokenizer, model: { config: { max_len } } }, settings) {
  const { vocabSize, excludedIds, eosId } = tokenizer;
  if (beginning.some((id) => id >= vocabSize || excludedIds.includes(id))) refuse(settings, "no_target_piece");
  if (beginning.slice(0, -1).includes(eosId)) refuse(settings, "end_inside");
  if (beginning.length >= max_len) refuse(settings, "long_target", { pieces: beginning.length, limit: max_len - 1 });
}

/**
 * @param {Experiment} experiment @param {Translator} translator @param {number} nSrc @param {EngineSettings} settings
 */
function validateShift(experiment, translator, nSrc, settings) {
  const { beginning, encoder_positions, decoder_positions, shift } = experiment;
  /** @type {number[]} */
  const lengths = [];
  if (encoder_positions === "shifted") lengths.push(nSrc);
  if (decoder_positions === "shifted") lengths.push(Math.max(translator.limit(nSrc), beginning.length));
  const limit = translator.model.config.max_len - Math.max(...lengths); // without lengths infinite
  if (shift > limit) refuse(settings, "shift", { shift, limit });
}
