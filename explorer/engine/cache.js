// What cached decoding keeps between steps, so that each step feeds only the newest piece: model/cache.py.

import { concatenate } from "./tensor.js";

/** The keys and values that one decoder layer keeps: of the pieces fed so far, and of the memory. */
export class LayerCache {
  fed = null;
  memory = null;

  /** Appends the newly fed pieces; returns all so far. */
  extend({ k, v }) {
    this.fed = this.fed ? { k: concatenate(this.fed.k, k, 2), v: concatenate(this.fed.v, v, 2) } : { k, v };
    return this.fed;
  }

  select(rows) {
    const { k, v } = this.fed;
    this.fed = { k: k.select(rows), v: v.select(rows) };
  }
}

/** The ids fed so far and a LayerCache per decoder layer; belongs to the one `Encoded` it is first used with. */
export class Cache {
  constructor(nLayers) {
    this.ids = null;
    this.layers = Array.from({ length: nLayers }, () => new LayerCache());
  }

  /** Appends the newly fed ids; returns all so far. */
  extend(ids) {
    this.ids = this.ids ? concatenate(this.ids, ids, 1) : ids;
    return this.ids;
  }

  /** Keeps some rows, in the order of `rows`; one may occur more than once. All are of one source: its memory stays. */
  select(rows) {
    this.ids = this.ids.select(rows);
    for (const layer of this.layers) layer.select(rows);
  }
}
