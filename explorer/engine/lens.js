// The output side of a step, layer by layer: explorer/recording/lens.py.

import { softmax } from "../ui/numbers.js";
import { largestIndices } from "./decoding.js";
import { tensorJson } from "./payload.js";
import { layerOutput } from "./probe.js";
import { Tensor } from "./tensor.js";
import { piecesOf, shownCandidates } from "./trace.js";

/** @typedef {import("./decoding.js").Translator} Translator */
/** @typedef {import("./recordings.js").ForwardPass} ForwardPass */

const MAX_CANDIDATES = 10; // of a step

/**
 * The decoder's states of a step, after the embedding and after each layer: [layer d_model].
 * @param {ForwardPass} pass @param {number} step
 */
function statesOf(pass, step) {
  const layers = [-1, ...pass.model.decoder.layers.keys()];
  const rows = layers.map((layer) => pass.at(layerOutput("decoder", layer)).at(0, step));
  const states = new Tensor([rows.length, rows[0].length]);
  rows.forEach((row, index) => states.at(index).set(row));
  return states;
}

/**
 * The `count` most probable pieces.
 * @param {Translator} translator @param {Float64Array} probabilities @param {number} count
 */
function candidatesOf(translator, probabilities, count) {
  const best = largestIndices(probabilities, count);
  return shownCandidates(translator, best.map((id) => ({ id, probability: probabilities[id] })));
}

/** The rank of a piece: 1 is the most probable. @param {Float64Array} probabilities @param {number} id */
function rankOf(probabilities, id) {
  return 1 + probabilities.filter((probability) => probability > probabilities[id]).length;
}

/**
 * The pieces that lead in some layer, in this order, and the chosen piece, followed through all layers.
 * @param {Translator} translator @param {Float64Array[]} layers @param {number} chosen
 */
function leadersOf(translator, layers, chosen) {
  const ids = [...new Set([...layers.map((row) => largestIndices(row, 1)[0]), chosen])];
  return piecesOf(translator, ids).map(({ text, id }) => ({
    piece: { text, id },
    ranks: layers.map((row) => rankOf(row, id)),
  }));
}

/**
 * A step of a pass: its state, all its logits, what each layer would choose, and the ranks of these pieces.
 * @param {ForwardPass} pass
 * @param {number} step
 */
export function lensJson(pass, step) {
  const { translator, model, trace: { steps } } = pass;
  const chosen = steps[step].predicted.id;
  const states = statesOf(pass, step);
  const projected = model.projection.forward(states);
  /** @type {Float64Array[]} */
  const layers = [...new Array(states.shape[0]).keys()].map((i) => softmax(translator.allowed(projected.at(i))));
  const logits = translator.allowed(pass.at({ stack: "decoder", tensor: "logits" }).at(0, step));
  const state = states.at(states.shape[0] - 1);
  return {
    state: tensorJson({ shape: [state.length], data: state }),
    logits: tensorJson({ shape: [logits.length], data: logits }),
    best: candidatesOf(translator, softmax(logits), MAX_CANDIDATES),
    layers: layers.map((row) => candidatesOf(translator, row, 1)[0]),
    leaders: leadersOf(translator, layers, chosen),
  };
}
