// A whole translation as JSON or NPZ, beside the changed one of an experiment if there is one.

import { shortenFloat } from "../engine/python_text.js";
import { boolArray, intArray, npzFile, numberArray, textArray } from "./npz.js";
import { withoutNames } from "./token_names.js";
import { axesOf, logProbability, plainLabel, targetOf } from "./trace.js";

/** @typedef {import("./npz.js").NumberArray} NumberArray */
/** @typedef {{ changed?: Trace | null, experiment?: Experiment }} ChangedRun a trace, and what changed it */

/**
 * What a file says besides: what its fields mean, the model, and the experiment that changes nothing.
 * @typedef {{ readme: unknown, npzReadme: string[], model: unknown, unchanged: Experiment }} FileInfo
 */

/** @type {Kind[]} */
const KINDS = ["encoder", "decoder", "cross"];
/** @type {("unknown" | "special" | "starts_word")[]} */
const PIECE_FLAGS = ["unknown", "special", "starts_word"];

/**
 * What an experiment changes: the fields that differ from `unchanged`, all of a patch.
 * @param {Experiment} changes @param {Experiment} unchanged
 */
function changedFields(changes, unchanged) {
  const experiment = { ...unchanged, ...changes };
  if (experiment.patch) experiment.patch = { heads: [], cells: [], ...experiment.patch };
  const { patch } = experiment;
  if (patch) experiment.patch = { sentence: patch.sentence, heads: patch.heads, cells: patch.cells };
  /** @type {(entry: [string, unknown]) => boolean} */
  const differs = ([name, value]) => (
    JSON.stringify(value) !== JSON.stringify(unchanged[/** @type {keyof Experiment} */ (name)]));
  return Object.fromEntries(Object.entries(experiment).filter(differs));
}

/** All weights [layer head query key], masked ones 0, as one array. @param {AttentionMap} map */
function allWeights(map) {
  const size = map.queries.length * map.keys.length;
  const all = new Float32Array(map.layers * map.heads * size);
  for (let layer = 0; layer < map.layers; layer++) {
    for (let head = 0; head < map.heads; head++) {
      map.one(layer, head).forEach((row, query) => {
        all.set(row, (layer * map.heads + head) * size + query * map.keys.length);
      });
    }
  }
  return all;
}

/** @param {AttentionMap} map */
function shapeOf({ layers, heads, queries, keys }) {
  return [layers, heads, queries.length, keys.length];
}

/** @param {Trace} trace @param {Kind} kind */
function mapJson(trace, kind) {
  const map = trace.kinds[kind];
  const { queries, keys } = axesOf(trace, kind);
  const ranges = [map.layers, map.heads].map((count) => [...new Array(count).keys()]);
  const rowsOf = (/** @type {number} */ layer, /** @type {number} */ head) => (
    map.one(layer, head).map((row) => Array.from(row, shortenFloat)));
  const weights = ranges[0].map((layer) => ranges[1].map((head) => rowsOf(layer, head)));
  return { shape: shapeOf(map), queries: queries.map(plainLabel), keys: keys.map(({ text }) => text), weights };
}

/** @param {Step} step */
function stepJson({ fed, predicted, probability, entropy, candidates, excluded, log_probability: log, rank }) {
  return { fed, predicted, probability, entropy, candidates, excluded, log_probability: log, rank };
}

/** @param {Trace} trace */
function wholeJson(trace) {
  return {
    sentence: trace.sentence,
    translation: trace.translation,
    log_probability: logProbability(trace.steps),
    stopped_at_limit: trace.stopped_at_limit,
    vocabulary: trace.vocabulary,
    source: trace.source,
    target: targetOf(trace),
    steps: trace.steps.map(stepJson),
    attention: Object.fromEntries(KINDS.map((kind) => [kind, mapJson(trace, kind)])),
  };
}

/**
 * The text of a JSON file.
 * @param {Trace} trace
 * @param {ChangedRun} change
 * @param {FileInfo} info
 */
export function traceJson(trace, { changed = null, experiment = {} }, { readme, model, unchanged }) {
  const whole = (/** @type {Trace} */ each) => wholeJson(withoutNames(each));
  const more = changed && { experiment: changedFields(experiment, unchanged), changed: whole(changed) };
  return JSON.stringify({ readme, model, trace: whole(trace), ...more });
}

/** Arrays of the texts, ids and flags of pieces. @param {string} name @param {Piece[]} pieces */
function pieceArrays(name, pieces) {
  const flags = PIECE_FLAGS.map((flag) => [`${name}_${flag}`, boolArray(pieces.map((piece) => piece[flag]))]);
  return {
    [`${name}_text`]: textArray(pieces.map(({ text }) => text)),
    [`${name}_id`]: intArray(pieces.map(({ id }) => id)),
    ...Object.fromEntries(flags),
  };
}

/** @param {Trace} named */
function traceArrays(named) {
  const trace = withoutNames(named);
  const { sentence, translation, source, steps } = trace;
  const weights = KINDS.map((kind) => [kind, numberArray(allWeights(trace.kinds[kind]), shapeOf(trace.kinds[kind]))]);
  /** @type {(numbers: number[], shape?: number[]) => NumberArray} */
  const floats = (numbers, shape) => numberArray(Float64Array.from(numbers), shape);
  const candidates = steps.flatMap((step) => step.candidates);
  const rows = [steps.length, candidates.length / steps.length];
  return {
    sentence: textArray([sentence], []),
    translation: textArray([translation], []),
    ...Object.fromEntries(weights),
    ...pieceArrays("source", source),
    ...pieceArrays("fed", targetOf(trace)),
    ...pieceArrays("predicted", steps.map(({ predicted }) => predicted)),
    probability: floats(steps.map(({ probability }) => probability)),
    log_probability: floats(steps.map((step) => step.log_probability)),
    entropy: floats(steps.map(({ entropy }) => entropy)),
    rank: intArray(steps.map(({ rank }) => rank)),
    candidate_text: textArray(candidates.map(({ text }) => text), rows),
    candidate_id: intArray(candidates.map(({ id }) => id), rows),
    candidate_probability: floats(candidates.map(({ probability }) => probability), rows),
    stopped_at_limit: boolArray([trace.stopped_at_limit], []),
    vocabulary: intArray([trace.vocabulary], []),
  };
}

/**
 * Promises the bytes of an NPZ file with the same as arrays.
 * @param {Trace} trace @param {ChangedRun} change @param {FileInfo} info
 */
export function traceNpz(trace, { changed = null, experiment = {} }, { npzReadme, model, unchanged }) {
  /** @type {Record<string, NumberArray>} */
  const arrays = { readme: textArray(npzReadme), model: textArray([JSON.stringify(model)], []), ...traceArrays(trace) };
  if (changed) {
    arrays.experiment = textArray([JSON.stringify(changedFields(experiment, unchanged))], []);
    for (const [name, array] of Object.entries(traceArrays(changed))) arrays[`changed_${name}`] = array;
  }
  return npzFile(arrays);
}
