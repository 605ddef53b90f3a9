// The stops of the guided flight, chosen from the data of any translation and model. Pure.

import { WHOLE } from "../place.js";
import { clearestHead, mostVariedLayer } from "../telling.js";

export const FLIGHT_MS = 60_000; // of the whole flight, on the page and in a file

/**
 * A stop; `key` is that of its title in the words (TOUR.titles). `step` is the one that it shows.
 * @typedef {{ key: string, place: import("../place.js").Place, step: number }} Stop
 */

/**
 * @param {import("./subject.js").CaptionContext} context
 * @returns {Stop[]}
 */
export function stopsOf({ trace, step, config, largestProduct = () => 0 }) {
  const encoderLayer = mostVariedLayer(trace.kinds.encoder);
  const encoder = { ...WHOLE, stack: "encoder", layer: encoderLayer };
  /** @type {import("../place.js").Place} */
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
    ["q", { ...last, head, part: "q", row: step, column: largestProduct({ ...last, head }, step, key) }],
    ["weight", { ...last, head, part: "weights", row: step, column: key }],
    ["output", { ...WHOLE, stack: "output" }],
  ];
  const stops = places.map(([name, place]) => ({ key: name, place: /** @type {any} */ (place), step }));
  const hasNext = step + 1 < trace.steps.length;
  return hasNext ? [...stops, { key: "again", place: WHOLE, step: step + 1 }] : stops;
}
