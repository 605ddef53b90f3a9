// A forced translation, and runs of it in which something is changed: explorer/experiments/forced.py and ranking.py.
//
// The pieces of the translation are given (teacher forcing), so that a run is one pass, and a batch of rows serves many
// changes. A run begins at the first layer that it changes, with what the unchanged pass computed below.

import { logSumExp } from "../decoding.js";
import { ablateHead, interventionProbe } from "./interventions.js";
import { ATTENTION, KINDS, NO_PROBE, Probe } from "../probe.js";
import { idTensor } from "../tensor.js";

export class ForcedTranslation {
  /** The unchanged pass; `logProbabilities` are those of the pieces of `tgtOut`, in nats. */
  constructor(translator, src, tgtOut) {
    const streams = { encoder: [], decoder: [] }, masks = {}; // streams[stack][i] enters layer i
    const probe = new Probe(({ stack, sublayer, tensor: name }, tensor) => {
      if (name === "mask") masks[stack] = tensor;
      if (name === "stream" && (sublayer === null || sublayer === "feed_forward")) streams[stack].push(tensor);
    });
    this.translator = translator;
    this.model = translator.model;
    this.tgtOut = tgtOut;
    this.streams = streams;
    this.masks = masks;
    this.cache = translator.newCache();
    this.tgtIn = [translator.tokenizer.bosId, ...tgtOut.slice(0, -1)];
    this.encoded = translator.encode(src, probe);
    const { states } = this.model.decoder.forward(idTensor([this.tgtIn]), this.encoded, this.cache, probe);
    this.logProbabilities = this.read(states)[0];
  }

  /**
   * The log-probabilities [row step] of runs that are changed in the encoder, from a layer on.
   *
   * A probe changes each row of the batch in its own way, or each has a mask of its own.
   */
  changeEncoder(count, { layer = 0, mask = null, probe = NO_PROBE }) {
    const rows = new Array(count).fill(0);
    const { encoder, decoder } = this.model;
    mask ??= this.masks.encoder.select(rows);
    const encoded = encoder.forwardFrom(
      layer,
      this.streams.encoder[layer].select(rows),
      mask,
      probe.at({ stack: "encoder" }),
    );
    return this.read(decoder.forward(idTensor(rows.map(() => this.tgtIn)), encoded).states);
  }

  /**
   * The same for runs that a probe changes in the decoder. They share the unchanged memory, and its keys and values.
   */
  changeDecoder(count, { layer = 0, probe }) {
    const rows = new Array(count).fill(0);
    const cache = this.translator.newCache();
    const { decoder } = this.model;
    this.cache.layers.forEach(
      ({ memory: { k, v } }, i) => (cache.layers[i].memory = { k: k.select(rows), v: v.select(rows) }),
    );
    const encoded = this.encoded.select(rows);
    const mask = this.masks.decoder.select(rows);
    const x = this.streams.decoder[layer].select(rows);
    return this.read(
      decoder.forwardFrom(layer, x, { encoded, mask, cache, probe: probe.at({ stack: "decoder" }) }).states,
    );
  }

  /** The log-probability of every piece from the decoder's states: [row step]. The logits of one row lie in memory. */
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
}

/** The heads of all kinds: first the encoder's, then the decoder's, then those of cross-attention, by layer. */
export function allHeads({ config, ...model }) {
  const heads = [...new Array(config.n_heads).keys()];
  return KINDS.flatMap((kind) =>
    model[ATTENTION[kind].stack].layers.flatMap((_, layer) => heads.map((head) => [kind, layer, head])),
  );
}

/** The heads of each kind and layer, in their order. */
function byLayer(heads) {
  const groups = new Map();
  for (const head of heads) {
    const key = head.slice(0, 2).join();
    groups.set(key, [...(groups.get(key) ?? []), head]);
  }
  return [...groups.values()];
}

/**
 * The drop of each piece's log-probability, in nats, with a head off: [head step]. Only "mean" needs `means`.
 *
 * `forced` is the unchanged ForcedTranslation, `heads` are consecutive ones of `allHeads`. Heads of one layer are rows
 * of one batch; row r has head r off and no other.
 */
export function headDrops(forced, { heads = allHeads(forced.model), by = "zero", means = null } = {}) {
  return byLayer(heads).flatMap((group) => {
    const [[kind, layer]] = group;
    const probe = interventionProbe(group.map((head, row) => ablateHead(head, by, means, row)));
    const isEncoder = ATTENTION[kind].stack === "encoder";
    const rows = isEncoder
      ? forced.changeEncoder(group.length, { layer, probe })
      : forced.changeDecoder(group.length, { layer, probe });
    return rows.map((row) => row.map((number, t) => forced.logProbabilities[t] - number));
  });
}
