// Attention maps, one of each kind: the weights of all layers and heads, their means and maxima, rollouts, and lengths.
// Nothing is drawn here.

import { NoAnswer } from "../ui/model.js";
import { Tensor, decodeFloats, sum } from "../ui/tensor.js";
import { fill } from "../ui/text.js";
import { UserError } from "../ui/user_error.js";
import { ROLLOUT, rollout } from "./rollout.js";

export class AttentionMap {
  /** @type {Kind} */ kind;
  /** @type {number} */ layers;
  /** @type {number} */ heads;
  /** @type {string[]} The labels of the rows. */ queries;
  /** @type {string[]} The labels of the columns. */ keys;
  /** @type {{ queries: Set<number>, keys: Set<number> }} The indices of special pieces. */ special;
  /** @type {[layer: number, head: number][]} Heads that are off, which means leave out. */ off = [];
  /** @type {Partial<Record<Kind, AttentionMap>>} The maps of all kinds, which createTrace sets. */ kinds;
  /** @type {string | null} The numbers as the model gave them, in base64; null until they are loaded. */ encoded;
  /** Whether the numbers are being loaded (fetchNumbers). */
  isLoading = false;
  /** Promised numbers, decoded on first use. @type {Float32Array | null} */
  decoded = null;
  /** @type {Float64Array[] | null} */ rolloutRows = null;
  /** What was computed once from the weights, by name. @type {Map<string, unknown>} */
  computed = new Map();
  /** @type {"weight" | "length"} */ measure = "weight";
  /** The map of lengths, made on first use. @type {LengthMap | null} */
  lengths = null;

  /**
   * `weights` are all that are not masked, in the order layer, head, row, key, in base64.
   * @param {Kind} kind @param {LabelledAttention} attention
   */
  constructor(kind, { shape: [layers, heads], weights, queries, keys, special }) {
    this.kind = kind;
    this.layers = layers;
    this.heads = heads;
    this.queries = queries;
    this.keys = keys;
    this.special = { queries: new Set(special.queries), keys: new Set(special.keys) };
    this.encoded = weights;
    this.kinds = { [kind]: this };
  }

  /** Whether the weights are loaded; those of a large trace load one kind at a time. */
  get ready() {
    return this.encoded !== null;
  }

  /**
   * Takes what the model's call `weights` gave.
   *
   * @param {{ weights?: string, norms?: TensorPayload }} answer
   */
  receive({ weights }) {
    this.encoded = weights;
  }

  /** The weights of all heads, decoded on first use. */
  get weights() {
    return this.decoded ??= decodeFloats(this.encoded);
  }

  /**
   * What `compute()` makes of the weights, once a name.
   * @template Value
   * @param {string} name
   * @param {() => Value} compute
   * @returns {Value}
   */
  once(name, compute) {
    if (!this.computed.has(name)) this.computed.set(name, compute());
    return /** @type {Value} */ (this.computed.get(name));
  }

  /** The rows of the mean over a layer's heads. @param {number} layer */
  meanRows(layer) {
    return this.once(`mean ${layer}`, () => this.matrix(layer, "mean"));
  }

  /** The number with the full colour on the fixed scale, on which heads are comparable. */
  get ceiling() {
    return 1;
  }

  /** How many keys a query may attend to; the decoder's later keys are masked. @param {number} query */
  reach(query) {
    return this.kind === "decoder" ? query + 1 : this.keys.length;
  }

  /** @param {number} layer @param {number} head */
  isOff(layer, head) {
    return this.off.some(([layerOff, headOff]) => layerOff === layer && headOff === head);
  }

  /** The heads of a layer that are on. @param {number} layer */
  headsOn(layer) {
    return countUp(this.heads).filter((head) => !this.isOff(layer, head));
  }

  /**
   * The index of a row's first weight; rows of the decoder contain no masked keys.
   * @param {number} layer @param {number} head @param {number} query
   */
  start(layer, head, query) {
    const rows = this.queries.length;
    const size = this.kind === "decoder" ? (rows * (rows + 1)) / 2 : rows * this.keys.length;
    const before = this.kind === "decoder" ? (query * (query + 1)) / 2 : query * this.keys.length;
    return (layer * this.heads + head) * size + before;
  }

