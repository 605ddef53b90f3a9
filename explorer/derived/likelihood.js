// How likely a translation is good, in words: a logistic regression over seven numbers of its trace.
//
// `training.json` of a checkpoint holds the fit, which tools/likelihood.py makes with the same measures
// (explorer/recording/likelihood.py); docs/likelihood.md has its labels, its calibration and its limits. A summary
// replaces no check that it does not see: beside a warning, no translation is "likely right". A model without a fit has
// no likelihood, and all warnings. So have runs of experiments and translations that the model did not choose itself.

import { sum } from "../ui/tensor.js";
import { largestAttention } from "./attention_map.js";
import { keptWords, splitWords } from "./splitting.js";

/** @typedef {"unsure" | "rare" | "pieced" | "missing" | "short"} Reason */

const UNSURE_PROBABILITY = 0.3; // a step below it counts as unsure
const MIN_REASON = 0.25; // log-odds by which a reason lowers the likelihood at least
// The measures, each larger where a translation is worse, and the reason that each belongs to.
/** @type {Record<string, Reason>} */
const MEASURES = {
  entropy: "unsure", // bits, mean of the steps
  peak_entropy: "unsure", // bits, of the step with the largest
  unsure_steps: "unsure",
  source_pieces: "rare", // log of the pieces of the English word with the most
  target_pieces: "pieced", // the same of the German word
  unseen: "missing", // 1 - attention to a content word at its best step (last layer, mean of heads): the largest
  short: "short", // log of English words per German one, if positive
};
const REASONS = Object.values(MEASURES);

/** @typedef {import("./warnings.js").Warnings} Warnings */
/** @typedef {ReturnType<typeof measure>} Measures */

/**
 * The probability that a strict reader calls a translation right, its word ("right", "doubtful" or "wrong"), and the
 * warning about what lowers it most, if that stands out; null without a fit, and for a text in another language.
 * @param {Trace} trace @param {LikelihoodFit | null} fit @param {Warnings} warnings
 * @returns {Likelihood | null}
 */
export function likelihoodOf(trace, fit, warnings) {
  const isKnown = fit && JSON.stringify(fit.measures) === JSON.stringify(Object.keys(MEASURES));
  if (!isKnown || warnings.foreignLanguage(trace) !== null) return null;
  const measures = measure(trace, warnings.words.light);
  const parts = measures.values.map((value, i) => (fit.coefficients[i] * (value - fit.means[i])) / fit.scales[i]);
  const probability = 1 / (1 + Math.exp(-fit.intercept - sum(parts)));
  if (probability >= fit.right) { // a warning says what the measures do not see, and stands beside it
    return { probability, word: warnings.of(trace).length ? "doubtful" : "right", reason: null };
  }
  const word = probability < fit.wrong ? "wrong" : "doubtful";
  return { probability, word, reason: reasonOf(measures, parts, warnings) };
}

/**
 * The reason with the largest share in lowering the likelihood, as a warning; null if none is large.
 * @param {Measures} measures @param {number[]} parts @param {Warnings} warnings
 */
function reasonOf(measures, parts, warnings) {
  const totals = new Map(REASONS.map((reason) => [reason, 0]));
  parts.forEach((part, i) => totals.set(REASONS[i], totals.get(REASONS[i]) - part));
  const [reason, total] = [...totals].reduce((one, other) => (other[1] > one[1] ? other : one));
  if (total < MIN_REASON) return null;
  if (reason === "short") return warnings.make("missing.short");
  const words = measures[reason];
  if (!words.length) return null; // unsure, but of punctuation only
  if (reason === "unsure" || reason === "pieced") return warnings.makeOfTarget(reason, words); // their words are German
  return warnings.make(reason === "missing" ? "missing.words" : reason, { words });
}

/**
 * The measures in their order, and what each reason would name; words that stand unchanged in the translation are no
 * fault.
 * @param {Pick<Trace, "source" | "steps" | "kinds">} trace @param {Set<string>} light
 */
export function measure({ source, steps, kinds: { cross } }, light) {
  const sourceWords = splitWords(source);
  const targetWords = splitWords(steps.map(({ predicted }) => predicted));
  const kept = keptWords(sourceWords, targetWords);
  const newSource = sourceWords.filter(({ bare }) => !kept.has(bare));
  const newTarget = targetWords.filter(({ bare }) => !kept.has(bare));
  const content = newSource.filter(({ bare }) => !light.has(bare));
  const seen = content.map(({ pieces }) => largestAttention(cross, pieces, cross.layers - 1));
  const leastSeen = Math.min(...seen);
  const entropies = steps.map(({ entropy }) => entropy);
  const peakOf = (/** @type {Word} */ { pieces }) => Math.max(...pieces.map((step) => entropies[step]));
  const longest = (/** @type {Word[]} */ words) => words.filter(({ pieces }) => pieces.length === maxPieces(words));
  return {
    values: [
      sum(entropies) / entropies.length,
      Math.max(...entropies),
      steps.filter(({ probability }) => probability < UNSURE_PROBABILITY).length,
      Math.log(maxPieces(newSource)),
      Math.log(maxPieces(newTarget)),
      seen.length ? 1 - leastSeen : 0,
      Math.max(0, Math.log((sourceWords.length + 1) / (targetWords.length + 1))),
    ],
    rare: longest(newSource),
    pieced: longest(newTarget),
    missing: content.filter((_, i) => seen[i] === leastSeen),
    unsure: [...targetWords].sort((one, other) => peakOf(other) - peakOf(one)).slice(0, 1),
  };
}

/** @param {Word[]} words */
function maxPieces(words) {
  return Math.max(1, ...words.map(({ pieces }) => pieces.length));
}
