// A whole translation as JSON: explorer/files/everything.py.

import { KINDS } from "../../engine/probe.js";
import { plainLabel, stepJson } from "../trace.js";
import { shortenFloat } from "./number_text.js";

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
    log_probability: steps.reduce((sum, { logProbability }) => sum + logProbability, 0),
    stopped_at_limit: stoppedAtLimit,
    vocabulary,
    source,
    target,
    steps: steps.map((step) => ({ ...stepJson(step), log_probability: step.logProbability, rank: step.rank })),
    attention: Object.fromEntries(KINDS.map((kind) => [kind, mapJson(trace[kind])])),
  };
}

/** What an experiment changes: the fields that differ from `unchanged`, all of a patch. */
function changedFields(changes, unchanged) {
  const experiment = { ...unchanged, ...changes }, { patch } = experiment;
  const whole = { ...experiment, patch: patch && { sentence: patch.sentence, heads: patch.heads ?? [], cells: patch.cells ?? [] } };
  return Object.fromEntries(Object.entries(whole).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(unchanged[name])));
}

/** A trace as a JSON file, and that of an experiment if there is one. Throws a Refusal. */
export function* everythingJson(laboratory, sentence, changes) {
  const { recordings, recordings: { data: { save: { readme, model } } } } = laboratory;
  const content = { readme, model, trace: wholeJson(recordings.trace(sentence)) };
  if (Object.keys(changes ?? {}).length) {
    content.experiment = changedFields(changes, laboratory.data.unchanged);
    content.changed = wholeJson(yield* laboratory.trace(sentence, changes));
  }
  return { text: JSON.stringify(content) };
}
