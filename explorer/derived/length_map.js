// Maps of lengths beside maps of weights: what a head contributes, beside where it looks.

import { Tensor } from "../ui/tensor.js";
import { AttentionMap } from "./attention_map.js";

const ROUNDING = 1e-5; // relative difference of two lengths that are equal but for rounding

/**
 * A map of lengths, ||w v W_O|| of every cell (explorer/recording/vector_lengths.py). Weights are never negative, so
 * that a length is the weight times ||v W_O|| of its key.
 */
class LengthMap extends AttentionMap {
  /** @type {AttentionMap} The map of weights. */ base;
  /** @type {"length"} */ measure = "length";
  /** @type {TensorPayload | null} What the model's call `norms` gave: [layer head key]. */ norms = null;
  /** How often the strongest key changes, by layer, head and hidden keys. @type {Map<string, number>} */
  changes = new Map();
  /** The largest length of all heads, found on first use. @type {number | null} */
  longest = null;

  /** @param {AttentionMap} base the map of weights */
  constructor(base) {
    const { kind, layers, heads, queries, keys, special } = base;
    super(kind, { shape: [layers, heads, queries.length, keys.length], weights: null, queries, keys, special });
    this.base = base;
  }

  get ready() {
    return this.norms !== null;
  }

  /**
   * Takes what the model's call `norms` gave.
   *
   * @param {{ norms?: TensorPayload }} answer
   */
  receive({ norms }) {
    this.norms = norms;
  }

  get weights() {
    return this.decoded ??= this.multiplied(new Tensor(this.norms));
  }

  /** @param {{ data: ArrayLike<number> }} tensor */
  multiplied({ data: norms }) {
    const { base, layers, heads, queries, keys } = this;
    const lengths = base.weights.slice();
    for (let row = 0; row < layers * heads; row++) {
      for (let query = 0; query < queries.length; query++) {
        const start = this.start(0, row, query);
        for (let key = 0; key < this.reach(query); key++) lengths[start + key] *= norms[row * keys.length + key];
      }
    }
    return lengths;
  }

  /** The largest length of all heads. */
  get ceiling() {
    return this.longest ??= this.weights.reduce((longest, length) => Math.max(longest, length), 0) || 1;
  }

  /**
   * Sets the lengths of special pieces to 0; the others stay, because rows of lengths do not sum to 1.
   * @param {Numbers} row
   */
  dropSpecials(row) {
    for (const key of this.special.keys) row[key] = 0;
  }

  /**
   * In how many of `rows`, those that see more than one key, the longest part is not the key with the largest weight:
   * `here` for a choice of heads, `all` as a share over all heads.
   * @param {Heads} heads @param {boolean} specials
   */
  changed({ layer, head }, specials) {
    /** @type {Set<number>} */
    const hidden = specials ? new Set() : this.special.keys;
    /** @type {(query: number) => number} */
    const visible = (query) => this.keys.filter((_, key) => key < this.reach(query) && !hidden.has(key)).length;
    const rows = this.queries.filter((_, query) => visible(query) > 1).length;
    const here = this.countChanges(layer, head, hidden);
    let total = 0;
    for (let i = 0; i < this.layers; i++) {
      for (let j = 0; j < this.heads; j++) total += this.countChanges(i, j, hidden);
    }
    return { rows, here, all: rows ? total / (this.layers * this.heads * rows) : 0 };
  }

  /** @param {LayerChoice} layer @param {HeadChoice} head @param {Set<number>} hidden */
  countChanges(layer, head, hidden) {
    const key = `${layer} ${head} ${hidden.size}`;
    if (!this.changes.has(key)) {
      this.changes.set(key, strongestKeyChanges(this.base.matrix(layer, head), this.matrix(layer, head), hidden));
    }
    return this.changes.get(key);
  }
}

/**
 * The map for a measure, "weight" or "length", that belongs to a map of weights.
 * @param {AttentionMap} map @param {AttentionMap["measure"]} measure
 */
export function mapOfMeasure(map, measure) {
  if (measure === "weight") return map;
  map.lengths ??= new LengthMap(map);
  return map.lengths;
}

/**
 * In how many rows the largest weight and the longest part disagree, with some keys hidden. Parts that differ by
 * rounding alone count as equally long: a model without positions often has two such keys.
 * @param {Numbers[]} weights @param {Numbers[]} lengths @param {Set<number>} hidden
 */
function strongestKeyChanges(weights, lengths, hidden) {
  return weights.filter((row, query) => {
    const length = (/** @type {number} */ key) => (hidden.has(key) ? 0 : lengths[query][key]);
    return length(strongestKey(row, hidden)) < length(strongestKey(lengths[query], hidden)) * (1 - ROUNDING);
  }).length;
}

/**
 * The key with the largest number of a row; hidden keys count as 0.
 * @param {Numbers} row @param {Set<number>} hidden
 */
function strongestKey(row, hidden) {
  const number = (/** @type {number} */ key) => (hidden.has(key) ? 0 : row[key]);
  let best = 0;
  for (let key = 1; key < row.length; key++) {
    if (number(key) > number(best)) best = key;
  }
  return best;
}
