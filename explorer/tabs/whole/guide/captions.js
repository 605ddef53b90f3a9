// What is seen at a place of the picture, in a few sentences that are true of this trace, step and model. Pure.

import { attentionCaption, headCaption, headInList } from "./attention_captions.js";
import { numberCaption } from "./number_captions.js";
import { fillSegments } from "../../../ui/segments.js";
import { Subject } from "./subject.js";
import { levelOf } from "../place.js";
import { formatDecimal, formatInteger, formatPercent } from "../../../ui/numbers.js";

/** @typedef {import("../../../ui/segments.js").Segments} Segments */
/** @typedef {import("./subject.js").CaptionContext} CaptionContext */
/** @typedef {import("../place.js").Place} Place */

/**
 * The caption of a place.
 * @param {Place} place
 * @param {CaptionContext} context
 * @param {any} words CAPTIONS
 * @returns {Segments}
 */
export function captionOf(place, context, words) {
  const subject = new Subject(place, context, words);
  const { effect } = context;
  if (!effect) return placeCaption(subject);
  const rest = levelOf(place) === "whole" ? fillSegments(words.changes.glow, {}) : placeCaption(subject);
  return subject.join(effect, rest);
}

/**
 * The same in a list of all places, where a name stands before every caption, and what Q, K and V do is not repeated.
 * `tensors` are those of one place, and so are left out.
 * @param {Place} place
 * @param {CaptionContext} context
 * @param {any} words CAPTIONS
 * @returns {Segments}
 */
export function shortCaptionOf(place, context, words) {
  const subject = new Subject(place, { ...context, tensors: undefined }, words);
  const level = levelOf(place);
  if (level === "layer") return layerInList(subject);
  return level === "head" ? headInList(subject) : placeCaption(subject);
}

/** @param {Subject} subject */
function placeCaption(subject) {
  switch (levelOf(subject.place)) {
    case "whole": return wholeCaption(subject);
    case "layer": return layerCaption(subject);
    case "head": return headCaption(subject);
    case "neuron": return neuronCaption(subject);
    case "number": return numberCaption(subject);
    default: return blockCaption(subject);
  }
}

/** @param {Subject} subject */
function blockCaption(subject) {
  const { stack, block } = subject.place;
  if (stack === "memory") return memoryCaption(subject);
  if (stack === "output") return outputCaption(subject);
  if (block === "embedding") return embeddingCaption(subject);
  return block === "feed" ? feedCaption(subject) : attentionCaption(subject);
}

function wholeCaption(subject) {
  const { words, context: { trace, step, again } } = subject;
  const { variant, values } = subject.pair(step);
  const percent = formatPercent(trace.steps[step].probability);
  if (again) return fillSegments(words.again[variant], { ...values, percent });
  return fillSegments(words.whole, { now: fillSegments(words.now[variant], { ...values, percent }) });
}

function layerCaption(subject) {
  const { words: { layer: words }, place: { stack, layer }, context: { config } } = subject;
  const title = fillSegments(words.title, { layer: layer + 1, layers: config.layers[stack] });
  return subject.join(title, layerInList(subject));
}

function layerInList({ words, place: { stack } }) {
  return fillSegments(words.layer[stack], {});
}

function embeddingCaption(subject) {
  const { words, place: { stack }, context: { config, step } } = subject;
  const values = stack === "encoder" ? {} : subject.pair(step).values;
  const positions = words.positions[subject.positions];
  return fillSegments(words.embedding[stack], { width: formatInteger(config.d_model), positions, ...values });
}

/** What the network is for; which neurons are above zero, if they are loaded. */
function feedCaption(subject) {
  const { words: { feed }, context: { config, tensors }, place: { stack }, row } = subject;
  const numbers = formatInteger(config.d_ff);
  const rule = fillSegments(feed.rule, { numbers, width: formatInteger(config.d_model) });
  if (!tensors?.hidden) return rule;
  const count = formatInteger(tensors.hidden.row(row).filter((number) => number > 0).length);
  const others = config.activation === "relu" ? feed.others : "";
  return subject.explained(rule, fillSegments(feed[stack], { count, numbers, others, ...subject.looker() }));
}

/** What a neuron is, and at what it stands, if that is loaded. */
function neuronCaption(subject) {
  const { words: { neuron: words }, context: { config, tensors }, place: { stack, neuron }, row } = subject;
  const rule = fillSegments(words.rule, {
    neuron: neuron + 1, numbers: formatInteger(config.d_ff), width: formatInteger(config.d_model),
  });
  if (!tensors?.hidden) return rule;
  const value = tensors.hidden.row(row)[neuron];
  const seen = value > 0 ? words.fires : words.silent;
  return subject.explained(rule, fillSegments(seen[stack], {
    neuron: neuron + 1, value: formatDecimal(value, 2), ...subject.looker(),
  }));
}

/** @param {Subject} subject */
function memoryCaption({ words: { memory }, context: { trace, config } }) {
  const { encoder } = trace.kinds;
  const layers = [...Array(config.layers.encoder).keys()];
  const isApart = layers.every((layer) => encoder.headsOn(layer).length === 0);
  const variant = isApart ? "apart" : layers.length === 1 ? "one" : "several";
  return fillSegments(memory[variant], { layers: layers.length });
}

function outputCaption(subject) {
  const { words: { output }, context: { trace, step, config } } = subject;
  const { predicted, probability, candidates } = trace.steps[step];
  const { values } = subject.pair(step);
  const other = candidates.find(({ id }) => id !== predicted.id);
  const variant = other && (other.probability > probability ? "overruled" : "chosen");
  const sentence = fillSegments(output[variant ?? "alone"], {
    ...values,
    width: formatInteger(config.d_model),
    vocabulary: formatInteger(config.vocabulary),
    percent: formatPercent(probability),
    other: other && subject.target(other),
    share: other && formatPercent(other.probability),
  });
  const isLast = step === trace.steps.length - 1;
  const ending = isLast ? (predicted.special ? "end" : "stop") : "next";
  return subject.join(sentence, fillSegments(output[ending], {}));
}
