// Maps of lengths, the norms of weight x value x W_O (explorer/recording/lengths.py), with the interface of a map of weights.

import { AttentionMap } from "./attention.js";
import { Tensor } from "../ui/tensor.js";

/** The map for a measure, "weight" or "length", that belongs to a map of weights. */
export function mapOfMeasure(map, measure) {
  if (measure === "weight") return map;
  map.lengths ??= new LengthMap(map);
  return map.lengths;
}

export class LengthMap extends AttentionMap {
  constructor({ kind, layers, heads, queries, keys, special }) {
    super(kind, { shape: [layers, heads], weights: null, queries, keys, special });
    this.measure = "length";
  }

  /** The decoded response: the lengths as weights, and how often they change the strongest key. */
  get answer() {
    return this.decoded ??= decodeLengths(JSON.parse(this.encoded));
  }

  get weights() {
    return this.answer.weights;
  }

  /** The largest length of all heads. */
  get ceiling() {
    return this.answer.longest;
  }

  /** Sets the lengths of special pieces to 0; the others stay, because rows of lengths do not sum to 1. */
  dropSpecials(row) {
    for (const key of this.special.keys) row[key] = 0;
  }

  /** In how many of `rows` the strongest key differs from that by weight: `here` for a choice of heads, `all` as a share over all heads. */
  changed({ layer, head }, specials) {
    const { rows, different } = this.answer.changed[specials ? 0 : 1];
    const index = (choice, count) => ({ mean: count, max: count + 1 })[choice] ?? choice;
    const single = different.slice(0, this.layers).flatMap((line) => line.slice(0, this.heads));
    const sum = single.reduce((total, count) => total + count, 0);
    const here = different[index(layer, this.layers)][index(head, this.heads)];
    return { rows, here, all: rows ? sum / (single.length * rows) : 0 };
  }
}

function decodeLengths({ lengths, changed }) {
  const { data } = new Tensor(lengths);
  return { weights: data, changed, longest: data.reduce((longest, length) => Math.max(longest, length), 0) || 1 };
}