  /**
   * Rows of weights, 0 for masked keys. Layer and head are numbers, or "mean" or "max", reduced over heads first; or a
   * rollout.
   * @param {LayerChoice} layer @param {HeadChoice} head
   * @returns {Numbers[]}
   */
  matrix(layer, head) {
    if (layer === ROLLOUT) return this.rollout.map((row) => row.slice());
    const ofLayer = (/** @type {number} */ index) => {
      const heads = this.headsOn(index);
      if (typeof head !== "number" && !heads.length) return this.one(index, 0).map((row) => row.fill(0));
      return reduceMatrices(head, heads, (headIndex) => this.one(index, headIndex));
    };
    return reduceMatrices(layer, countUp(this.layers), ofLayer);
  }

  /** The rows of the rollout across all layers, computed on first use, after all weights are loaded. */
  get rollout() {
    return this.rolloutRows ??= rollout(this);
  }

  /**
   * The rows of one head, views of one array: many small arrays take three times as long.
   * @param {number} layer @param {number} head
   */
  one(layer, head) {
    const { weights } = this;
    const width = this.keys.length;
    const all = new Float32Array(this.queries.length * width);
    return this.queries.map((_, query) => {
      const row = all.subarray(query * width, (query + 1) * width);
      const start = this.start(layer, head, query);
      row.set(weights.subarray(start, start + this.reach(query)));
      return row;
    });
  }

  /**
   * The rows of a choice of heads, and their sums. Without special pieces their weights are 0 and each row is divided
   * by its remaining sum, unless that is 0.
   * @param {Heads} heads @param {boolean} specials
   */
  numbers({ layer, head }, specials) {
    const hidesKeys = !specials && this.special.keys.size > 0;
    const rows = this.matrix(layer, head).map((row) => (hidesKeys ? Float64Array.from(row) : row));
    if (hidesKeys) for (const row of rows) this.dropSpecials(row);
    return { rows, sums: Float64Array.from(rows, sum) };
  }

  /** Sets the weights of special pieces to 0 and renormalizes the row. @param {Numbers} row */
  dropSpecials(row) {
    for (const key of this.special.keys) row[key] = 0;
    const left = sum(row) || 1;
    for (let key = 0; key < row.length; key++) row[key] /= left;
  }

  /**
   * One weight of `matrix`, 0 if masked.
   * @param {LayerChoice} layer @param {HeadChoice} head @param {number} query @param {number} key
   */
  weight(layer, head, query, key) {
    if (key >= this.reach(query)) return 0;
    if (layer === ROLLOUT) return this.rollout[query][key];
    const { weights } = this;
    /** @type {(layerIndex: number, headIndex: number) => number} */
    const ofHead = (layerIndex, headIndex) => weights[this.start(layerIndex, headIndex, query) + key];
    /** @type {(index: number) => number} */
    const ofLayer = (index) => reduceNumbers(head, this.headsOn(index), (headIndex) => ofHead(index, headIndex));
    return reduceNumbers(layer, countUp(this.layers), ofLayer);
  }
}

/** @param {number} count */
function countUp(count) {
  return Array.from({ length: count }, (_, i) => i);
}

/**
 * The number at an index, or the mean or maximum over some indices, of none 0.
 * @param {HeadChoice} choice @param {number[]} indices @param {(index: number) => number} numberOf
 */
function reduceNumbers(choice, indices, numberOf) {
  if (choice !== "mean" && choice !== "max") return numberOf(choice);
  const numbers = indices.map(numberOf);
  return choice === "mean" ? sum(numbers) / (numbers.length || 1) : Math.max(0, ...numbers);
}

/**
 * The same for matrices and at least one index.
 * @param {HeadChoice} choice @param {number[]} indices @param {(index: number) => Numbers[]} matrixOf
 */
function reduceMatrices(choice, indices, matrixOf) {
  if (choice !== "mean" && choice !== "max") return matrixOf(choice);
  const [first, ...others] = indices;
  // A mean is summed up in double precision.
  const result = choice === "mean" ? matrixOf(first).map((row) => Float64Array.from(row)) : matrixOf(first);
  for (const i of others) {
    const matrix = matrixOf(i);
    for (let query = 0; query < result.length; query++) {
      const row = result[query];
      const other = matrix[query];
      if (choice === "mean") for (let key = 0; key < row.length; key++) row[key] += other[key];
      else for (let key = 0; key < row.length; key++) row[key] = Math.max(row[key], other[key]);
    }
  }
  if (choice === "max") return result;
  for (const row of result) {
    for (let key = 0; key < row.length; key++) row[key] /= indices.length;
  }
  return result;
}

