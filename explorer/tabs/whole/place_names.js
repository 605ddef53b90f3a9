// What places are called where there is room for a few words: along the way from the whole to where one is. Pure.

import { fill } from "../../ui/text.js";
import { pathOf } from "./place.js";

/**
 * @param {import("./place.js").Place} place
 * @param {any} names TOUR.names
 * @returns {string}
 */
export function placeName({ stack, layer, block, head, neuron, part }, names) {
  if (part !== null) return names.parts[part];
  if (head !== null) return fill(names.head, { number: head + 1 });
  if (neuron !== null) return fill(names.neuron, { number: neuron + 1 });
  if (block === "self" && stack === "decoder") return names.masked;
  if (block !== null) return names[block];
  if (layer !== null) return fill(names.layer, { number: layer + 1 });
  return names[stack ?? "whole"];
}

/**
 * The way to a place, the whole first, as links: { name, place }. A stack is on the way without being a place: its
 * place is null.
 */
export function trailOf(place, names) {
  const [whole, ...inside] = pathOf(place).map((one) => ({ name: placeName(one, names), place: one }));
  const isInStack = place.stack === "encoder" || place.stack === "decoder";
  return [whole, ...(isInStack ? [{ name: names[place.stack], place: null }] : []), ...inside];
}
