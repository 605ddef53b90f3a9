// Leave-one-out: what each German piece loses if an English piece is hidden, beside attention: explorer/tabs/what_if/hide/panel.py
// and explorer/experiments/omission.py.

import { interventionProbe } from "../../engine/interventions.js";
import { logProbabilities } from "../../engine/ranking.js";
import { tensorJson } from "../payload.js";
import { matrixOf } from "../reduction.js";
import { rankCorrelation } from "./statistics.js";

/** The range of a count, from 0. */
function range(count) {
  return [...new Array(count).keys()];
}

/** The places of the source in parts, each small enough for one request. */
function sourceParts({ source, steps }, { ROWS_PER_PART, MIN_PIECES_PER_PART }) {
  const size = Math.max(MIN_PIECES_PER_PART, Math.floor(ROWS_PER_PART / (source.length + steps.length))), places = range(source.length);
  return range(Math.ceil(source.length / size)).map((part) => places.slice(part * size, (part + 1) * size));
}

/** A probe that hides places[r] of the source from all attention in row r + 1 of a batch; row 0 is unchanged. */
function hidingProbe(places) {
  const change = (mask) => {
    const changed = mask.clone();
    places.forEach((place, i) => (changed.at(i + 1)[place] = 0));
    return changed;
  };
  return interventionProbe([[{ stack: "encoder", tensor: "mask" }, change]]);
}

/** The change of every target piece's log-probability, in nats, when each of some places is hidden: [place step]. */
function effectsOf(laboratory, { sentence, source, steps }, places) {
  return laboratory.effects.get(JSON.stringify([sentence, places]), () => {
    const rows = range(places.length + 1), options = { encoder: hidingProbe(places) };
    const ids = [source, steps].map((list) => list.map(({ id }) => id));
    const [unchanged, ...hidden] = logProbabilities(laboratory.translator, ...ids, rows, options);
    return hidden.map((row) => row.map((number, step) => number - unchanged[step]));
  });
}

function matrixJson(rows) {
  return tensorJson({ shape: [rows.length, rows[0].length], data: rows.flat() });
}

/** One part of the effects [place step], and the number of parts. Throws a Refusal. */
export function* omissionJson(laboratory, sentence, part) {
  const trace = laboratory.recordings.trace(sentence), { omission } = laboratory.data, parts = sourceParts(trace, omission);
  if (!(part >= 0 && part < parts.length)) laboratory.refuse("part", { part, parts: parts.length }, omission.refusals);
  yield { done: part, total: parts.length };
  return { parts: parts.length, effect: matrixJson(effectsOf(laboratory, trace, parts[part])) };
}

/** Throws a Refusal if the model has no such layer or head; "mean" it always has. */
function requireChoice(laboratory, choice, count) {
  const isKnown = choice === "mean" || (choice >= 0 && choice < count);
  if (!isKnown) laboratory.refuse("choice", { choice, count }, laboratory.data.omission.refusals);
}

/** The cross-attention of the chosen heads, and its rank correlation with the sizes of the effects. Throws a Refusal. */
export function* agreementJson(laboratory, sentence, layer, head) {
  const trace = laboratory.recordings.trace(sentence), { cross: { weights } } = trace;
  [layer, head].forEach((choice, axis) => requireChoice(laboratory, choice, weights.shape[axis]));
  const attention = matrixOf(weights, layer, head).map((row) => [...row]), parts = sourceParts(trace, laboratory.data.omission), effects = [];
  for (const [done, places] of parts.entries()) {
    yield { done, total: parts.length };
    effects.push(...effectsOf(laboratory, trace, places));
  }
  const sizes = trace.steps.map((_, step) => effects.map((row) => Math.abs(row[step])));
  return {
    weights: matrixJson(attention),
    overall: rankCorrelation(attention.flat(), sizes.flat()),
    rows: attention.map((row, step) => rankCorrelation(row, sizes[step])),
  };
}
