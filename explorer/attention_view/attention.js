// The attention weights of one kind: all layers and heads, and what can be read off them. No drawing here.

import { ROLLOUT, rollout } from "./rollout.js";
import { decodeFloats } from "../ui/tensor.js";

export class AttentionMap {
  /** `weights` is base64 of all that are not masked, layer by layer, head by head, row by row; null: not sent yet. */
  constructor(kind, { shape, weights, queries, keys, special }) {
    [this.layers, this.heads] = shape;
    Object.assign(this, { kind, queries, keys, measure: "weight", kinds: { [kind]: this } }); // payload.js names the others
    this.special = { queries: new Set(special.queries), keys: new Set(special.keys) };
    Object.assign(this, { encoded: weights, decoded: null, rolledOut: null, asked: false });
  }

  /** False while the weights have not been sent: a large trace comes one kind at a time. */
  get ready() {
    return typeof this.encoded === "string";
  }

  /** The weights of all heads, decoded once. */
  get weights() {
    return this.decoded ??= decodeFloats(this.encoded);
  }

  /** The number that has the full colour where colours are fixed, so that heads compare. */
  get ceiling() {
    return 1;
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

  /** Rows of weights, masked keys 0; layer and head are numbers, or "mean" or "max" over all: heads first; or a rollout. */
  matrix(layer, head) {
    if (layer === ROLLOUT) return this.rollout.map((row) => row.slice());
    return combined(layer, this.layers, (l) => combined(head, this.heads, (h) => this.one(l, h)));
  }

  /** The rows across all layers; made once, when all weights are there. */
  get rollout() {
    return this.rolledOut ??= rollout(this);
  }

  /** The rows of one head, side by side in one array: many small ones take three times as long. */
  one(layer, head) {
    const { weights } = this, width = this.keys.length;
    const all = new Float64Array(this.queries.length * width);
    return this.queries.map((_, query) => {
      const row = all.subarray(query * width, (query + 1) * width);
      const start = this.start(layer, head, query);
      row.set(weights.subarray(start, start + this.reach(query)));
      return row;
    });
  }

  /**
   * What is shown of a matrix: its rows and their sums. Without the special pieces these are 0, and the rest of a row is
   * divided by its sum; where nothing is left, it stays 0.
   */
  numbers({ layer, head }, specials) {
    const rows = this.matrix(layer, head);
    if (!specials && this.special.keys.size > 0) for (const row of rows) this.rest(row);
    return { rows, sums: Float64Array.from(rows, total) };
  }

  /** Leaves nothing of the special pieces, and divides the rest of a row by its sum. */
  rest(row) {
    for (const key of this.special.keys) row[key] = 0;
    const left = total(row) || 1;
    for (let key = 0; key < row.length; key++) row[key] /= left;
  }

  /** One weight of a matrix with all keys; 0 where it is masked. */
  weight(layer, head, query, key) {
    if (key >= this.reach(query)) return 0;
    if (layer === ROLLOUT) return this.rollout[query][key];
    const { weights } = this;
    return joined(layer, this.layers, (l) => joined(head, this.heads, (h) => weights[this.start(l, h, query) + key]));
  }
}

/** The number of one index, or the mean or maximum of those of all. */
function joined(choice, count, numberOf) {
  if (choice !== "mean" && choice !== "max") return numberOf(choice);
  const numbers = Array.from({ length: count }, (_, i) => numberOf(i));
  return choice === "mean" ? total(numbers) / count : Math.max(...numbers);
}

/** The same for matrices. */
function combined(choice, count, matrixOf) {
  if (choice !== "mean" && choice !== "max") return matrixOf(choice);
  const result = matrixOf(0);
  for (let i = 1; i < count; i++) {
    const matrix = matrixOf(i);
    for (let query = 0; query < result.length; query++) {
      const row = result[query], other = matrix[query];
      if (choice === "mean") for (let key = 0; key < row.length; key++) row[key] += other[key];
      else for (let key = 0; key < row.length; key++) row[key] = Math.max(row[key], other[key]);
    }
  }
  if (choice === "mean") for (const row of result) for (let key = 0; key < row.length; key++) row[key] /= count;
  return result;
}

/**
 * What is shown of a map: `keys` are the indices of its columns, `rows` their weights, `sums` of the rows, `reach` how many
 * columns a row may attend to; `ceiling` is the number of the full colour.
 */
export function shown(map, heads, specials) {
  const keys = [...map.keys.keys()].filter((key) => specials || !map.special.keys.has(key));
  const reach = map.queries.map((_, query) => keys.filter((key) => key < map.reach(query)).length);
  const { rows, sums } = map.numbers(heads, specials);
  const columns = keys.length === map.keys.length ? rows : rows.map((row) => Float64Array.from(keys, (key) => row[key]));
  const { kind, queries, special, ceiling } = map;
  return { kind, ceiling, queries, keys, labels: keys.map((key) => map.keys[key]), special, reach, rows: columns, sums };
}

function total(row) {
  return row.reduce((sum, weight) => sum + weight, 0);
}

/** The weight between a query and a key, 0 where the key is hidden or masked. */
export function weightOf(content, query, key) {
  const column = content.keys.indexOf(key);
  return column < 0 ? 0 : content.rows[query][column];
}

/** What is printed of a weight. */
const thousandths = (weight) => Math.round(1000 * weight);

/** The strongest keys of a row, or queries of a column, by what is printed of them: pairs of index and weight. */
export function strongest(weights, count) {
  const printed = [...weights.entries()].filter(([, weight]) => thousandths(weight) > 0);
  return printed.sort(([, a], [, b]) => thousandths(b) - thousandths(a)).slice(0, count);
}
