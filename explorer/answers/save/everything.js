// A whole translation as JSON or NPZ: explorer/files/export_trace.py.

import { KINDS } from "../../engine/probe.js";
import { encodeBytes } from "../payload.js";
import { shortenFloat } from "../../engine/python_text.js";
import { logProbability, plainLabel, stepJson } from "../trace.js";
import { changedFields } from "../what_if/experiment.js";
import { boolArray, intArray, npzFile, numberArray, textArray } from "./npz.js";

/** A tensor as lists in lists, of the shortest digits of its 32-bit floats. */
function nested({ shape, data }) {
  if (shape.length === 1) return Array.from(data, shortenFloat);
  const inner = data.length / shape[0];
  return Array.from({ length: shape[0] }, (_, i) => nested({ shape: shape.slice(1), data: data.subarray(i * inner, (i + 1) * inner) }));
}

function mapJson({ weights, queries, keys }) {
  return { shape: weights.shape, queries: queries.map(plainLabel), keys: keys.map(({ text }) => text), weights: nested(weights) };
}

function wholeJson({ sentence, translation, stoppedAtLimit, vocabulary, source, target, steps, ...trace }) {
  return {
    sentence,
    translation,
    log_probability: logProbability(steps),
    stopped_at_limit: stoppedAtLimit,
    vocabulary,
    source,
    target,
    steps: steps.map((step) => ({ ...stepJson(step), log_probability: step.logProbability, rank: step.rank })),
    attention: Object.fromEntries(KINDS.map((kind) => [kind, mapJson(trace[kind])])),
  };
}

/** What a file of a sentence contains: its trace and, if there are changes, those of an experiment. Throws a UserError. */
function* contentOf(laboratory, sentence, changes) {
  const content = { trace: laboratory.recordings.trace(sentence) };
  if (!Object.keys(changes ?? {}).length) return content;
  return { ...content, experiment: changedFields(changes, laboratory.data.unchanged), changed: yield* laboratory.trace(sentence, changes) };
}

export function* everythingJson(laboratory, sentence, changes) {
  const { readme, model } = laboratory.recordings.data.save, { trace, ...run } = yield* contentOf(laboratory, sentence, changes);
  const experiment = run.changed && { experiment: run.experiment, changed: wholeJson(run.changed) };
  return { text: JSON.stringify({ readme, model, trace: wholeJson(trace), ...experiment }) };
}

/** Arrays of the texts, ids and flags of pieces. */
function pieceArrays(name, pieces) {
  const flags = ["unknown", "special", "starts_word"].map((flag) => [`${name}_${flag}`, boolArray(pieces.map((piece) => piece[flag]))]);
  return { [`${name}_text`]: textArray(pieces.map(({ text }) => text)), [`${name}_id`]: intArray(pieces.map(({ id }) => id)), ...Object.fromEntries(flags) };
}

function traceArrays({ sentence, translation, stoppedAtLimit, vocabulary, source, target, steps, ...trace }) {
  const weights = KINDS.map((kind) => [kind, numberArray(trace[kind].weights.data, trace[kind].weights.shape)]);
  const floats = (numbers, shape) => numberArray(Float64Array.from(numbers), shape);
  const candidates = steps.flatMap((step) => step.candidates), rows = [steps.length, candidates.length / steps.length];
  return {
    sentence: textArray([sentence], []),
    translation: textArray([translation], []),
    ...Object.fromEntries(weights),
    ...pieceArrays("source", source),
    ...pieceArrays("fed", target),
    ...pieceArrays("predicted", steps.map(({ predicted }) => predicted)),
    probability: floats(steps.map(({ probability }) => probability)),
    log_probability: floats(steps.map((step) => step.logProbability)),
    entropy: floats(steps.map(({ entropy }) => entropy)),
    rank: intArray(steps.map(({ rank }) => rank)),
    candidate_text: textArray(candidates.map(({ text }) => text), rows),
    candidate_id: intArray(candidates.map(({ id }) => id), rows),
    candidate_probability: floats(candidates.map(({ probability }) => probability), rows),
    stopped_at_limit: boolArray([stoppedAtLimit], []),
    vocabulary: intArray([vocabulary], []),
  };
}

/** The same as arrays, in an NPZ file as base64. */
export function* everythingNpz(laboratory, sentence, changes) {
  const { npzReadme, model } = laboratory.recordings.data.save, { trace, experiment, changed } = yield* contentOf(laboratory, sentence, changes);
  const arrays = { readme: textArray(npzReadme), model: textArray([JSON.stringify(model)], []), ...traceArrays(trace) };
  if (changed) {
    arrays.experiment = textArray([JSON.stringify(experiment)], []);
    for (const [name, array] of Object.entries(traceArrays(changed))) arrays[`changed_${name}`] = array;
  }
  return npzFile(arrays).then((file) => ({ base64: encodeBytes(file) }));
}
