// An experiment as JSON with all its fields: what it changes, what the model reads, and whether it fits:
// explorer/experiments/experiment.py and running.py.

import { shuffled } from "../random.js";
import { BLANK } from "../tidying.js";

const END = /[ .!?…]+$/u, BLANKS = new RegExp(`${BLANK}+`, "gu");

/** What an experiment changes: the fields that differ from `unchanged`, all of a patch. */
export function changedFields(changes, unchanged) {
  const experiment = { ...unchanged, ...changes }, { patch } = experiment;
  const whole = { ...experiment, patch: patch && { sentence: patch.sentence, heads: patch.heads ?? [], cells: patch.cells ?? [] } };
  return Object.fromEntries(Object.entries(whole).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(unchanged[name])));
}

/** Whether an experiment replaces tensors of the model, not only texts. */
export function replacesTensors({ hidden, off, encoder_positions, decoder_positions, patch }) {
  return Boolean(hidden.length || off.length || encoder_positions || decoder_positions || patch);
}

/** Whether an experiment may change the probability of the unchanged translation. */
export function changesProbabilities(experiment) {
  return replacesTensors(experiment) || experiment.source !== null || experiment.word_order !== null;
}

/** Shuffles the words of a text with a seed; the punctuation at its end stays there. */
export function shuffleWords(text, seed) {
  const body = text.replace(END, ""), words = body.split(BLANKS).filter(Boolean);
  return shuffled(words, seed).join(" ") + text.slice(body.length);
}

/** The text that the model reads: the sentence or its replacement, with shuffled words if the experiment says so. */
export function sourceText(sentence, { source, word_order: seed }) {
  const text = source ?? sentence;
  return seed === null ? text : shuffleWords(text, seed);
}

/** Calls `refuse(reason, values)` if the model or the sentence lacks a head, layer or piece that the experiment names. */
export function validateExperiment(experiment, translator, nSrc, refuse) {
  const { hidden, off, off_by: by, patch } = experiment;
  for (const head of [...off, ...patch?.heads ?? []]) validateHead(head, translator.model, refuse);
  for (const [stack, layer] of patch?.cells ?? []) validateLayer(layer, translator.model[stack].layers.length, refuse);
  if (hidden.some((piece) => piece >= nSrc)) refuse("no_piece", { piece: Math.max(...hidden) + 1, pieces: nSrc });
  if (new Set(hidden).size === nSrc) refuse("all_hidden");
  const isSourceHeadOff = off.some(([kind]) => kind !== "decoder");
  if (hidden.includes(nSrc - 1) && by === "special" && isSourceHeadOff) refuse("end_hidden");
  validateBeginning(experiment.beginning, translator, refuse);
  validateShift(experiment, translator, nSrc, refuse);
}

function validateHead([kind, layer, head], { config: { n_heads }, encoder, decoder }, refuse) {
  const sizes = { encoder: encoder.layers.length, decoder: decoder.layers.length, heads: n_heads };
  const isKnown = layer < (kind === "encoder" ? sizes.encoder : sizes.decoder) && head < n_heads;
  if (!isKnown) refuse("no_head", { head: `HeadAt(kind='${kind}', layer=${layer}, head=${head})`, ...sizes });
}

function validateLayer(layer, count, refuse) {
  if (!(layer >= -1 && layer < count)) refuse("no_layer", { layer, last: count - 1 });
}

function validateBeginning(beginning, { tokenizer, model: { config } }, refuse) {
  const { vocabSize, excludedIds, eosId } = tokenizer;
  if (beginning.some((id) => id >= vocabSize || excludedIds.includes(id))) refuse("no_target_piece");
  if (beginning.slice(0, -1).includes(eosId)) refuse("end_inside");
  if (beginning.length >= config.max_len) refuse("long_target", { pieces: beginning.length, limit: config.max_len - 1 });
}

function validateShift({ beginning, encoder_positions, decoder_positions, shift }, translator, nSrc, refuse) {
  const written = Math.max(translator.limit(nSrc), beginning.length); // the decoder reads as many positions
  const lengths = [[encoder_positions, nSrc], [decoder_positions, written]].filter(([how]) => how === "shifted").map(([, length]) => length);
  const limit = translator.model.config.max_len - Math.max(...lengths);
  if (lengths.length && shift > limit) refuse("shift", { shift, limit });
}
