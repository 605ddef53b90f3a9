// Leave-one-out: what each German piece loses if an English piece is hidden, beside attention: explorer/tabs/what_if/hide/panel.py
// and explorer/experiments/omission.py.

import { Tensor } from "../../engine/tensor.js";
import { tensorJson } from "../payload.js";
import { matrixOf } from "../trace.js";

const largest = (numbers) => numbers.reduce((most, number) => Math.max(most, number), -Infinity);

/** The rank of each number, from 1; equal numbers share the mean of their ranks, and numbers closer than `tie` share in part. */
function ranks(numbers, tie) {
  if (tie) {
    const closeness = (one) => numbers.reduce((sum, other) => sum + Math.max(-1, Math.min((one - other) / tie, 1)), 0);
    return Array.from(numbers, (number) => (numbers.length + 1 + closeness(number)) / 2);
  }
  const order = [...numbers.keys()].sort((one, other) => numbers[one] - numbers[other]), found = new Array(numbers.length);
  for (let start = 0, end = 0; start < order.length; start = end) {
    while (end < order.length && numbers[order[end]] === numbers[order[start]]) end += 1;
    for (let i = start; i < end; i++) found[order[i]] = (start + 1 + end) / 2;
  }
  return found;
}

/** The correlation of the ranks, from -1 to 1; null if no two numbers of one side are more than `tie` apart. */
export function rankCorrelation(first, second, tie = 0) {
  if ([first, second].some((side) => largest(side) + largest(side.map((number) => -number)) <= tie)) return null;
  const dot = (one, other) => one.reduce((sum, number, i) => sum + number * other[i], 0);
  const [one, other] = [first, second].map((side) => ranks(side, tie).map((rank) => rank - (side.length + 1) / 2));
  const norms = [one, other].map((side) => Math.sqrt(dot(side, side)));
  return dot(one, other) / (norms[0] * norms[1]);
}

/** The range of a count, from 0. */
function range(count) {
  return [...new Array(count).keys()];
}

/** The places of the source in parts, each small enough for one request. */
function sourceParts({ source, steps }, { ROWS_PER_PART, MIN_PIECES_PER_PART }) {
  const size = Math.max(MIN_PIECES_PER_PART, Math.floor(ROWS_PER_PART / (source.length + steps.length))), places = range(source.length);
  return range(Math.ceil(source.length / size)).map((part) => places.slice(part * size, (part + 1) * size));
}

/** A mask for each of some places of a source of `count` pieces, which hides it from all attention. */
function hidingMasks(places, count) {
  const masks = new Tensor([places.length, 1, 1, count], new Uint8Array(places.length * count).fill(1));
  places.forEach((place, row) => (masks.at(row)[place] = 0));
  return masks;
}

/** The change of every target piece's log-probability, in nats, when each of some places is hidden: [place step]. */
export function omissionEffects(laboratory, trace, places) {
  if (!places.length) return [];
  const forced = laboratory.forced(trace), mask = hidingMasks(places, trace.source.length);
  const hidden = forced.changeEncoder(places.length, { mask });
  return hidden.map((row) => row.map((number, step) => number - forced.logProbabilities[step]));
}

function effectsOf(laboratory, trace, places) {
  const key = JSON.stringify([trace.sentence, places]);
  return laboratory.effects.get(key, () => omissionEffects(laboratory, trace, places));
}

function matrixJson(rows) {
  return tensorJson({ shape: [rows.length, rows[0].length], data: rows.flat() });
}

/** One part of the effects [place step], and the number of parts. Throws a UserError. */
export function* omissionJson(laboratory, sentence, part) {
  const trace = laboratory.recordings.trace(sentence), { omission } = laboratory.data, parts = sourceParts(trace, omission);
  if (!(part >= 0 && part < parts.length)) laboratory.refuse("part", { part, parts: parts.length }, omission.refusals);
  yield { done: part, total: parts.length };
  return { parts: parts.length, effect: matrixJson(effectsOf(laboratory, trace, parts[part])) };
}

/** Throws a UserError if the model has no such layer or head; "mean" it always has. */
function requireChoice(laboratory, choice, count) {
  const isKnown = choice === "mean" || (choice >= 0 && choice < count);
  if (!isKnown) laboratory.refuse("choice", { choice, count }, laboratory.data.omission.refusals);
}

/** The cross-attention of the chosen heads, and its rank correlation with the sizes of the effects. Throws a UserError. */
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
    rows: attention.map((row, step) => rankCorrelation(row, sizes[step], laboratory.data.omission.TIE)),
  };
}
