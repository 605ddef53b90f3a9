// How the attention view leads into the picture: to what place, and why it shows another number than stands there.

import { combinedWeight } from "../../attention_view/state.js";
import { strongestOf } from "../../derived/head_looks.js";
import { ROLLOUT, missingMap } from "../../derived/rollout.js";
import { headsName } from "../../ui/text.js";
import { WHOLE } from "./place.js";

/** @typedef {import("./place.js").Place} Place */

/**
 * What the attention view shows when it is left.
 * @typedef {{ view: View, trace: Trace }} Left
 */

/**
 * The place of what a view shows; for a cell of several heads, that of the head with the largest weight there; for a
 * pinned row of one head its largest weight.
 * @param {Left} left
 * @returns {Place}
 */
export function placeOfView({ view, trace }) {
  const { kind, layer, head, cell, pin } = view;
  /** @type {Place} */
  const block = {
    ...WHOLE, stack: kind === "encoder" ? "encoder" : "decoder", block: kind === "cross" ? "cross" : "self",
  };
  const map = trace.kinds[kind];
  if (cell && !missingMap(view, map)) {
    const { heads } = combinedWeight(view, map, cell);
    const strongest = heads.reduce((best, one) => (one.weight > best.weight ? one : best));
    const site = { layer: strongest.layer, head: strongest.head };
    return { ...block, ...site, part: "weights", row: cell.query, column: cell.key };
  }
  if (typeof layer !== "number") return WHOLE;
  if (typeof head !== "number") return { ...block, layer };
  if (pin?.axis !== "query" || missingMap(view, map)) return { ...block, layer, head };
  const column = strongestOf(map, layer, head, pin.index);
  return { ...block, layer, head, part: "weights", row: pin.index, column };
}

/**
 * Why the weight of a cell is not the number that the attention view shows of it: sentences of the words NUMBERS, with
 * values.
 * @param {Left} left with a cell
 * @param {any} words HEADS of explorer/ui/words/
 */
export function weightRemarks({ view, trace }, words) {
  const { kind, layer, head, measure, specials, cell } = view;
  if (measure === "length") return [{ name: "remarks.lengths", values: {} }];
  const remarks = specials ? [] : [{ name: "remarks.specials", values: {} }];
  if (typeof layer === "number" && typeof head === "number") return remarks;
  const share = trace.kinds[kind].weight(layer, head, cell.query, cell.key);
  const name = layer === ROLLOUT ? "remarks.rollout" : "remarks.several";
  return [{ name, values: { heads: headsName(words, view), share: { share } } }, ...remarks];
}
