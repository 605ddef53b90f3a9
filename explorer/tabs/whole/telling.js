// What tells most at a place: the layer, the head and the number with the largest share. Pure.

import { favouriteKey, layerLooks, strongestKey, strongestOf } from "../../derived/head_looks.js";
import { rowOf } from "./guide/subject.js";
import { WHOLE, kindOf, levelOf } from "./place.js";

/** @typedef {import("./place.js").Place} Place */

const CLEAR_SHARE = [0.55, 0.95]; // a weight that is clear, but does not leave zeros alone beside it

/**
 * The place one level further in that tells most about the step: the layer that looks most clearly at a word of the
 * source, its attention, its clearest head, and the largest weight; the number of a neuron; null where nothing is
 * further in.
 * @param {Place} place
 * @param {{ trace: Trace, step: number, config: Record<string, any> }} context
 * @returns {Place | null}
 */
export function tellingPlace(place, context) {
  const { trace, step, config } = context;
  const level = levelOf(place);
  const kind = kindOf(place);
  const row = rowOf(place, context);
  if (level === "whole") {
    const layer = trace.kinds.cross.ready ? clearestLayer(trace.kinds.cross, step) : config.layers.decoder - 1;
    return { ...WHOLE, stack: "decoder", layer };
  }
  if (level === "layer") return { ...place, block: place.stack === "decoder" ? "cross" : "self" };
  if (level === "neuron") return { ...place, neuron: null, part: "hidden", row, column: place.neuron };
  if (kind === null || level === "number") return null;
  const map = trace.kinds[kind];
  if (level === "block") return { ...place, head: clearestHead(map, place.layer, row).head };
  if (!map.ready) return null;
  return { ...place, part: "weights", row, column: strongestOf(map, place.layer, place.head, row) };
}

/**
 * The dimension with the largest product of a query and a key of a head.
 * @param {{ q: import("../../ui/tensor.js").Tensor, k: import("../../ui/tensor.js").Tensor }} head
 * @param {number} query
 * @param {number} key
 */
export function largestProduct({ q, k }, query, key) {
  const offers = k.row(key);
  return strongestKey([...q.row(query)].map((number, dimension) => number * offers[dimension]));
}

/** The layer with the largest mean weight of a row on a word. */
function clearestLayer(map, row) {
  const shares = Array.from({ length: map.layers }, (_, layer) => (
    Math.max(...[...map.meanRows(layer)[row]].filter((_, key) => !map.special.keys.has(key)))));
  return shares.indexOf(Math.max(...shares));
}

/** The layer whose heads have the most different things to look at, the first of several. */
export function mostVariedLayer(map) {
  if (!map.ready) return 0;
  const variety = Array.from({ length: map.layers }, (_, layer) => {
    const looks = layerLooks(map, layer).map(({ look }) => look).filter((look) => look !== "mixed");
    return new Set(looks).size;
  });
  return variety.indexOf(Math.max(...variety));
}

/**
 * The head that looks most clearly at one token in a row, and that token: rather at the token that most heads look at
 * most, and with a weight within CLEAR_SHARE on a word.
 */
export function clearestHead(map, layer, row) {
  if (!map.ready) return { head: 0, key: 0 };
  const heads = map.headsOn(layer);
  if (!heads.length) return { head: 0, key: strongestOf(map, layer, 0, row) };
  const favourite = favouriteKey(map, layer, row).key;
  const [least, most] = CLEAR_SHARE;
  const ranked = heads.map((head) => {
    const key = strongestOf(map, layer, head, row);
    const weight = map.weight(layer, head, row, key);
    const isClear = weight >= least && weight <= most && !map.special.keys.has(key);
    return { head, key, rank: (isClear ? 4 : 0) + (key === favourite ? 2 : 0) + (weight > most ? 1 : weight) };
  });
  return ranked.reduce((best, one) => (one.rank > best.rank ? one : best));
}
