// The layers around attention: embedding and positions, feed-forward, add and norm (sections 3.1, 3.3 to 3.5).
//
// It is model/layers.py without dropout, which is for training. Post-norm as in the paper.

import { NO_PROBE } from "./probe.js";
import { Tensor, add } from "./tensor.js";

/** @typedef {import("./checkpoint.js").Config} Config */
/** @typedef {import("./checkpoint.js").Weights} Weights */
/** @typedef {import("./probe.js").Probe} Probe */
/** @typedef {import("./attention.js").Ids} Ids */

export const EPSILON = 1e-5;

/** (x - mean) / sqrt(variance + epsilon) * weight + bias over the last axis (Ba et al. 2016). */
export class LayerNorm {
  /** @param {number} width @param {Weights} weights */
  constructor(width, weights) {
    this.weight = weights.vector("weight", width);
    this.bias = weights.vector("bias", width);
  }

  /** @param {Tensor} x */
  forward(x) {
    const result = new Tensor(x.shape), { width } = x;
    for (let start = 0; start < x.data.length; start += width) {
      let mean = 0, variance = 0;
      for (let i = 0; i < width; i++) mean += x.data[start + i] / width;
      for (let i = 0; i < width; i++) variance += (x.data[start + i] - mean) ** 2 / width;
      const scale = 1 / Math.sqrt(variance + EPSILON);
      for (let i = 0; i < width; i++) {
        result.data[start + i] = (x.data[start + i] - mean) * scale * this.weight[i] + this.bias[i];
      }
    }
    return result;
  }
}

/** pos / 10000^(2i / d_model), in radians. @param {number} position @param {number} pair @param {number} d_model */
function positionAngle(position, pair, d_model) {
  return position / 10000 ** ((2 * pair) / d_model);
}

/**
 * PE(pos, 2i) = sin(pos / 10000^(2i / d_model)), PE(pos, 2i + 1) = cos of the same (section 3.5).
 * @param {number} length @param {number} d_model
 */
function sinusoidalPositions(length, d_model) {
  return positionTable(length, d_model, (position, i) => {
    const angle = positionAngle(position, i >> 1, d_model);
    return i % 2 ? Math.cos(angle) : Math.sin(angle);
  });
}

/**
 * The same numbers in the order of Marian (Junczys-Dowmunt et al. 2018): all sines, then all cosines.
 * @param {number} length @param {number} d_model
 */
function sinusoidalHalves(length, d_model) {
  const half = d_model / 2;
  return positionTable(length, d_model, (position, i) => {
    const angle = positionAngle(position, i % half, d_model);
    return i < half ? Math.sin(angle) : Math.cos(angle);
  });
}

/** Zeros: the model sees which pieces there are, but not where. @param {number} length @param {number} d_model */
function noPositions(length, d_model) {
  return new Tensor([length, d_model]);
}

/** @param {number} length @param {number} d_model @param {(position: number, i: number) => number} number */
function positionTable(length, d_model, number) {
  return new Tensor([length, d_model]).map((_, index) => number(Math.floor(index / d_model), index % d_model));
}

/** @type {Record<Exclude<Config["positions"], "learned">, (length: number, d_model: number) => Tensor>} */
const POSITION_TABLES = { sinusoidal: sinusoidalPositions, "sinusoidal halves": sinusoidalHalves, none: noPositions };

/** Ids to vectors: sqrt(d_model) times a row of the table (section 3.4), plus the position (section 3.5). */
export class Embedding {
  /**
   * `tokens` is the table, which other parts of the model may share.
   * @param {import("./kernel.js").Matrix} tokens @param {Config} config @param {Weights} weights
   */
  constructor(tokens, { d_model, max_len, positions }, weights) {
    this.tokens = tokens;
    this.scale = Math.sqrt(d_model);
    this.positions = positions === "learned"
      ? new Tensor([max_len, d_model], weights.vector("positions", max_len, d_model))
      : POSITION_TABLES[positions](max_len, d_model);
  }

  /**
   * `start` is the position of the first id, for cached decoding.
   * @param {Ids} ids @param {number} start @param {Probe} probe
   */
  forward(ids, start = 0, probe = NO_PROBE) {
    const [batch, length] = ids.shape;
    const [maxLength, d_model] = this.positions.shape;
    const end = start + length;
    if (end > maxLength) throw new Error(`${end} tokens are more than max_len ${maxLength}`);
    const rows = new Tensor([batch, length, d_model]);
    ids.data.forEach((id, index) => rows.data.set(this.tokens.row(id), index * d_model));
    const tokenEmbedding = probe.pass("token_embedding", rows);
    const embedding = probe.pass("embedding", tokenEmbedding.map((number) => number * this.scale));
    const here = this.positions.data.subarray(start * d_model, end * d_model);
    const positions = probe.pass("positions", new Tensor([length, d_model], here));
    return probe.pass("stream", add(embedding, positions));
  }
}

/**
 * The error function, with a relative error below 1.2e-7 (Press et al., Numerical Recipes, section 6.2).
 * @param {number} x
 */
function erf(x) {
  const t = 1 / (1 + 0.5 * Math.abs(x));
  const coefficients = [
    0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196, 1.00002368,
    -1.26551223,
  ];
  const exponent = coefficients.reduce((sum, coefficient) => sum * t + coefficient, 0);
  const complement = t * Math.exp(exponent - x * x);
  return x < 0 ? complement - 1 : 1 - complement;
}

/** @type {Record<Config["activation"], (x: number) => number>} */
const ACTIVATIONS = {
  relu: (x) => Math.max(x, 0),
  gelu: (x) => (x * (1 + erf(x / Math.SQRT2))) / 2,
  silu: (x) => x / (1 + Math.exp(-x)),
};

/** W_2 activation(W_1 x + b_1) + b_2, at every position alike (section 3.3). */
export class FeedForward {
  /** @param {Config} config @param {Weights} weights */
  constructor({ d_model, d_ff, activation }, weights) {
    this.w_1 = weights.at("w_1").linear(d_ff, d_model);
    this.w_2 = weights.at("w_2").linear(d_model, d_ff);
    this.activation = ACTIVATIONS[activation];
  }

  /** @param {Tensor} x @param {Probe} probe */
  forward(x, probe = NO_PROBE) {
    const preActivation = probe.pass("pre_activation", this.w_1.forward(x));
    const hidden = probe.pass("hidden", preActivation.map(this.activation));
    return probe.pass("output", this.w_2.forward(hidden));
  }
}

/** LayerNorm(x + output): the residual connection around a sub-layer (section 3.1). */
export class AddNorm {
  /** @param {Config} config @param {Weights} weights */
  constructor({ d_model }, weights) {
    this.norm = new LayerNorm(d_model, weights.at("norm"));
  }

  /** @param {Tensor} x @param {Tensor} output @param {Probe} probe */
  forward(x, output, probe = NO_PROBE) {
    const total = probe.pass("sum", add(x, output));
    return probe.pass("stream", this.norm.forward(total));
  }
}
