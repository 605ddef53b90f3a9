// What changes are called, and what they do, in sentences. Pure.

import { changesOf } from "./change.js";
import { formatPercent } from "../../../ui/numbers.js";
import { fillSegments, tokenSegments } from "../guide/segments.js";

/** @typedef {import("../guide/segments.js").Segments} Segments */
/** @typedef {import("./change.js").Change} Change */

/**
 * A sentence of CHANGES, `words`, about one change; `names` are its templates, one for each name of a change.
 * @param {Record<string, string>} names
 * @param {Change} change
 * @param {{ words: any, quotation: string, source: Piece[] }} given
 * @returns {Segments}
 */
export function changeSegments(names, { name, kind, layer, head, token, stack }, { words, quotation, source }) {
  return fillSegments(names[name], {
    block: kind ? words.blocks[kind] : "",
    layer: (layer ?? 0) + 1,
    head: (head ?? 0) + 1,
    token: token === undefined ? [] : tokenSegments(source[token], "source", quotation),
    stack: stack ? words.stacks[stack] : "",
  });
}

/**
 * What an experiment does at a step: what is written instead, or how much the probability moves.
 * @param {Experiment} experiment
 * @param {{ trace: Trace, comparison: import("./differences.js").Comparison, step: number, heads: number }} run
 * @param {{ words: any, quotation: string }} given
 * @returns {Segments}
 */
export function effectSegments(experiment, { trace, comparison, step, heads }, { words, quotation }) {
  const changes = changesOf(experiment, heads);
  const given = { words, quotation, source: trace.source };
  const without = changes.length === 1 ? changeSegments(words.without, changes[0], given)
    : fillSegments(words.without.several, { count: changes.length });
  const { predicted, probability } = trace.steps[step];
  const target = (piece) => tokenSegments(piece, "target", quotation);
  const row = comparison.rows[step];
  const former = comparison.former[step];
  if (row === null) return fillSegments(words.effect.new, { without, predicted: target(predicted) });
  const values = { without, predicted: target(predicted), former: former ? target(former) : [] };
  if (former) return fillSegments(words.effect.other, values);
  const shares = [probability, comparison.before.steps[row].probability];
  const [percent, before] = shares.map((share) => formatPercent(share));
  return fillSegments(words.effect[percent === before ? "same" : "moved"], { ...values, percent, before });
}
