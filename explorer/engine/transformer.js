// The Transformer: encoder and decoder layers, the two stacks, and the whole (section 3.1 of the paper).
//
// It is model/transformer.py, and model/cache.py for cached decoding. `weights` are the checkpoint's, under the names
// of PyTorch's modules.

import { MultiHeadAttention, causalMask, paddingMask } from "./attention.js";
import { Linear } from "./kernel.js";
import { AddNorm, Embedding, FeedForward } from "./layers.js";
import { NO_PROBE } from "./probe.js";
import { concatenate } from "./tensor.js";

/** @typedef {import("./attention.js").Ids} Ids */
/** @typedef {import("./attention.js").KeysValues} KeysValues */
/** @typedef {import("./attention.js").Mask} Mask */
/** @typedef {import("./checkpoint.js").Config} Config */
/** @typedef {import("./checkpoint.js").Weights} Weights */
/** @typedef {import("./kernel.js").Matrix} Matrix */
/** @typedef {import("./probe.js").Probe} Probe */
/** @typedef {import("./tensor.js").Tensor} Tensor */

/**
 * The keys and values that one decoder layer keeps, so that each step feeds only the newest piece: of the pieces fed so
 * far, and of the memory.
 */
class LayerCache {
  /** @type {KeysValues | null} */ fed = null;
  /** @type {KeysValues | null} */ memory = null;

  /** Appends the newly fed pieces; returns all so far. @param {KeysValues} keysValues */
  extend({ k, v }) {
    this.fed = this.fed ? { k: concatenate(this.fed.k, k, 2), v: concatenate(this.fed.v, v, 2) } : { k, v };
    return this.fed;
  }

  /** @param {number[]} rows */
  select(rows) {
    const { k, v } = this.fed;
    this.fed = { k: k.select(rows), v: v.select(rows) };
  }
}

/** The ids fed so far and a LayerCache per decoder layer; belongs to the one `Encoded` it is first used with. */
export class Cache {
  /** @type {Ids | null} */ ids = null;

  /** @param {number} nLayers */
  constructor(nLayers) {
    this.layers = Array.from({ length: nLayers }, () => new LayerCache());
  }

  /** Appends the newly fed ids; returns all so far. @param {Ids} ids */
  extend(ids) {
    this.ids = this.ids ? concatenate(this.ids, ids, 1) : ids;
    return this.ids;
  }

  /**
   * Keeps some rows, in the order of `rows`; one may occur more than once. All are of one source: its memory stays.
   * @param {number[]} rows
   */
  select(rows) {
    this.ids = this.ids.select(rows);
    for (const layer of this.layers) layer.select(rows);
  }
}

/** The encoder's output [batch src d_model], with its padding mask and every layer's weights. */
export class Encoded {
  /** @param {Tensor} memory @param {Mask} mask @param {Tensor[]} attention */
  constructor(memory, mask, attention) {
    this.memory = memory;
    this.mask = mask;
    this.attention = attention;
  }

  /** The same for some sentences of the batch, in the order of `rows`. @param {number[]} rows */
  select(rows) {
    return new Encoded(
      this.memory.select(rows),
      this.mask.select(rows),
      this.attention.map((weights) => weights.select(rows)),
    );
  }
}

/** Self-attention, then feed-forward. */
export class EncoderLayer {
  /** @param {Config} config @param {Weights} weights */
  constructor(config, weights) {
    this.self_attention = new MultiHeadAttention(config, weights.at("self_attention"));
    this.self_attention_norm = new AddNorm(config, weights.at("self_attention_norm"));
    this.feed_forward = new FeedForward(config, weights.at("feed_forward"));
    this.feed_forward_norm = new AddNorm(config, weights.at("feed_forward_norm"));
  }

  /** @param {Tensor} x @param {Mask} mask @param {Probe} probe */
  forward(x, mask, probe = NO_PROBE) {
    let probed = probe.at({ sublayer: "self_attention" });
    const attended = this.self_attention.forward({ query: x, key: x, value: x, mask, probe: probed });
    x = this.self_attention_norm.forward(x, attended.output, probed);
    probed = probe.at({ sublayer: "feed_forward" });
    x = this.feed_forward_norm.forward(x, this.feed_forward.forward(x, probed), probed);
    return { output: x, weights: attended.weights };
  }
}

