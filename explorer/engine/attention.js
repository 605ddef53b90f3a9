// Attention: scaled dot product, several heads side by side, masks (section 3.2 of "Attention Is All You Need").
//
// It is model/attention.py. A mask is [batch, 1, query or 1, key], 1 where a query may attend to a key.

import { NO_PROBE } from "./probe.js";
import { Tensor, matmul, softmax, swapAxes } from "./tensor.js";

/** @typedef {import("./checkpoint.js").Config} Config */
/** @typedef {import("./checkpoint.js").Weights} Weights */
/** @typedef {import("./probe.js").Probe} Probe */
/** @typedef {Tensor<Uint8Array>} Mask */
/** @typedef {Tensor<Int32Array>} Ids */
/** @typedef {{ k: Tensor, v: Tensor }} KeysValues the projections of all heads */

/** -Infinity where the mask does not allow a query to attend to a key. @param {Tensor} scores @param {Mask} mask */
function applyMask(scores, mask) {
  const [batch, heads, queries, keys] = scores.shape, masked = new Tensor(scores.shape);
  for (let row = 0; row < batch * heads * queries; row++) {
    const sentence = Math.floor(row / (heads * queries));
    const query = mask.shape[2] === 1 ? 0 : row % queries;
    const allowed = mask.at(sentence, 0, query);
    const start = row * keys;
    for (let key = 0; key < keys; key++) masked.data[start + key] = allowed[key] ? scores.data[start + key] : -Infinity;
  }
  return masked;
}

/**
 * Concat(head_1, ..., head_h) W_O with head_i = Attention(Q W_Q_i, K W_K_i, V W_V_i) (section 3.2.2).
 *
 * The heads' projections lie side by side in one matrix each. `d_value` may differ from `d_head`; W_O brings the heads
 * back to d_model.
 */
export class MultiHeadAttention {
  /** @param {Config} config @param {Weights} weights */
  constructor({ d_model, n_heads, d_head, d_value, attention_bias }, weights) {
    this.n_heads = n_heads;
    this.w_q = weights.at("w_q").linear(n_heads * d_head, d_model, attention_bias);
    this.w_k = weights.at("w_k").linear(n_heads * d_head, d_model, attention_bias);
    this.w_v = weights.at("w_v").linear(n_heads * d_value, d_model, attention_bias);
    this.w_o = weights.at("w_o").linear(d_model, n_heads * d_value, attention_bias);
  }

  /**
   * softmax(q k^T / sqrt(d_head)) v, equation 1 of the paper; masked scores become -Infinity, their weights 0.
   * @param {Tensor} q @param {KeysValues} keysValues @param {Mask} mask @param {Probe} probe
   */
  scaledDotProduct(q, { k, v }, mask, probe) {
    const kTransposed = probe.pass("k_transposed", swapAxes(k, 2));
    const dotProducts = probe.pass("dot_products", matmul(q, kTransposed));
    const scores = probe.pass("scores", dotProducts.map((product) => product / Math.sqrt(q.width)));
    const maskedScores = probe.pass("masked_scores", applyMask(scores, mask));
    const weights = probe.pass("weights", softmax(maskedScores));
    const heads = probe.pass("heads", matmul(weights, v));
    return { output: heads, weights };
  }

  /**
   * Cuts each projected vector into one piece per head; `name` is what the probe calls the result.
   * @param {Tensor} projected @param {string} name @param {Probe} probe
   */
  splitHeads(projected, name, probe) {
    projected = probe.pass(`${name}_projected`, projected);
    const [batch, position, width] = projected.shape;
    const split = probe.pass(`${name}_split`, projected.reshape(batch, position, this.n_heads, width / this.n_heads));
    return probe.pass(name, swapAxes(split, 1));
  }

  /**
   * Projects keys and values, once for all queries.
   * @param {{ key: Tensor, value: Tensor, probe?: Probe }} sources
   * @returns {KeysValues}
   */
  keysValues({ key, value, probe = NO_PROBE }) {
    const k = this.splitHeads(this.w_k.forward(key), "k", probe);
    const v = this.splitHeads(this.w_v.forward(value), "v", probe);
    return { k, v };
  }

  /**
   * The vector v W_O that a key adds to a query's output for each unit of weight: [batch head key d_model].
   *
   * It is f(x) of Kobayashi et al. 2020. W_V's bias is in v; W_O's bias is in none of these.
   * @param {Tensor} v
   */
  addedPerWeight(v) {
    const [batch, heads, keys, d_value] = v.shape, d_model = this.w_o.weight.outputs;
    const rows = Array.from({ length: d_model }, (_, i) => this.w_o.weight.row(i));
    const added = new Tensor([batch, heads, keys, d_model]);
    for (let index = 0; index < batch * heads * keys; index++) {
      const first = (Math.floor(index / keys) % heads) * d_value;
      const value = v.data.subarray(index * d_value, (index + 1) * d_value);
      for (let i = 0; i < d_model; i++) {
        let sum = 0; // `reduce` takes five times as long
        for (let j = 0; j < d_value; j++) sum += value[j] * rows[i][first + j];
        added.data[index * d_model + i] = sum;
      }
    }
    return added;
  }

  /**
   * Lets every query look at all keys that the mask allows.
   * @param {Tensor} query @param {KeysValues} keysValues @param {Mask} mask @param {Probe} probe
   */
  attend(query, keysValues, mask, probe = NO_PROBE) {
    const q = this.splitHeads(this.w_q.forward(query), "q", probe);
    const { output: heads, weights } = this.scaledDotProduct(q, keysValues, mask, probe);
    const headsTransposed = probe.pass("heads_transposed", swapAxes(heads, 1));
    const [batch, position, head, d_value] = headsTransposed.shape;
    const concatenated = probe.pass("concatenated", headsTransposed.reshape(batch, position, head * d_value));
    const output = probe.pass("output", this.w_o.forward(concatenated));
    return { output, weights };
  }

  /** @param {{ query: Tensor, key: Tensor, value: Tensor, mask: Mask, probe?: Probe }} inputs */
  forward({ query, key, value, mask, probe = NO_PROBE }) {
    return this.attend(query, this.keysValues({ key, value, probe }), mask, probe);
  }
}

/**
 * 1 for every key that is not padding. Queries are never masked, so that no row is left empty.
 * @param {Ids} ids @param {number} padId
 */
export function paddingMask(ids, padId) {
  const [batch, keys] = ids.shape;
  return new Tensor([batch, 1, 1, keys], Uint8Array.from(ids.data, (id) => Number(id !== padId)));
}

/**
 * The padding mask for the queries from `start` on, which attend to no later key: the lower triangle.
 * @param {Mask} padding @param {number} start
 */
export function causalMask(padding, start) {
  const [batch, , , keys] = padding.shape, queries = keys - start;
  const mask = new Tensor([batch, 1, queries, keys], new Uint8Array(batch * queries * keys));
  for (let sentence = 0; sentence < batch; sentence++) {
    for (let query = 0; query < queries; query++) {
      mask.at(sentence, 0, query).set(padding.at(sentence).subarray(0, start + query + 1));
    }
  }
  return mask;
}
