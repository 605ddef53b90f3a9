// Everything about one translation, as numbers and pieces: explorer/recording/trace.py, payload.py for its JSON, and
// default_step.py.

import { KINDS, NO_PROBE } from "./probe.js";
import { Tensor, sizeOf } from "./tensor.js";
import { isolate } from "../ui/scripts.js";
import { encodeWeights } from "./payload.js";
import { piecesOf, shownCandidates, sourcePieces } from "./pieces.js";

const MAX_WEIGHTS_CHARACTERS = 5_000_000; // in one result: 6 x 8 heads fit up to 85 pieces

const REDUCTIONS = {
  mean: (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length,
  max: (numbers) => Math.max(...numbers),
};

/** One index of an axis, its maximum, or its mean in double precision; removes the axis. */
function reduceAxis({ shape, data }, choice, axis) {
  const inner = sizeOf(shape.slice(axis + 1)), rest = shape.toSpliced(axis, 1), Numbers = choice === "mean" ? Float64Array : data.constructor;
  const along = (place) => {
    const start = Math.floor(place / inner) * shape[axis] * inner + (place % inner);
    return Array.from({ length: shape[axis] }, (_, i) => data[start + i * inner]);
  };
  const reduce = REDUCTIONS[choice] ?? ((numbers) => numbers[choice]);
  return new Tensor(rest, Numbers.from({ length: sizeOf(rest) }, (_, place) => reduce(along(place))));
}

/** The rows [query key] of one head, or of a mean or maximum over heads, layers or both: heads first. */
export function matrixOf(tensor, layer, head) {
  const isOneLayer = typeof layer === "number"; // its choice first spares the work on the others
  const matrix = isOneLayer ? reduceAxis(reduceAxis(tensor, layer, 0), head, 0) : reduceAxis(reduceAxis(tensor, head, 1), layer, 0);
  return Array.from({ length: matrix.shape[0] }, (_, query) => matrix.at(query));
}

/** The weights of all layers and heads of one kind [layer head query key], with the labels of both axes. */
function attentionMap(weights, queries, keys) {
  return { weights, queries, keys };
}

/** The encoder's weights of all layers; those of a pass have a batch of one sentence. */
function stackLayers(layers) {
  const [, ...shape] = layers[0].shape, stacked = new Tensor([layers.length, ...shape]);
  layers.forEach((layer, i) => stacked.at(i).set(layer.data));
  return stacked;
}

/** The rows of all steps as one tensor; keys that a step did not have yet get weight 0. */
function stackRows(rows) {
  const [layers, heads, keys] = rows.at(-1).shape, stacked = new Tensor([layers, heads, rows.length, keys]);
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) rows.forEach((row, query) => stacked.at(layer, head, query).set(row.at(layer, head)));
  }
  return stacked;
}

/** Translates greedily and records every step, layer and head; only such a trace has a likelihood (likelihood.js). `options` are those of `Translator.steps`. */
export function recordTrace(translator, sentence, options = {}) {
  const src = translator.sourceIds(sentence), encoded = translator.encode(src, options.probe ?? NO_PROBE);
  return { ...buildTrace(translator, sentence, src, encoded, [...translator.steps(encoded, options)]), isOwn: true };
}

/** What a step chose from, with pieces instead of ids. */
function shownStep(translator, { candidates, excluded }) {
  return {
    candidates: shownCandidates(translator, candidates),
    excluded: excluded && shownCandidates(translator, [excluded])[0],
  };
}

/** The trace of finished steps, forced ones included; `src` are the sentence's ids. */
export function buildTrace(translator, sentence, src, encoded, steps) {
  const { tokenizer, model } = translator, tgtOut = steps.map(({ id }) => id);
  const source = sourcePieces(translator, sentence, src), predicted = piecesOf(translator, tgtOut);
  const target = piecesOf(translator, [tokenizer.bosId, ...tgtOut.slice(0, -1)]);
  const rows = target.map((fed, i) => ({ fed, predicted: predicted[i] }));
  return {
    sentence,
    translation: tokenizer.decode(translator.clean(tgtOut)),
    source,
    target,
    steps: steps.map((step, i) => ({ ...step, ...rows[i], ...shownStep(translator, step) })),
    encoder: attentionMap(stackLayers(encoded.attention), source.map((fed) => ({ fed })), source),
    decoder: attentionMap(stackRows(steps.map(({ selfAttention }) => selfAttention)), rows, target),
    cross: attentionMap(stackRows(steps.map(({ crossAttention }) => crossAttention)), rows, source),
    stoppedAtLimit: tgtOut.at(-1) !== tokenizer.eosId,
    vocabulary: model.config.tgt_vocab_size,
  };
}

/** The log-probability of a translation in nats. */
export function logProbability(steps) {
  return steps.reduce((sum, step) => sum + step.logProbability, 0);
}

/** The label of a row, for files. */
export function plainLabel({ fed, predicted }) {
  return predicted ? `${fed.text} → ${predicted.text}` : fed.text;
}

/** The label of a row, whose arrow points from the first piece to the second in any script. */
export function queryLabel({ fed, predicted }) {
  return predicted ? `${isolate(fed.text)} → ${isolate(predicted.text)}` : isolate(fed.text);
}

/** The places of special pieces on both axes. */
export function specialPlaces({ queries, keys }) {
  const places = (list, isSpecial) => [...list.keys()].filter((i) => isSpecial(list[i]));
  return {
    queries: places(queries, ({ fed, predicted }) => fed.special || Boolean(predicted?.special)),
    keys: places(keys, ({ special }) => special),
  };
}

export function stepJson({ fed, predicted, probability, entropy, candidates, excluded }) {
  return { fed, predicted, probability, entropy, candidates, excluded };
}

/** A trace as explorer/derived reads it; without weights if they have more than `maxCharacters`. */
export function rawTraceJson(trace, maxCharacters = MAX_WEIGHTS_CHARACTERS) {
  const weights = Object.fromEntries(KINDS.map((kind) => [kind, encodeWeights(trace, kind)]));
  const fits = KINDS.reduce((sum, kind) => sum + weights[kind].length, 0) <= maxCharacters;
  const { sentence, translation, source, steps, vocabulary, stoppedAtLimit } = trace;
  return {
    sentence,
    translation,
    vocabulary,
    stopped_at_limit: stoppedAtLimit,
    source,
    steps: steps.map((step) => ({ ...stepJson(step), log_probability: step.logProbability, rank: step.rank })),
    kinds: Object.fromEntries(KINDS.map((kind) => (
      [kind, { shape: trace[kind].weights.shape, weights: fits ? weights[kind] : null }]))),
  };
}
