// What changes are called, and what they do, in sentences. Pure.

import { changesOf } from "./experiments.js";
import { countDiffering, countMoved } from "../derived/differences.js";
import { logProbability } from "../derived/trace.js";
import { formatDecimal, formatExact, formatPercent, formatSignificant } from "../ui/numbers.js";
import { fillSegments, tokenSegments } from "../ui/segments.js";
import { fill, plainPiece } from "../ui/text.js";

/** @typedef {import("../ui/segments.js").Segments} Segments */
/** @typedef {import("./experiments.js").SingleChange} SingleChange */

/**
 * What a change is of: the whole experiment, the unchanged translation, and the changed one as soon as it is there.
 * @typedef {{ experiment: Experiment, source: Trace, changed: Trace | null }} Changed
 */

const MAX_LETTERS = 24; // of a text in a name

/**
 * A sentence about one change; `names` are its templates, one for each name of a change, in `words`, CHANGES.
 * @param {Record<string, any>} names
 * @param {SingleChange} change
 * @param {Record<string, any>} words
 * @param {Changed} of
 * @returns {Segments}
 */
export function changeSegments(names, change, words, of) {
  const { name, kind, layer, head, token, stack, neuron, value, how, way } = change;
  const { experiment, source, changed } = of;
  const { quotation } = words;
  const pieces = (experiment.source ? changed : source)?.source ?? [];
  const isWhole = name === "beginning" && isWholeTranslation(of);
  const template = names[isWhole ? "translation" : name];
  return fillSegments(typeof template === "string" ? template : template[how ?? way ?? ""], {
    block: kind ? words.blocks[kind] : "",
    layer: (layer ?? 0) + 1,
    head: (head ?? 0) + 1,
    token: name === "token" ? namedToken(pieces[token], "source", quotation)
      : name === "neuron" ? tokenAt(change, of, quotation) : forcedToken(of, quotation),
    neuron: (neuron ?? 0) + 1,
    value: formatExact(value ?? 0),
    stack: stack ? words.stacks[stack] : "",
    text: shortened({ source: experiment.source, patch: experiment.patch?.sentence }[name] ?? ""),
    count: (experiment.patch?.heads?.length ?? 0) + (experiment.patch?.cells?.length ?? 0),
  });
}

function namedToken(piece, side, quotation) {
  return piece ? tokenSegments(piece, side, quotation) : [{ text: "…" }];
}

/**
 * The token at whose position a neuron is held: one that is read, or one that is fed to the decoder.
 * @param {SingleChange} change
 * @param {Changed} of
 */
function tokenAt({ stack, position = null }, { experiment, source, changed }, quotation) {
  if (position === null) return [];
  if (stack === "decoder") return namedToken((changed ?? source).steps[position]?.fed, "target", quotation);
  return namedToken((experiment.source ? changed : source)?.source[position], "source", quotation);
}

/** Whether all of a translation is given, its end included. @param {Changed} of */
function isWholeTranslation({ experiment: { beginning }, changed }) {
  return changed !== null && beginning?.length === changed.steps.length && changed.steps.at(-1).predicted.special;
}

/** The last token that the translation has to begin with. @param {Changed} of */
function forcedToken({ experiment: { beginning }, source, changed }, quotation) {
  if (!beginning) return [];
  const step = beginning.length - 1, id = beginning[step];
  const known = [changed, source].flatMap((trace) => {
    const { predicted, candidates } = trace?.steps[step] ?? { predicted: null, candidates: [] };
    return predicted ? [predicted, ...candidates] : candidates;
  });
  return namedToken(known.find((piece) => piece.id === id), "target", quotation);
}

function shortened(text) {
  const letters = [...text];
  return letters.length > MAX_LETTERS ? `${plainPiece(letters.slice(0, MAX_LETTERS).join(""))}…` : text;
}

/**
 * What a change did to the translation, in a line; "" without one. `told` are its templates, in CHANGES.
 * @param {Pick<import("./change.js").Change, "changed" | "source" | "isPending">} change
 * @param {Record<string, string>} told
 */
export function outcomeOf({ changed, source, isPending }, told) {
  if (isPending) return told.running;
  if (changed === null) return "";
  const isAsLong = source.steps.length === changed.steps.length;
  const [before, after] = [source, changed].map(({ steps }) => {
    const number = formatDecimal(logProbability(steps), 2);
    return isAsLong ? number : fill(told.over, { number, count: steps.length });
  });
  const count = countDiffering(source, changed);
  return fill(told[count === 0 ? "same" : count === 1 ? "one" : "several"], { count, before, after });
}

/**
 * The probabilities of both translations as wholes, and how many tokens come and go; "" without a change.
 * @param {Pick<import("./change.js").Change, "changed" | "source" | "isPending">} change
 * @param {Record<string, string>} told
 */
export function detailsOf({ changed, source, isPending }, told) {
  if (isPending || changed === null) return "";
  const [before, after] = [source, changed].map(({ steps }) => formatSignificant(Math.exp(logProbability(steps)), 2));
  return fill(told.probability, { before, after, ...countMoved(source, changed) });
}

/**
 * What an experiment does at a step: what is written instead, or how much the probability moves.
 * @param {Changed & { changed: Trace }} of
 * @param {{ comparison: any, step: number }} run `comparison` of the whole model's rows
 * @param {Record<string, any>} words CHANGES
 * @returns {Segments}
 */
export function effectSegments(of, { comparison, step }, words) {
  const { experiment, changed: trace } = of;
  const { quotation } = words;
  const changes = changesOf(experiment, trace.kinds.cross.heads).filter(({ name }) => name !== "way");
  const without = changes.length === 1 ? changeSegments(words.without, changes[0], words, of)
    : fillSegments(words.without.several, { count: changes.length });
  const { fed, predicted, probability } = trace.steps[step];
  const target = (piece) => tokenSegments(piece, "target", quotation);
  const row = comparison.rows[step];
  const former = comparison.former[step];
  if (row === null) return fillSegments(words.effect.new, { without, predicted: target(predicted) });
  const values = { without, predicted: target(predicted), former: former ? target(former) : [], fed: target(fed) };
  if (former) return fillSegments(words.effect.other, values);
  const shares = [probability, comparison.before.steps[row].probability];
  const [percent, before] = shares.map((share) => formatPercent(share));
  return fillSegments(words.effect[percent === before ? "same" : "moved"], { ...values, percent, before });
}
