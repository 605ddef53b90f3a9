// What the labels of a trace are: a trace is a result of the model's call `translate` or `run`
// (explorer/engine/calls.py).

import { isolate } from "../ui/scripts.js";
import { AttentionMap } from "./attention_map.js";
import { defaultPiece, defaultStep } from "./default_step.js";
import { nameTokens, withoutNames } from "./token_names.js";

/** @typedef {import("./token_names.js").TokenNames} TokenNames */

/**
 * The trace that the page shows, from a result of the model: with an attention map of each kind, and the step and
 * the source piece to show first.
 *
 * `isModelsChoice` says that the model chose the translation itself, and without changes; `subject` is the word that
 * the sentence is about, `typed` what a visitor typed where another form of it was read. With `names` (token_names.js)
 * the tokens that are no words are called by them.
 * @param {TracePayload} raw
 * @param {{ isModelsChoice?: boolean, subject?: string, typed?: string | null, names?: TokenNames | null }} [options]
 * @returns {Trace}
 */
export function createTrace(raw, { isModelsChoice = false, subject = "", typed = null, names = null } = {}) {
  const trace = { ...labelledTrace(names ? nameTokens(raw, names) : raw), isModelsChoice, typed };
  if (!trace.kinds.cross.ready) return { ...trace, defaultStep: 0, defaultPiece: 0 };
  const step = defaultStep(trace, subject);
  return { ...trace, defaultStep: step, defaultPiece: defaultPiece(trace, step, subject) };
}

/**
 * The trace with an attention map of each kind, whose rows and columns are called by their tokens.
 * @template {TracePayload} T
 * @param {T} trace
 */
export function labelledTrace(trace) {
  /** @type {(entry: [Kind, AttentionPayload]) => [Kind, LabelledAttention]} */
  const label = ([kind, map]) => [kind, { ...map, ...labelsOf(axesOf(trace, kind)) }];
  const kinds = /** @type {[Kind, AttentionPayload][]} */ (Object.entries(trace.kinds));
  const labelled = /** @type {Record<Kind, LabelledAttention>} */ (Object.fromEntries(kinds.map(label)));
  return { ...trace, kinds: createMaps(labelled) };
}

/** The result of the model from which a trace was made, whose weights are all loaded. @param {Trace} trace */
export function rawTrace(trace) {
  const { sentence, translation, vocabulary, stopped_at_limit, source, steps, kinds } = withoutNames(trace);
  const maps = Object.entries(kinds).map(([kind, map]) => (
    [kind, { shape: [map.layers, map.heads, map.queries.length, map.keys.length], weights: map.encoded }]));
  return { sentence, translation, vocabulary, stopped_at_limit, source, steps, kinds: Object.fromEntries(maps) };
}

/**
 * A row belongs to the piece that was fed; one of the decoder predicts another.
 * @typedef {{ fed: Piece, predicted?: Piece }} Row
 * @typedef {{ queries: Row[], keys: Piece[] }} Axes
 */

/**
 * The attention map of each kind, of { shape, weights } with the labels of both axes.
 * @param {Record<Kind, LabelledAttention>} kinds
 * @returns {Record<Kind, AttentionMap>}
 */
function createMaps(kinds) {
  const entries = /** @type {[Kind, LabelledAttention][]} */ (Object.entries(kinds));
  const maps = /** @type {Record<Kind, AttentionMap>} */ (
    Object.fromEntries(entries.map(([kind, map]) => [kind, new AttentionMap(kind, map)])));
  for (const map of Object.values(maps)) map.kinds = maps; // a rollout needs several maps
  return maps;
}

/** @param {Axes} axes */
function labelsOf(axes) {
  return { queries: axes.queries.map(queryLabel), keys: isolatedTexts(axes.keys), special: specialIndices(axes) };
}

/** What the decoder was fed: the start, and every predicted piece but the last. @param {Pick<Trace, "steps">} trace */
export function targetOf({ steps }) {
  return steps.map(({ fed }) => fed);
}

/**
 * The labels of both axes of a kind of attention, as pieces. A row of the decoder belongs to the piece that was fed,
 * and predicts another: { fed, predicted }; one of the encoder only has { fed }.
 * @param {Pick<Trace, "source" | "steps">} trace @param {Kind} kind
 * @returns {Axes}
 */
export function axesOf(trace, kind) {
  const source = trace.source.map((fed) => ({ fed }));
  const target = trace.steps.map(({ fed, predicted }) => ({ fed, predicted }));
  return {
    queries: kind === "encoder" ? source : target,
    keys: kind === "decoder" ? targetOf(trace) : trace.source,
  };
}

/** The label of a row, for files. @param {Row} row */
export function plainLabel({ fed, predicted }) {
  return predicted ? `${fed.text} → ${predicted.text}` : fed.text;
}

/** The label of a row, whose arrow points from the first piece to the second in any script. @param {Row} row */
function queryLabel({ fed, predicted }) {
  return predicted ? `${isolate(fed.text)} → ${isolate(predicted.text)}` : isolate(fed.text);
}

/** The texts of pieces, each of its own direction. @param {Piece[]} pieces */
export function isolatedTexts(pieces) {
  return pieces.map(({ text }) => isolate(text));
}

/** The indices of special pieces on both axes. @param {Axes} axes */
function specialIndices({ queries, keys }) {
  /** @type {<T>(list: T[], isSpecial: (one: T) => boolean) => number[]} */
  const indices = (list, isSpecial) => [...list.keys()].filter((i) => isSpecial(list[i]));
  return {
    queries: indices(queries, ({ fed, predicted }) => fed.special || Boolean(predicted?.special)),
    keys: indices(keys, ({ special }) => special),
  };
}

/** The log-probability of a translation, in nats. @param {Step[]} steps */
export function logProbability(steps) {
  return steps.reduce((sum, step) => sum + step.log_probability, 0);
}
