// The payload of a trace (explorer/recording/payload.py) as attention maps, one of each kind: the weights of all layers and
// heads, their means and maxima, rollouts, and lengths. No drawing here.

import { Tensor, decodeFloats, sum } from "../ui/tensor.js";
import { fill } from "../ui/text.js";
import { ROLLOUT, rollout } from "./rollout.js";

const ERROR_PREFIX = '{"error"'; // the start of an error response

export class AttentionMap {
  /** `weights` is base64 of all unmasked weights in the order layer, head, row, key; null until they are loaded. */
  constructor(kind, { shape, weights, queries, keys, special }) {
    [this.layers, this.heads] = shape;
    Object.assign(this, { kind, queries, keys, measure: "weight", kinds: { [kind]: this } }); // createTrace sets all kinds
    this.special = { queries: new Set(special.queries), keys: new Set(special.keys) };
    Object.assign(this, { encoded: weights, decoded: null, rolloutRows: null, isLoading: false });
  }

  /** Whether the weights are loaded; those of a large trace load one kind at a time. */
  get ready() {
    return typeof this.encoded === "string";
  }

  /** The weights of all heads, decoded on first use. */
  get weights() {
    return this.decoded ??= decodeFloats(this.encoded);
  }

  /** The number with the full colour on the fixed scale, on which heads are comparable. */
  get ceiling() {
    return 1;
  }

  /** How many keys a query may attend to; the decoder's later keys are masked. */
  reach(query) {
    return this.kind === "decoder" ? query + 1 : this.keys.length;
  }

  /** The index of a row's first weight; rows of the decoder contain no masked keys. */
  start(layer, head, query) {
    const rows = this.queries.length;
    const size = this.kind === "decoder" ? (rows * (rows + 1)) / 2 : rows * this.keys.length;
    const before = this.kind === "decoder" ? (query * (query + 1)) / 2 : query * this.keys.length;
    return (layer * this.heads + head) * size + before;
  }

  /** Rows of weights, 0 for masked keys. Layer and head are numbers, or "mean" or "max", reduced over heads first; or a rollout. */
  matrix(layer, head) {
    if (layer === ROLLOUT) return this.rollout.map((row) => row.slice());
    return reduceMatrices(layer, this.layers, (layerIndex) => reduceMatrices(head, this.heads, (headIndex) => this.one(layerIndex, headIndex)));
  }

  /** The rows of the rollout across all layers, computed on first use, after all weights are loaded. */
  get rollout() {
    return this.rolloutRows ??= rollout(this);
  }

  /** The rows of one head, views of one array: many small arrays take three times as long. */
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
   * The rows of a choice of heads, and their sums. Without special pieces their weights are 0 and each row is divided by
   * its remaining sum, unless that is 0.
   */
  numbers({ layer, head }, specials) {
    const rows = this.matrix(layer, head);
    if (!specials && this.special.keys.size > 0) for (const row of rows) this.dropSpecials(row);
    return { rows, sums: Float64Array.from(rows, sum) };
  }

  /** Sets the weights of special pieces to 0 and renormalizes the row. */
  dropSpecials(row) {
    for (const key of this.special.keys) row[key] = 0;
    const left = sum(row) || 1;
    for (let key = 0; key < row.length; key++) row[key] /= left;
  }

  /** One weight of `matrix`, 0 if masked. */
  weight(layer, head, query, key) {
    if (key >= this.reach(query)) return 0;
    if (layer === ROLLOUT) return this.rollout[query][key];
    const { weights } = this;
    return reduceNumbers(layer, this.layers, (layerIndex) => reduceNumbers(head, this.heads, (headIndex) => weights[this.start(layerIndex, headIndex, query) + key]));
  }
}

/** The number at an index, or the mean or maximum over all indices. */
function reduceNumbers(choice, count, numberOf) {
  if (choice !== "mean" && choice !== "max") return numberOf(choice);
  const numbers = Array.from({ length: count }, (_, i) => numberOf(i));
  return choice === "mean" ? sum(numbers) / count : Math.max(...numbers);
}

/** The same for matrices. */
function reduceMatrices(choice, count, matrixOf) {
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
 * The content of a picture: `keys` are the indices of its columns, `rows` the weights, `sums` of the rows, `reach` the number
 * of columns that a row may attend to; `ceiling` is the number with the full colour.
 */
export function contentOf(map, heads, specials) {
  const keys = [...map.keys.keys()].filter((key) => specials || !map.special.keys.has(key));
  const reach = map.queries.map((_, query) => keys.filter((key) => key < map.reach(query)).length);
  const { rows, sums } = map.numbers(heads, specials);
  const columns = keys.length === map.keys.length ? rows : rows.map((row) => Float64Array.from(keys, (key) => row[key]));
  const { kind, queries, special, ceiling } = map;
  return { kind, ceiling, queries, keys, labels: keys.map((key) => map.keys[key]), special, reach, rows: columns, sums };
}

/** The weight between a query and a key; 0 if the key is hidden or masked. */
export function weightOf(content, query, key) {
  const column = content.keys.indexOf(key);
  return column < 0 ? 0 : content.rows[query][column];
}

/** A weight in thousandths, as it is printed. */
const toThousandths = (weight) => Math.round(1000 * weight);

/** The largest printed weights of a row or column: pairs of index and weight; weights printed as 0 are left out. */
export function strongestWeights(weights, count) {
  const printed = [...weights.entries()].filter(([, weight]) => toThousandths(weight) > 0);
  return printed.sort(([, a], [, b]) => toThousandths(b) - toThousandths(a)).slice(0, count);
}

/** The map for a measure, "weight" or "length", that belongs to a map of weights. */
export function mapOfMeasure(map, measure) {
  if (measure === "weight") return map;
  map.lengths ??= new LengthMap(map);
  return map.lengths;
}

/** A map of lengths, the norms of weight x value x W_O (explorer/recording/lengths.py). */
class LengthMap extends AttentionMap {
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

/**
 * Fetches the weights or lengths of a map, unless they are already loading; after a failure the next call tries again. The
 * node `message` shows the state while `isCurrent()`. Resolves to whether there is something new to draw.
 */
export async function fetchWeights(map, serve, { message, settings: { kinds, texts }, isCurrent }) {
  if (map.isLoading) return false;
  map.isLoading = true;
  const text = texts[map.measure], loading = fill(text.loading, { kind: kinds[map.kind] });
  message.textContent = loading;
  // The call rejects if the server is unreachable; a failing server responds with something other than weights.
  const answer = await serve().catch(() => null), error = answer?.startsWith?.(ERROR_PREFIX) ? JSON.parse(answer).error : null;
  map.encoded = error ? null : answer;
  map.isLoading = false;
  if (!isCurrent()) return false;
  const failure = error ?? fill(text.notLoaded, { kind: kinds[map.kind] });
  if (message.textContent === loading) message.textContent = map.ready ? "" : failure;
  return map.ready;
}

/** A trace, or an error response with its `error`; `submission` is the number of the request. */
export function decodeTrace(text, submission = 0) {
  const payload = { submission, ...JSON.parse(text) };
  return payload.error === undefined ? createTrace(payload) : payload;
}

/** A trace with an attention map for each kind of the payload. */
export function createTrace(payload) {
  const maps = Object.entries(payload.kinds).map(([kind, map]) => [kind, new AttentionMap(kind, map)]);
  const kinds = Object.fromEntries(maps);
  for (const map of Object.values(kinds)) map.kinds = kinds; // a rollout needs several maps
  return { ...payload, kinds };
}
