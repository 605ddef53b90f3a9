// A forced translation, and runs of it in which something is changed: explorer/experiments/forced.py, ranking.py
// and omission.py.
//
// The pieces of the translation are given (teacher forcing), so that a run is one pass, and a batch of rows serves many
// changes. A run begins at the first layer that it changes, with what the unchanged pass computed below.

import { logSumExp } from "../decoding.js";
import { ATTENTION, NO_PROBE, Probe } from "../probe.js";
import { Tensor, idTensor } from "../tensor.js";
import { groupBy } from "./groups.js";
import { ablateHead, interventionProbe } from "./interventions.js";

/** @typedef {Experiment["off_by"]} OffBy */
/** @typedef {import("../attention.js").Mask} Mask */
/** @typedef {import("../decoding.js").Translator} Translator */

export class ForcedTranslation {
  /**
   * The unchanged pass; `logProbabilities` are those of the pieces of `tgtOut`, in nats.
   * @param {Translator} translator @param {number[]} src @param {number[]} tgtOut
   */
  constructor(translator, src, tgtOut) {
    /** @type {Record<Stack, Tensor[]>} streams[stack][i] enters layer i */
    this.streams = { encoder: [], decoder: [] };
    /** @type {Record<Stack, Tensor[]>} the neurons of each layer, and the sums that they are added to */
    this.hidden = { encoder: [], decoder: [] };
    /** @type {Record<Stack, Tensor[]>} */
    this.sums = { encoder: [], decoder: [] };
    /** @type {Partial<Record<Stack, Mask>>} */
    this.masks = {};
    const probe = new Probe(({ stack, sublayer, tensor: name }, tensor) => {
      if (name === "mask") this.masks[stack] = /** @type {Mask} */ (/** @type {unknown} */ (tensor));
      if (name === "stream" && (sublayer === null || sublayer === "feed_forward")) this.streams[stack].push(tensor);
      if (name === "hidden") this.hidden[stack].push(tensor);
      if (name === "sum" && sublayer === "feed_forward") this.sums[stack].push(tensor);
    });
    this.translator = translator;
    this.model = translator.model;
    this.tgtOut = tgtOut;

    this.cache = translator.newCache();
    this.tgtIn = [translator.tokenizer.bosId, ...tgtOut.slice(0, -1)];
    this.encoded = translator.encode(src, probe);
    const { states } = this.model.decoder.forward(idTensor([this.tgtIn]), this.encoded, this.cache, probe);
    this.logProbabilities = this.read(states)[0];
  }

  /**
   * What runs that are changed in the encoder, from a layer on, change of the log-probabilities: [row step].
   *
   * A probe changes each row of the batch in its own way, or each has a mask of its own, or another stream `x` that
   * enters the layer.
   * @param {number} count @param {{ layer?: number, x?: Tensor, mask?: Mask, probe?: Probe }} how
   */
  changeEncoder(count, { layer = 0, x, mask, probe = NO_PROBE }) {
    const rows = new Array(count).fill(0);
    const { encoder, decoder } = this.model;
    x ??= this.streams.encoder[layer].select(rows);
    mask ??= this.masks.encoder.select(rows);
    const encoded = encoder.forwardFrom(layer, x, mask, probe.at({ stack: "encoder" }));
    return this.changes(decoder.forward(idTensor(rows.map(() => this.tgtIn)), encoded).states);
  }

  /**
   * The same for runs that are changed in the decoder. They share the unchanged memory, and its keys and values.
   * @param {number} count @param {{ layer?: number, x?: Tensor, probe?: Probe }} how
   */
  changeDecoder(count, { layer = 0, x, probe = NO_PROBE }) {
    const rows = new Array(count).fill(0);
    const cache = this.translator.newCache();
    const { decoder } = this.model;
    this.cache.layers.forEach(
      ({ memory: { k, v } }, i) => (cache.layers[i].memory = { k: k.select(rows), v: v.select(rows) }),
    );
    const encoded = this.encoded.select(rows);
    const mask = this.masks.decoder.select(rows);
    x ??= this.streams.decoder[layer].select(rows);
    return this.changes(
      decoder.forwardFrom(layer, x, { encoded, mask, cache, probe: probe.at({ stack: "decoder" }) }).states,
    );
  }

  /**
   * The log-probability of every piece from the decoder's states: [row step]. The logits of one row lie in memory.
   * @param {Tensor} states
   */
  read(states) {
    const { translator, model: { projection }, tgtOut } = this;
    return Array.from({ length: states.shape[0] }, (_, row) => {
      const logits = projection.forward(states.select([row]));
      return tgtOut.map((id, t) => {
        const allowed = translator.allowed(logits.at(0, t));
        return allowed[id] - logSumExp(allowed, translator.kernel);
      });
    });
  }

  /** What the runs with some states of the decoder change of that: [row step]. @param {Tensor} states */
  changes(states) {
    return this.read(states).map((row) => row.map((number, t) => number - this.logProbabilities[t]));
  }
}

/**
 * The changes of each piece's log-probability, in nats, with each of some heads off alone: [head step].
 *
 * `forced` is the unchanged translation; only "mean" needs `means`. Heads of one layer are rows of one batch; row r has
 * head r off and no other.
 * @param {ForcedTranslation} forced
 * @param {HeadAt[]} heads
 * @param {{ by: OffBy, means?: import("./interventions.js").Means | null }} how
 */
export function changesWithoutHeads(forced, heads, { by, means = null }) {
  /** @type {Map<HeadAt, number[]>} */
  const changes = new Map();
  for (const group of groupBy(heads, ([kind, layer]) => `${kind} ${layer}`).values()) {
    const [[kind, layer]] = group;
    const probe = interventionProbe(group.map((head, row) => ablateHead(head, by, means, row)));
    const isEncoder = ATTENTION[kind].stack === "encoder";
    const rows = isEncoder
      ? forced.changeEncoder(group.length, { layer, probe })
      : forced.changeDecoder(group.length, { layer, probe });
    group.forEach((head, row) => changes.set(head, rows[row]));
  }
  return heads.map((head) => changes.get(head));
}

/**
 * The same with each of some source pieces hidden from all attention (leave-one-out): [piece step].
 * @param {ForcedTranslation} forced
 * @param {number[]} pieces
 */
export function changesWithoutPieces(forced, pieces) {
  if (!pieces.length) return [];
  const { width } = forced.masks.encoder;
  const mask = new Tensor([pieces.length, 1, 1, width], new Uint8Array(pieces.length * width).fill(1));
  pieces.forEach((piece, row) => (mask.at(row)[piece] = 0));
  return forced.changeEncoder(pieces.length, { mask });
}