/**
 * The content of a picture.
 *
 * @param {AttentionMap} map
 * @param {Heads} heads
 * @param {boolean} specials whether special pieces are shown as keys
 * @returns {Content}
 */
export function contentOf(map, heads, specials) {
  const keys = [...map.keys.keys()].filter((key) => specials || !map.special.keys.has(key));
  const reach = map.queries.map((_, query) => keys.filter((key) => key < map.reach(query)).length);
  const { rows, sums } = map.numbers(heads, specials);
  const isWhole = keys.length === map.keys.length;
  const columns = isWhole ? rows : rows.map((row) => Float64Array.from(keys, (key) => row[key]));
  const labels = keys.map((key) => map.keys[key]);
  const { kind, queries, special, ceiling } = map;
  return { kind, ceiling, queries, keys, labels, special, reach, rows: columns, sums };
}

/**
 * The weight between a query and a key; 0 if the key is hidden or masked.
 * @param {Content} content @param {number} query @param {number} key
 */
export function weightOf(content, query, key) {
  const column = content.keys.indexOf(key);
  return column < 0 ? 0 : content.rows[query][column];
}

/** A weight in thousandths, as it is printed. */
const toThousandths = (/** @type {number} */ weight) => Math.round(1000 * weight);

/**
 * The largest printed weights of a row or column: pairs of index and weight; weights printed as 0 are left out.
 * @param {Numbers | number[]} weights @param {number} count
 */
export function strongestWeights(weights, count) {
  const printed = [...weights.entries()].filter(([, weight]) => toThousandths(weight) > 0);
  return printed.sort(([, a], [, b]) => toThousandths(b) - toThousandths(a)).slice(0, count);
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
 * A map of lengths, ||w v W_O|| of every cell: what a head contributes, beside where it looks
 * (explorer/recording/vector_lengths.py). Weights are never negative, so that a length is the weight times ||v W_O|| of
 * its key.
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

const ROUNDING = 1e-5; // relative difference of two lengths that are equal but for rounding

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

/**
 * What is said while the numbers of a measure load, and where they do not come.
 * @typedef {{ loading: string, notLoaded: string }} LoadingTexts
 * @typedef {{ kinds: Record<Kind, string>, texts: Record<AttentionMap["measure"], LoadingTexts> }} NumberSettings
 */

/**
 * Loads the weights or lengths of a map, unless they are already loading; after a failure the next call tries again.
 * `load()` promises what the model gives; the node `message` shows the state while `isCurrent()`. Resolves to whether
 * there is something new to draw.
 * @param {AttentionMap} map
 * @param {() => Promise<{ weights?: string, norms?: TensorPayload }>} load
 * @param {{ message: HTMLElement, settings: NumberSettings, isCurrent: () => boolean }} view
 */
export async function fetchNumbers(map, load, { message, settings: { kinds, texts }, isCurrent }) {
  if (map.isLoading) return false;
  map.isLoading = true;
  const text = texts[map.measure];
  const loading = fill(text.loading, { kind: kinds[map.kind] });
  message.textContent = loading;
  let failure = fill(text.notLoaded, { kind: kinds[map.kind] });
  try {
    map.receive(await load());
  } catch (error) {
    if (error instanceof UserError) failure = error.message;
    else if (!(error instanceof NoAnswer)) throw error;
  } finally {
    map.isLoading = false;
  }
  if (!isCurrent()) return false;
  if (message.textContent === loading) message.textContent = map.ready ? "" : failure;
  return map.ready;
}

/**
 * The attention to a word, all its pieces together, at the layer (from `first` on) and step where it is largest, as the
 * mean of the heads; the last step, which only ends the sentence, does not count.
 * @param {AttentionMap} cross @param {number[]} pieces @param {number} first
 */
export function largestAttention(cross, pieces, first = 0) {
  const { layers, heads, weights } = cross;
  let largest = 0;
  for (let layer = first; layer < layers; layer++) {
    for (let step = 0; step < cross.queries.length - 1; step++) {
      let total = 0;
      for (let head = 0; head < heads; head++) {
        const start = cross.start(layer, head, step);
        for (const piece of pieces) total += weights[start + piece];
      }
      largest = Math.max(largest, total / heads);
    }
  }
  return largest;
}