/** Masked self-attention, cross-attention to the memory, then feed-forward. */
export class DecoderLayer {
  /** @param {Config} config @param {Weights} weights */
  constructor(config, weights) {
    this.self_attention = new MultiHeadAttention(config, weights.at("self_attention"));
    this.self_attention_norm = new AddNorm(config, weights.at("self_attention_norm"));
    this.cross_attention = new MultiHeadAttention(config, weights.at("cross_attention"));
    this.cross_attention_norm = new AddNorm(config, weights.at("cross_attention_norm"));
    this.feed_forward = new FeedForward(config, weights.at("feed_forward"));
    this.feed_forward_norm = new AddNorm(config, weights.at("feed_forward_norm"));
  }

  /**
   * Returns the stream, the self-attention weights and the cross-attention weights.
   * @param {Tensor} x @param {Encoded} encoded @param {Mask} mask @param {LayerCache} cache @param {Probe} probe
   */
  forward(x, encoded, mask, cache, probe = NO_PROBE) {
    let probed = probe.at({ sublayer: "self_attention" });
    const fed = cache.extend(this.self_attention.keysValues({ key: x, value: x, probe: probed }));
    const self = this.self_attention.attend(x, fed, mask, probed);
    x = this.self_attention_norm.forward(x, self.output, probed);

    probed = probe.at({ sublayer: "cross_attention" });
    cache.memory ??= this.cross_attention.keysValues({ key: encoded.memory, value: encoded.memory, probe: probed });
    const cross = this.cross_attention.attend(x, cache.memory, encoded.mask, probed);
    x = this.cross_attention_norm.forward(x, cross.output, probed);

    probed = probe.at({ sublayer: "feed_forward" });
    x = this.feed_forward_norm.forward(x, this.feed_forward.forward(x, probed), probed);
    return { x, self: self.weights, cross: cross.weights };
  }
}

/** Source ids to memory. */
export class Encoder {
  /** @param {Config} config @param {Matrix} tokens @param {Weights} weights */
  constructor(config, tokens, weights) {
    this.pad_id = config.pad_id;
    this.embedding = new Embedding(tokens, config, weights.at("embedding"));
    this.layers = weights.at("layers").list(config.n_layers, (layer) => new EncoderLayer(config, layer));
  }

  /** @param {Ids} src @param {Probe} probe */
  forward(src, probe = NO_PROBE) {
    probe = probe.at({ stack: "encoder" });
    src = probe.pass("ids", src);
    const mask = probe.pass("mask", paddingMask(src, this.pad_id));
    return this.forwardFrom(0, this.embedding.forward(src, 0, probe), mask, probe);
  }

  /**
   * The layers from `first` on; x is the stream that enters it.
   * @param {number} first @param {Tensor} x @param {Mask} mask @param {Probe} probe
   */
  forwardFrom(first, x, mask, probe) {
    /** @type {Tensor[]} */
    const attention = [];
    for (let i = first; i < this.layers.length; i++) {
      const { output, weights } = this.layers[i].forward(x, mask, probe.at({ layer: i }));
      x = output;
      attention.push(weights);
    }
    return new Encoded(x, mask, attention);
  }
}

/** Target ids and memory to the states from which the next pieces are predicted. */
export class Decoder {
  /** @param {Config} config @param {Matrix} tokens @param {Weights} weights */
  constructor(config, tokens, weights) {
    this.pad_id = config.pad_id;
    this.startsFromPadding = config.start === "pad";
    this.embedding = new Embedding(tokens, config, weights.at("embedding"));
    this.layers = weights.at("layers").list(config.n_decoder_layers, (layer) => new DecoderLayer(config, layer));
  }

