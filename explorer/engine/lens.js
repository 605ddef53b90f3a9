// The output side of a step, layer by layer, and what each sub-layer adds: explorer/recording/lens.py.

import { largestPlaces } from "./decoding.js";
import { Tensor, norm } from "./tensor.js";
import { entropy, softmax } from "../ui/numbers.js";
import { tensorJson } from "./payload.js";
import { piecesOf, shownCandidates } from "./pieces.js";
import { requireIndex } from "./refusal.js";

const LENS_CANDIDATES = 4; // of each layer
const MAX_CANDIDATES = 10; // of a step

/** The decoder's states of a step, after the embedding and after each layer: [layer d_model]. */
function statesOf(pass, step) {
  const { layers } = pass.model.decoder, sites = [{ stack: "decoder", tensor: "stream" }];
  layers.forEach((_, layer) => sites.push({ stack: "decoder", layer, sublayer: "feed_forward", tensor: "stream" }));
  const rows = sites.map((site) => pass.at(site).at(0, step)), states = new Tensor([rows.length, rows[0].length]);
  rows.forEach((row, layer) => states.at(layer).set(row));
  return states;
}

/** The `count` most probable pieces. */
function candidatesOf(translator, probabilities, count) {
  return shownCandidates(translator, largestPlaces(probabilities, count).map((id) => ({ id, probability: probabilities[id] })));
}

/** The rank of a piece: 1 is the most probable. */
function rankOf(probabilities, id) {
  return 1 + probabilities.filter((probability) => probability > probabilities[id]).length;
}

/** The prediction of a step if the decoder ended after a layer. */
function reading(translator, probabilities, chosen, count) {
  return {
    candidates: candidatesOf(translator, probabilities, count),
    rank: rankOf(probabilities, chosen),
    probability: probabilities[chosen],
    entropy: entropy(probabilities),
  };
}

/** The pieces that lead in some layer, in this order, and the chosen piece, followed through all layers. */
function leadersOf(translator, layers, chosen) {
  const ids = [...new Set([...layers.map((row) => largestPlaces(row, 1)[0]), chosen])];
  return piecesOf(translator, ids).map(({ text, id }) => ({
    piece: { text, id }, ranks: layers.map((row) => rankOf(row, id)), probabilities: layers.map((row) => row[id]),
  }));
}

/** The lengths of the vectors of one side at the sites of a tensor: [site piece]. */
function vectorLengths(pass, stack, name) {
  const sites = pass.sites.filter((site) => site.stack === stack && site.tensor === name), pieces = pass.at(sites[0]).shape[1];
  return new Tensor([sites.length, pieces]).map((_, place) => {
    return norm(pass.at(sites[Math.floor(place / pieces)]).at(0, place % pieces));
  });
}

/** The residual stream of one side: the length of each piece's vector, and of what each sub-layer adds to it. */
function residualJson(pass, stack) {
  return {
    [`${stack}_norms`]: tensorJson(vectorLengths(pass, stack, "stream")),
    [`${stack}_outputs`]: tensorJson(vectorLengths(pass, stack, "output")),
  };
}

/** A step of a pass: its state, all its logits, the layers' readings, the pieces that lead there, both residual streams. */
export function lensJson(pass, step, refusals) {
  const { translator, traces: [{ steps }] } = pass;
  requireIndex("step", step, steps.length, refusals);
  const states = statesOf(pass, step), projected = pass.model.projection.forward(states), chosen = steps[step].predicted.id;
  const layers = Array.from({ length: states.shape[0] }, (_, layer) => softmax(translator.allowed(projected.at(layer))));
  const lens = layers.map((row) => reading(translator, row, chosen, LENS_CANDIDATES));
  const logits = translator.allowed(pass.at({ stack: "decoder", tensor: "logits" }).at(0, step)), state = states.at(states.shape[0] - 1);
  return {
    state: tensorJson(new Tensor([state.length], state)),
    logits: tensorJson(new Tensor([logits.length], logits)),
    best: candidatesOf(translator, softmax(logits), MAX_CANDIDATES),
    layers: lens,
    leaders: leadersOf(translator, layers, chosen),
    ...residualJson(pass, "encoder"),
    ...residualJson(pass, "decoder"),
  };
}
