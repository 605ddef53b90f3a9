// The sentence about one number: a weight, a score, or a number of a matrix. Pure.

import { heldValue } from "../../../changes/experiments.js";
import { fillSegments } from "../../../ui/segments.js";
import { formatExact, formatInteger, formatPercent } from "../../../ui/numbers.js";
import { isHidden, isOutOfReach } from "../../../derived/masks.js";

/** @typedef {import("./subject.js").Subject} Subject */
/** @typedef {import("../../../ui/segments.js").Segments} Segments */

/**
 * @param {Subject} subject
 * @returns {Segments}
 */
export function numberCaption(subject) {
  const { place: { block, stack, layer, head, part, column }, row, context: { config }, words, map } = subject;
  const { number } = words;
  if (stack === "output") return logitCaption(subject);
  if (head !== null && part === "weights") return weightCaption(subject);
  if (part === "mix" && map.isOff(layer, head)) return fillSegments(words.changes.headOff, { head: head + 1 });
  const held = part === "hidden" ? heldValue(subject.context.experiment ?? {}, { stack, layer, row, column }) : null;
  if (held !== null) {
    const { neuronOff, neuronHeld } = words.changes;
    return fillSegments(held === 0 ? neuronOff : neuronHeld, { neuron: column + 1, value: formatExact(held) });
  }
  const isOfKey = part === "k" || part === "v";
  const values = {
    column: formatInteger(column + 1),
    width: formatInteger(config.d_model),
    size: formatInteger(part === "v" ? config.d_value : config.d_head),
    numbers: formatInteger(config.d_ff),
    activation: config.activation.toUpperCase(),
    bias: config.bias ? number.bias : "",
    head: (head ?? 0) + 1,
    query: isOfKey ? [] : subject.lane(),
    key: isOfKey ? subject.key(row) : [],
  };
  return fillSegments(templateOf(subject, block, part), values);
}

/** The sentence of a number that is no weight and no score. */
function templateOf({ context: { config }, positions, words: { number } }, block, part) {
  if (block === "embedding") return number.embedding[positions];
  if (part === "hidden") return number.hidden[config.activation === "relu" ? "relu" : "smooth"];
  if (part !== "out") return number[part];
  if (block === "feed") return number.feed_out;
  return number[config.heads === 1 ? "out_one" : "out"];
}

function weightCaption(subject) {
  const { words: { changes, number: { weights } }, map, row, place: { stack, layer, head, column }, context } = subject;
  const values = { query: subject.query(), key: subject.key(column), head: head + 1 };
  if (isOutOfReach(map, row, column)) return fillSegments(weights.masked, values);
  if (isHidden(map, column, context.experiment?.hidden ?? [])) return fillSegments(changes.hiddenKey, values);
  const fit = fillSegments(weights.fit, {});
  if (!map.ready) return subject.join(fillSegments(weights.waiting, values), fit);
  const percent = formatPercent(map.weight(layer, head, row, column));
  if (map.isOff(layer, head)) return fillSegments(weights.headOff, { ...values, percent });
  return subject.join(fillSegments(weights[stack], { ...values, ...subject.looker(), percent }), fit);
}

function logitCaption(subject) {
  const { words: { number: { logit } }, row, place: { column }, context: { trace, config } } = subject;
  const { fed, predicted, probability, candidates, excluded } = trace.steps[row];
  const written = predicted.id === column ? { ...predicted, probability } : null;
  const possible = written ?? candidates.find(({ id }) => id === column);
  const known = possible ?? (excluded?.id === column ? excluded : undefined);
  return fillSegments(logit[possible ? "known" : known ? "excluded" : "unknown"], {
    fed: subject.target(fed),
    width: formatInteger(config.d_model),
    id: `${column}`,
    token: known && subject.target(known),
    percent: possible && formatPercent(possible.probability),
  });
}
