// What is added instead of what is looked at: lengths of weight x value x W_O (explorer/recording/lengths.py), as a map
// that is read like one of weights.

import { AttentionMap } from "./attention.js";
import { Tensor } from "../ui/tensor.js";

/** The map that shows a measure, "weight" or "length", in the place of a map of weights. */
export function measured(map, measure) {
  if (measure === "weight") return map;
  map.lengths ??= new LengthMap(map);
  return map.lengths;
}

export class LengthMap extends AttentionMap {
  constructor({ kind, layers, heads, queries, keys, special }) {
    super(kind, { shape: [layers, heads], weights: null, queries, keys, special });
    this.measure = "length";
  }

  /** What the answer holds: the lengths in the place of weights, and what they change. */
  get answer() {
    return this.decoded ??= decode(JSON.parse(this.encoded));
  }

  get weights() {
    return this.answer.weights;
  }

  /** The longest of all heads: where colours are fixed, it has the full one. */
  get ceiling() {
    return this.answer.longest;
  }

  /** Lengths sum to nothing in particular, so that without the special pieces the others stay as they are. */
  rest(row) {
    for (const key of this.special.keys) row[key] = 0;
  }

  /** How often, of `rows`, the strongest key is another one than by weight: for a choice of heads, and all heads' share. */
  changed({ layer, head }, specials) {
    const { rows, different } = this.answer.changed[specials ? 0 : 1];
    const index = (choice, count) => ({ mean: count, max: count + 1 })[choice] ?? choice;
    const single = different.slice(0, this.layers).flatMap((line) => line.slice(0, this.heads));
    const sum = single.reduce((total, count) => total + count, 0);
    const here = different[index(layer, this.layers)][index(head, this.heads)];
    return { rows, here, all: rows ? sum / (single.length * rows) : 0 };
  }
}

function decode({ lengths, changed }) {
  const { data } = new Tensor(lengths);
  return { weights: data, changed, longest: data.reduce((longest, length) => Math.max(longest, length), 0) || 1 };
}