  /**
   * With a cache, `tgtIn` contains only the ids that were not fed before.
   * @param {Ids} tgtIn @param {Encoded} encoded @param {Cache} cache @param {Probe} probe
   */
  forward(tgtIn, encoded, cache = new Cache(this.layers.length), probe = NO_PROBE) {
    probe = probe.at({ stack: "decoder" });
    const memory = probe.pass("memory", encoded.memory);
    encoded = new Encoded(memory, probe.pass("memory_mask", encoded.mask), encoded.attention);
    tgtIn = probe.pass("ids", tgtIn);
    const fed = cache.extend(tgtIn);
    const start = fed.width - tgtIn.width;
    const mask = probe.pass("mask", this.mask(fed, start));
    return this.forwardFrom(0, this.embedding.forward(tgtIn, start, probe), { encoded, mask, cache, probe });
  }

  /**
   * The layers from `first` on; x is the stream that enters it.
   * @param {number} first @param {Tensor} x @param {{ encoded: Encoded, mask: Mask, cache: Cache, probe: Probe }} run
   */
  forwardFrom(first, x, { encoded, mask, cache, probe }) {
    /** @type {Tensor[]} */
    const selfAttention = [];
    /** @type {Tensor[]} */
    const crossAttention = [];
    for (let i = first; i < this.layers.length; i++) {
      const result = this.layers[i].forward(x, encoded, mask, cache.layers[i], probe.at({ layer: i }));
      x = result.x;
      selfAttention.push(result.self);
      crossAttention.push(result.cross);
    }
    return { states: x, selfAttention, crossAttention };
  }

  /** What the queries from `start` on may attend to. @param {Ids} fed @param {number} start */
  mask(fed, start) {
    const padding = paddingMask(fed, this.pad_id);
    const [batch] = fed.shape;
    if (this.startsFromPadding) {
      // The piece that decoding starts from is no padding, and every query may attend to it.
      for (let sentence = 0; sentence < batch; sentence++) padding.at(sentence)[0] = 1;
    }
    return causalMask(padding, start);
  }
}

/** The encoder-decoder of figure 1 of the paper. */
export class Transformer {
  /** @param {Config} config @param {Weights} weights */
  constructor(config, weights) {
    const { src_vocab_size, tgt_vocab_size, d_model, tying } = config;
    this.config = config;
    const source = weights.at("encoder.embedding.tokens").matrix(src_vocab_size, d_model);
    const target = tying === "all" ? source : weights.at("decoder.embedding.tokens").matrix(tgt_vocab_size, d_model);
    const output = tying === "none" ? weights.at("projection").matrix(tgt_vocab_size, d_model) : target;
    this.encoder = new Encoder(config, source, weights.at("encoder"));
    this.decoder = new Decoder(config, target, weights.at("decoder"));
    this.projection = new Linear(output, weights.at("projection").vector("bias", tgt_vocab_size));
  }

  /** @param {Ids} src @param {Probe} probe */
  encode(src, probe = NO_PROBE) {
    return this.encoder.forward(src, probe);
  }

  /**
   * The logits [batch tgt vocab] and all weights. With a cache, `tgtIn` has only the ids that were not fed before.
   * @param {Ids} tgtIn @param {Encoded} encoded @param {Cache | undefined} cache @param {Probe} probe
   */
  decode(tgtIn, encoded, cache, probe = NO_PROBE) {
    const { states, selfAttention, crossAttention } = this.decoder.forward(tgtIn, encoded, cache, probe);
    const logits = probe.at({ stack: "decoder" }).pass("logits", this.projection.forward(states));
    return { logits, selfAttention, crossAttention };
  }

  /** @param {Ids} src @param {Ids} tgtIn @param {Probe} probe */
  forward(src, tgtIn, probe = NO_PROBE) {
    return this.decode(tgtIn, this.encode(src, probe), undefined, probe);
  }
}

/** The attention module of a kind and layer. @param {Transformer} model @param {Kind} kind @param {number} layer */
export function attentionAt(model, kind, layer) {
  return kind === "cross" ? model.decoder.layers[layer].cross_attention : model[kind].layers[layer].self_attention;
}
