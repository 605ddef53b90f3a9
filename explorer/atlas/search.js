// Finds the neurons and the heads of an atlas that have to do with a token, as search.py does. Pure.

import { tokenKey } from "./corpus.js";
import { STRONGEST } from "./layer.js";

/** @typedef {import("./layer.js").AtlasLayer} AtlasLayer */
/** @typedef {import("./layer.js").NeuronName} NeuronName */

/**
 * A neuron or, if it `isHead`, a head. `share` is that of its strongest contexts, or arrows, that have the token; the
 * arrows of a head lead "from" it or "to" it. `name` is that of a neuron, if the token is part of it.
 * @typedef {{ kind: Kind, layer: number, number: number, isHead: boolean,
 *   relation: "on" | "before" | "writes" | "from" | "to", share: number, name: NeuronName | null }} Hit
 */

const MIN_SHARE = 0.5, MIN_CONTEXTS = 4, MIN_ARROWS = 0.25;
/** @type {Record<Stack, Kind[]>} */
const KINDS = { encoder: ["encoder"], decoder: ["decoder", "cross"] };

/**
 * At most `most` neurons and as many heads, best first.
 * @param {string} text
 * @param {AtlasLayer[]} layers
 * @returns {{ neurons: Hit[], heads: Hit[] }}
 */
export function search(text, layers, most = 20) {
  const key = tokenKey(text.trim());
  const matches = layers[0].corpus.keys.map((one) => one === key);
  if (!matches.includes(true)) return { neurons: [], heads: [] };
  return {
    neurons: layers.flatMap((layer) => neuronHits(layer, key, matches)).sort(compareHits).slice(0, most),
    heads: layers.flatMap((layer) => headHits(layer, matches)).sort(compareHits).slice(0, most),
  };
}

/** Names that hold come first, then those that perhaps do, then what has no name with the token. @param {Hit} hit */
function rankOf({ name, share }) {
  if (!name) return { group: 2, value: -share };
  const { precision, recall, standing } = name;
  const harmonic = 2 * precision * recall / Math.max(precision + recall, 1e-9);
  return { group: standing === "holds" ? 0 : 1, value: -harmonic };
}

/** @param {Hit} one @param {Hit} other */
function compareHits(one, other) {
  const [first, second] = [rankOf(one), rankOf(other)];
  return first.group - second.group || first.value - second.value;
}

/**
 * @param {AtlasLayer} layer
 * @param {string} key
 * @param {boolean[]} matches by token
 * @returns {Hit[]}
 */
function neuronHits(layer, key, matches) {
  const { stack, names } = layer;
  /** @type {Hit[]} */
  const hits = [];
  layer.slot.forEach((at, neuron) => {
    if (at < 0) return;
    const name = names.get(neuron);
    const isNamed = name?.tokens.some(({ text }) => tokenKey(text) === key) ?? false;
    const { count, on, next } = countMatches(layer, at, matches);
    const isFound = count >= MIN_CONTEXTS && Math.max(on, next) / count >= MIN_SHARE;
    if (!isNamed && !isFound) return;
    const relation = isNamed ? name.relation : on >= next ? "on" : stack === "decoder" ? "writes" : "before";
    const share = (relation === "on" ? on : next) / Math.max(count, 1);
    const where = { kind: stack, layer: layer.layer, number: neuron, isHead: false };
    hits.push({ ...where, relation, share, name: isNamed ? name : null });
  });
  return hits;
}

/**
 * How many of a neuron's strongest contexts there are, and of how many the token is there, or next.
 * @param {AtlasLayer} layer
 * @param {number} at
 * @param {boolean[]} matches by token
 */
function countMatches({ contexts: { strongest: { level, place } }, count: width, positions }, at, matches) {
  const { ids, nextIds } = positions;
  let count = 0, on = 0, next = 0;
  for (let i = at; i < STRONGEST * width; i += width) {
    if (level[i] === 0) continue;
    count += 1;
    if (matches[ids[place[i]]]) on += 1;
    if (matches[nextIds[place[i]]]) next += 1;
  }
  return { count, on, next };
}

/**
 * @param {AtlasLayer} layer
 * @param {boolean[]} matches by token
 * @returns {Hit[]}
 */
function headHits(layer, matches) {
  const { source, fed } = layer.corpus;
  return KINDS[layer.stack].flatMap((kind) => {
    const [queries, keys] = [kind === "encoder" ? source : fed, kind === "decoder" ? fed : source];
    const { shape: [heads, width] } = layer.arrays[`${kind}_weight`];
    return Array.from({ length: heads }, (_, head) => layer.arrows(kind, head)).flatMap((arrows, head) => {
      const shares = {
        from: arrows.filter(({ sentence, query }) => matches[queries[sentence][query]]).length / width,
        to: arrows.filter(({ sentence, key }) => matches[keys[sentence][key]]).length / width,
      };
      return /** @type {const} */ (["from", "to"]).filter((end) => shares[end] >= MIN_ARROWS).map((relation) => ({
        kind, layer: layer.layer, number: head, isHead: true, relation, share: shares[relation], name: null }));
    });
  });
}
