// Everything about one translation, as numbers and pieces: explorer/recording/trace.py, payload.py for its JSON, and
// default_step.py.

import { KINDS, NO_PROBE } from "../engine/probe.js";
import { Tensor, sizeOf } from "../engine/tensor.js";
import { isolate } from "../ui/scripts.js";
import { encodeWeights } from "./payload.js";
import { isolatedTexts, piecesOf, shownCandidates, sourcePieces } from "./pieces.js";
import { lengthOf } from "./python_text.js";

const MAX_WEIGHTS_CHARACTERS = 5_000_000; // in one result: 6 x 8 heads fit up to 85 pieces
const WORD = /^\p{L}+$/u;

/** Whether a piece is a whole word of at least `minLetters`. */
function isContentWord({ text, special, starts_word: isStart }, next, minLetters) {
  const word = text.replace(/^·/, ""), isWhole = isStart && (!next || next.starts_word || !WORD.test(next.text));
  return isWhole && !special && WORD.test(word) && lengthOf(word) >= minLetters;
}

/** The places of the pieces of a word where it last occurs; empty if it does not. */
function placesOf(word, pieces) {
  const starts = [...pieces.keys()].filter((place) => pieces[place].starts_word && !pieces[place].special);
  for (const start of starts.reverse()) {
    let end = start + 1;
    while (end < pieces.length && !pieces[end].starts_word && WORD.test(pieces[end].text)) end += 1;
    const places = Array.from({ length: end - start }, (_, i) => start + i);
    if (places.map((place) => pieces[place].text).join("").replace(/^·/, "") === word) return places;
  }
  return [];
}

/** The step that looks most at the word `subject`; without it, the one whose content word has the largest weight. */
export function defaultStep({ source, steps, cross: { weights } }, subject, minLetters) {
  const rows = matrixOf(weights, weights.shape[0] - 1, "mean"), places = subject ? placesOf(subject, source) : [];
  const looks = rows.map((row) => (places.length ? places.reduce((sum, place) => sum + row[place], 0) : Math.max(...row)));
  const isWord = steps.map(({ predicted }, i) => isContentWord(predicted, steps[i + 1]?.predicted, minLetters));
  const competing = !places.length && isWord.includes(true) ? isWord : steps.map(() => true);
  return looks.reduce((best, look, step) => (competing[step] && (best < 0 || look > looks[best]) ? step : best), -1);
}

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

function mapJson(trace, kind) {
  const map = trace[kind];
  return {
    shape: map.weights.shape,
    queries: map.queries.map(queryLabel),
    keys: isolatedTexts(map.keys),
    special: specialPlaces(map),
    weights: encodeWeights(trace, kind),
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

/** A trace as the page wants it; without weights if they have more than `maxCharacters`. */
export function traceJson(trace, maxCharacters = Infinity) {
  const kinds = Object.fromEntries(KINDS.map((kind) => [kind, mapJson(trace, kind)]));
  const characters = KINDS.reduce((sum, kind) => sum + kinds[kind].weights.length, 0);
  if (characters > maxCharacters) for (const kind of KINDS) kinds[kind].weights = null;
  const { sentence, translation, source, steps, vocabulary } = trace;
  return { sentence, translation, vocabulary, source, steps: steps.map(stepJson), kinds };
}
