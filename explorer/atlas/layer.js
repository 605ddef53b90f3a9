// What an atlas knows of a layer (layer_file.py): its neurons, their contexts and names, and its heads' arrows. Pure.

/** @typedef {import("./array_file.js").FileArray} FileArray */
/** @typedef {import("./corpus.js").Corpus} Corpus */
/** @typedef {import("./corpus.js").AtlasToken} AtlasToken */

/** Of a context: among the eight strongest, or drawn from those above 2/3 of the largest, above 1/3, or below.
 * @typedef {"strongest" | "strong" | "middle" | "weak"} Range */

/**
 * A neuron fires on tokens, before them, or where they are written. Its name `holds` or holds `perhaps`; precision,
 * recall and `checked`, the number of strong firings, are those of sentences on which the name was not found.
 * @typedef {{ relation: "on" | "before" | "writes", tokens: AtlasToken[], checked: number, precision: number,
 *   recall: number, standing: "holds" | "perhaps" }} NeuronName
 */

/**
 * A position of a sentence of the corpus at which a neuron fires, and its value there, within 2.5 % of its largest.
 * @typedef {{ range: Range, sentence: number, position: number, value: number }} Context
 */

/**
 * What is known of a neuron: at how many positions it fires, their share, the mean of its values above 0, the largest,
 * and how many lie in each tenth of 0 to the largest.
 * @typedef {{ count: number, share: number, mean: number, largest: number, histogram: number[], contexts: Context[],
 *   name: NeuronName | null }} NeuronRecord
 */

/** @typedef {{ sentence: number, query: number, key: number, weight: number }} Arrow */

/** @type {[Range, number][]} */
const GROUPS = [["strongest", 8], ["strong", 4], ["middle", 4], ["weak", 4]];
const BINS = 10, PER_OCTAVE = 4; // of a histogram: codes for every doubling
const FRACTION = 65535;
const RELATIONS = /** @type {const} */ (["on", "before", "writes"]);
const HOLDS = 0.8; // precision
export const STRONGEST = GROUPS[0][1];

/** @type {NeuronRecord} */
const SILENT = { count: 0, share: 0, mean: 0, largest: 0, histogram: [], contexts: [], name: null };

export class AtlasLayer {
  /** Where a neuron stands among those that fire; -1 if it never does. @type {Int32Array} */ slot;
  /** By range [slot][firing]: the places of contexts, and their levels; 0 for none. @type {Record<string, any>} */
  contexts = {};

  /**
   * @param {{ header: Record<string, any>, arrays: Record<string, FileArray> }} file
   * @param {Corpus} corpus
   */
  constructor({ header, arrays }, corpus) {
    this.stack = /** @type {Stack} */ (header.stack);
    /** @type {number} */ this.layer = header.layer;
    this.arrays = arrays;
    this.corpus = corpus;
    this.levels = header.levels;
    this.count = arrays.count.data.length; // of neurons that fire
    let fired = 0;
    this.slot = Int32Array.from(arrays.fires.data, (fires) => (fires ? fired++ : -1));
    for (const [range, slots] of GROUPS) this.contexts[range] = this.readContexts(range, slots);
    this.names = this.readNames();
  }

  get positions() {
    return this.corpus.positions[this.stack];
  }

  /**
   * The contexts of a range, of all neurons: differences become values.
   * @param {Range} range
   * @param {number} slots
   */
  readContexts(range, slots) {
    const { count, positions: { start, ids }, slot } = this;
    const level = Int32Array.from(this.arrays[`${range}_level`].data);
    const place = Int32Array.from(this.arrays[`${range}_place`].data);
    if (range === "strongest") {
      for (let i = 0; i < level.length; i++) level[i] = (i < count ? this.levels : level[i - count]) - level[i];
      return { level, place, slots };
    }
    slot.forEach((at, neuron) => {
      if (at < 0) return;
      let sum = start[Math.floor((neuron * start.length) / slot.length)];
      for (let i = at; i < slots * count; i += count) {
        sum = (sum + place[i]) % ids.length;
        place[i] = sum;
      }
    });
    return { level, place, slots };
  }

  /** @returns {Map<number, NeuronName>} */
  readNames() {
    const { arrays, corpus } = this;
    const [neurons, relations] = [arrays.name_neuron.data, arrays.name_relation.data];
    const columnOf = (/** @type {FileArray} */ { shape, data }, /** @type {number} */ at) => (
      Array.from({ length: shape[0] }, (_, row) => data[row * neurons.length + at]));
    let neuron = 0;
    return new Map(Array.from(neurons, (step, at) => {
      const [strong, hits, occurrences] = columnOf(arrays.name_counts, at);
      const precision = hits / strong;
      const known = columnOf(arrays.name_tokens, at).filter((id) => id > 0);
      const tokens = known.map((id) => corpus.token(corpus.indexOfId.get(id - 1)));
      return [neuron += step, {
        relation: RELATIONS[relations[at]], tokens, checked: strong, precision,
        recall: hits / Math.max(occurrences, 1), standing: precision >= HOLDS ? "holds" : "perhaps",
      }];
    }));
  }

  /** The largest value of a neuron; 0 if it never fires. @param {number} neuron */
  largest(neuron) {
    const at = this.slot[neuron];
    return at < 0 ? 0 : this.arrays.largest.data[at];
  }

  /** @param {number} neuron @returns {NeuronRecord} */
  neuron(neuron) {
    const { slot, arrays, positions, names } = this;
    const at = slot[neuron];
    if (at < 0) return SILENT;
    const count = arrays.count.data[at];
    const largest = this.largest(neuron);
    return {
      count,
      share: count / positions.ids.length,
      mean: (arrays.mean.data[at] / FRACTION) * largest,
      largest,
      histogram: this.histogram(at),
      contexts: GROUPS.flatMap(([range]) => this.contextsOf(range, neuron)),
      name: names.get(neuron) ?? null,
    };
  }

  /** @param {number} at @returns {number[]} */
  histogram(at) {
    const { arrays: { histogram: { data } }, count } = this;
    const counts = [];
    for (let bin = 0, code = 0; bin < BINS; bin++) {
      code = (code + data[bin * count + at]) % 256;
      counts.push(Math.round(2 ** (code / PER_OCTAVE) - 1));
    }
    return counts;
  }

  /**
   * The contexts of a range, those of the strongest in their order.
   * @param {Range} range
   * @param {number} neuron that fires
   * @returns {Context[]}
   */
  contextsOf(range, neuron) {
    const { count, levels, positions: { sentence, start } } = this;
    const { level, place, slots } = this.contexts[range];
    const ofNeuron = Array.from({ length: slots }, (_, i) => i * count + this.slot[neuron]);
    return ofNeuron.filter((i) => level[i] > 0).map((i) => ({
      range, sentence: sentence[place[i]], position: place[i] - start[sentence[place[i]]],
      value: (level[i] / levels) * this.largest(neuron),
    }));
  }

  /**
   * The strongest arrows of a head, the strongest first.
   * @param {Kind} kind
   * @param {number} head
   * @returns {Arrow[]}
   */
  arrows(kind, head) {
    const [sentence, query, key, weight] = ["sentence", "query", "key", "weight"].map(
      (field) => this.arrays[`${kind}_${field}`]);
    const width = weight.shape[1];
    const places = [...weight.data.keys()].slice(head * width, (head + 1) * width);
    return places.filter((i) => weight.data[i] > 0).map((i) => ({
      sentence: sentence.data[i], query: query.data[i], key: key.data[i], weight: weight.data[i] / FRACTION,
    }));
  }
}
