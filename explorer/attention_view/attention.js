// The attention weights of one kind: all layers and heads, and what can be read off them. No drawing here.

import { unpack } from "../shared/unpack.js";

export class AttentionMap {
  constructor(kind, { shape, weights, queries, keys, special }) {
    [this.layers, this.heads] = shape;
    Object.assign(this, { kind, queries, keys });
    this.special = { queries: new Set(special.queries), keys: new Set(special.keys) };
    Object.assign(this, { packed: weights, unpacked: null, asked: false });
  }

  /** False while the weights have not been sent: a large trace comes one kind at a time. */
  get ready() {
    return typeof this.packed === "string";
  }

  get weights() {
    this.unpacked ??= unpack(this.packed);
    return this.unpacked;
  }

  /** How many keys a query may attend to; the decoder's future is masked. */
  reach(query) {
    return this.kind === "decoder" ? query + 1 : this.keys.length;
  }

  /** Where the weights of a head begin, and of a query in it: the decoder's rows hold no masked keys. */
  start(layer, head, query) {
    const rows = this.queries.length;
    const size = this.kind === "decoder" ? (rows * (rows + 1)) / 2 : rows * this.keys.length;
    const before = this.kind === "decoder" ? (query * (query + 1)) / 2 : query * this.keys.length;
    return (layer * this.heads + head) * size + before;
  }

  /** Rows of weights, masked keys 0; layer and head are numbers, or "mean" or "max" over all: heads first. */
  matrix(layer, head) {
    return combined(layer, this.layers, (l) => combined(head, this.heads, (h) => this.one(l, h)));
  }

  weight(layer, head, query, key) {
    return key < this.reach(query) ? this.weights[this.start(layer, head, query) + key] : 0;
  }

  one(layer, head) {
    return this.queries.map((_, query) => {
      const row = new Float32Array(this.keys.length);
      const start = this.start(layer, head, query);
      row.set(this.weights.subarray(start, start + this.reach(query)));
      return row;
    });
  }
}

/** The matrix of one index, or the mean or maximum of those of all. */
function combined(choice, count, matrixOf) {
  if (choice !== "mean" && choice !== "max") return matrixOf(choice);
  const result = matrixOf(0);
  for (let i = 1; i < count; i++) {
    matrixOf(i).forEach((row, query) => row.forEach((weight, key) => {
      const before = result[query][key];
      result[query][key] = choice === "mean" ? before + weight : Math.max(before, weight);
    }));
  }
  if (choice === "mean") for (const row of result) for (let key = 0; key < row.length; key++) row[key] /= count;
  return result;
}

/**
 * What is shown of a map: `keys` are the indices of its columns, `rows` their weights, `reach` how many columns a row
 * may attend to. Without the special pieces the rest of a row is divided by its sum; where nothing is left, by 1.
 */
export function shown(map, { layer, head }, specials) {
  const keys = [...map.keys.keys()].filter((key) => specials || !map.special.keys.has(key));
  const reach = map.queries.map((_, query) => keys.filter((key) => key < map.reach(query)).length);
  const rows = map.matrix(layer, head).map((row) => {
    const kept = Float32Array.from(keys, (key) => row[key]);
    return keys.length === row.length ? kept : normalised(kept);
  });
  const { kind, queries, special } = map;
  return { kind, queries, keys, labels: keys.map((key) => map.keys[key]), special, reach, rows };
}

function normalised(row) {
  const sum = total(row);
  return sum > 0 ? row.map((weight) => weight / sum) : row;
}

export function total(row) {
  return row.reduce((sum, weight) => sum + weight, 0);
}

/** The weight between a query and a key, 0 where the key is hidden or masked. */
export function weightOf(content, query, key) {
  const column = content.keys.indexOf(key);
  return column < 0 ? 0 : content.rows[query][column];
}

/** Every query's weight for a key; 0 where the key is hidden or masked. */
export function columnOf(content, key) {
  const column = content.keys.indexOf(key);
  return Float32Array.from(content.rows, (row) => (column < 0 ? 0 : row[column]));
}

/** The strongest keys of a row, or queries of a column: pairs of index and weight. */
export function strongest(weights, count) {
  return [...weights.entries()].sort((a, b) => b[1] - a[1]).slice(0, count).filter(([, weight]) => weight >= 0.0005);
}
