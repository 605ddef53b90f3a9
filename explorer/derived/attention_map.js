// Attention maps, one of each kind: the weights of all layers and heads, their means and maxima, and rollouts. Nothing
// is drawn here.

import { NoAnswer } from "../ui/model.js";
import { decodeFloats, sum } from "../ui/tensor.js";
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
  /** The map of lengths, made on first use (length_map.js). @type {AttentionMap | null} */
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
