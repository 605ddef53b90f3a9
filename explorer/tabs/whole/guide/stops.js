// The stops of the guided flight, chosen from the data of any translation and model. Pure.

import { favouriteKey, layerLooks, strongestOf } from "../../../derived/head_looks.js";
import { WHOLE } from "../place.js";

export const FLIGHT_MS = 60_000; // of the whole flight, on the page and in a file
const CLEAR_SHARE = [0.55, 0.95]; // a weight that is clear, but does not leave zeros alone beside it

/**
 * A stop; `key` is that of its title in the words (TOUR.titles). `step` is the one that it shows.
 * @typedef {{ key: string, place: import("../place.js").Place, step: number }} Stop
 */

/**
 * @param {import("./subject.js").CaptionContext} context
 * @returns {Stop[]}
 */
export function stopsOf({ trace, step, config }) {
  const encoderLayer = tellingLayer(trace.kinds.encoder);
  const encoder = { ...WHOLE, stack: "encoder", layer: encoderLayer };
  const last = { ...WHOLE, stack: "decoder", layer: config.layers.decoder - 1, block: "cross" };
  const { head, key } = clearestHead(trace.kinds.cross, last.layer, step);
  /** @type {[string, object][]} */
  const places = [
    ["whole", WHOLE],
    ["embedding", { ...WHOLE, stack: "encoder", block: "embedding" }],
    ["self", { ...encoder, block: "self" }],
    ["layer", encoder],
    ["feed", { ...encoder, block: "feed" }],
    ["memory", { ...WHOLE, stack: "memory" }],
    ["masked", { ...WHOLE, stack: "decoder", layer: 0, block: "self" }],
    ["cross", last],
    ["head", { ...last, head }],
    ["q", { ...last, head, part: "q", row: step, column: 0 }],
    ["weight", { ...last, head, part: "weights", row: step, column: key }],
    ["output", { ...WHOLE, stack: "output" }],
  ];
  const stops = places.map(([name, place]) => ({ key: name, place: /** @type {any} */ (place), step }));
  const hasNext = step + 1 < trace.steps.length;
  return hasNext ? [...stops, { key: "again", place: WHOLE, step: step + 1 }] : stops;
}

/** The layer whose heads have the most different things to look at, the first of several. */
function tellingLayer(map) {
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
function clearestHead(map, layer, row) {
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
