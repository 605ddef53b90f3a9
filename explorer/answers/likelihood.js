// How likely a translation is good: explorer/recording/likelihood.py.

import { sum } from "../ui/tensor.js";
import { largestAttention } from "./warnings.js";

/** `warnings` split into words and write sentences; `measures` are the names in order, with their reasons. */
export class Likelihood {
  constructor(fit, { measures, UNSURE_PROBABILITY, MIN_REASON }, warnings) {
    const isKnown = fit && JSON.stringify(fit.measures) === JSON.stringify(Object.keys(measures));
    Object.assign(this, { fit: isKnown ? fit : null, reasons: Object.values(measures), UNSURE_PROBABILITY, MIN_REASON, warnings });
  }

  /** The likelihood of a trace; null without a fit, of a run that is not the model's own, and of another language. */
  of(trace) {
    const { fit, warnings } = this;
    if (!fit || !trace.isOwn || warnings.foreignLanguage(warnings.splitter.words(trace.source)) !== null) return null;
    const measured = this.measure(trace), { means, scales, coefficients } = fit;
    const parts = measured.values.map((value, i) => (coefficients[i] * (value - means[i])) / scales[i]);
    const probability = 1 / (1 + Math.exp(-fit.intercept - sum(parts)));
    // A warning says what the measures do not see, and stands beside it.
    if (probability >= fit.right) return { probability, word: warnings.of(trace).length ? "doubtful" : "right", reason: null };
    return { probability, word: probability < fit.wrong ? "wrong" : "doubtful", reason: this.reason(measured, parts) };
  }

  /** The reason with the largest share in lowering the likelihood, as a sentence; null if none is large. */
  reason(measured, parts) {
    const { warnings } = this, totals = new Map(this.reasons.map((reason) => [reason, 0]));
    parts.forEach((part, i) => totals.set(this.reasons[i], totals.get(this.reasons[i]) - part));
    const [reason, total] = [...totals].reduce((one, other) => (other[1] > one[1] ? other : one));
    if (total < this.MIN_REASON) return null;
    if (reason === "short") return warnings.make("missing.short");
    const words = measured[reason];
    if (!words.length) return null; // unsure, but of punctuation only
    if (reason === "unsure" || reason === "pieced") return warnings.makeOfTarget(reason, words); // their words are German
    return warnings.make(reason === "missing" ? "missing.words" : reason, { words });
  }

  measure({ source: pieces, steps, cross: { weights } }) {
    const { splitter, words: { light } } = this.warnings, source = splitter.words(pieces), target = splitter.words(steps.map(({ predicted }) => predicted));
    const kept = splitter.keptWords(source, target), isNew = ({ bare }) => !kept.has(bare);
    const newSource = source.filter(isNew), newTarget = target.filter(isNew), content = newSource.filter(({ bare }) => !light.has(bare));
    const seen = content.map(({ places }) => largestAttention(weights, places, weights.shape[0] - 1)), entropies = steps.map(({ entropy }) => entropy);
    const most = Math.min(...seen), peakOf = ({ places }) => Math.max(...places.map((step) => entropies[step]));
    const longest = (words) => words.filter(({ places }) => places.length === maxPieces(words));
    return {
      values: [
        sum(entropies) / entropies.length,
        Math.max(...entropies),
        steps.filter(({ probability }) => probability < this.UNSURE_PROBABILITY).length,
        Math.log(maxPieces(newSource)),
        Math.log(maxPieces(newTarget)),
        seen.length ? 1 - most : 0,
        Math.max(0, Math.log((source.length + 1) / (target.length + 1))),
      ],
      rare: longest(newSource),
      pieced: longest(newTarget),
      missing: content.filter((_, i) => seen[i] === most),
      unsure: target.toSorted((one, other) => peakOf(other) - peakOf(one)).slice(0, 1),
    };
  }
}

function maxPieces(words) {
  return Math.max(1, ...words.map(({ places }) => places.length));
}
