// A checkpoint's own files, as model.checkpoints saves them, read into a Translator. Of the options of model/config.py
// it says which the engine can hold.
//
// The weights are safetensors (16-bit, bfloat16 or 32-bit floats), in one file or in shards with an index.

import { Translator } from "./decoding.js";
import { Kernel, Linear, Matrix, fitsNarrow, packedBytes } from "./kernel.js";
import { TWO_MODELS, TwoModels, Tokenizer } from "./tokenizer.js";
import { Transformer } from "./transformer.js";

/**
 * The fields of a config.json (model/config.py).
 * @typedef {"src_vocab_size" | "tgt_vocab_size" | "n_layers" | "n_decoder_layers" | "n_heads" | "d_model"} Size
 * @typedef {Size | "d_ff" | "d_head" | "d_value" | "max_len" | "dropout" | "pad_id"} NumberField
 * @typedef {object} Options
 * @property {"relu" | "gelu" | "silu"} activation
 * @property {"sinusoidal" | "sinusoidal halves" | "learned" | "none"} positions
 * @property {"none" | "output" | "all"} tying
 * @property {"bos" | "pad"} start
 * @property {boolean} attention_bias
 * @property {boolean} shared_vocabulary
 * @typedef {Record<NumberField, number> & Options} Config
 */

/** @typedef {Record<string, Uint8Array>} Files the bytes of a checkpoint's files by name */
/** @typedef {{ dtype: NumberType, shape: number[], bytes: Uint8Array, isNarrow: boolean }} StoredTensor */
/** @typedef {"F16" | "BF16" | "F32"} NumberType */

const INDEX = "model.safetensors.index.json";
/** @type {Config} */
const DEFAULTS = {
  src_vocab_size: 16000, tgt_vocab_size: 16000, n_layers: 4, n_decoder_layers: 0, n_heads: 8, d_model: 256, d_ff: 2048,
  d_head: 0, d_value: 0, max_len: 512, dropout: 0.1, activation: "relu", positions: "sinusoidal", attention_bias: true,
  shared_vocabulary: true, tying: "all", start: "bos", pad_id: 0,
};
/** @type {Record<string, unknown[]>} */
const CHOICES = {
  activation: ["relu", "gelu", "silu"],
  positions: ["sinusoidal", "sinusoidal halves", "learned", "none"],
  tying: ["none", "output", "all"],
  start: ["bos", "pad"],
};
const OPTIONAL = ["n_decoder_layers", "d_head", "d_value", "pad_id"]; // 0 has a meaning

/** @param {string} name @param {unknown} value */
function verifyField(name, value) {
  if (!(name in DEFAULTS)) throw new Error(`config.json: the engine does not know the option "${name}".`);
  const expected = CHOICES[name];
  if (expected && !expected.includes(value)) {
    throw new Error(`config.json: ${name} must be one of ${expected.join(", ")}, not ${JSON.stringify(value)}.`);
  }
  if (typeof value !== typeof DEFAULTS[/** @type {keyof Config} */ (name)]) {
    throw new Error(`config.json: ${name} cannot be ${JSON.stringify(value)}.`);
  }
  const least = OPTIONAL.includes(name) ? 0 : 1;
  if (typeof value === "number" && name !== "dropout" && !(Number.isInteger(value) && value >= least)) {
    throw new Error(`config.json: ${name} must be a whole number from ${least} on, not ${value}.`);
  }
}

/** The configuration in the object of a config.json, complete. @param {Partial<Config>} fields @returns {Config} */
function modelConfig(fields) {
  for (const [name, value] of Object.entries(fields)) verifyField(name, value);
  const config = { ...DEFAULTS, ...fields };
  const { d_model, n_heads, tying, shared_vocabulary, src_vocab_size, tgt_vocab_size } = config;
  if (d_model % 2) throw new Error(`config.json: d_model must be even, not ${d_model}.`);
  if (!config.d_head && d_model % n_heads) {
    throw new Error(`config.json: d_model ${d_model} is not divisible by n_heads ${n_heads}.`);
  }
  if (shared_vocabulary && src_vocab_size !== tgt_vocab_size) {
    throw new Error("config.json: a shared vocabulary has one size.");
  }
  if (tying === "all" && !shared_vocabulary) throw new Error("config.json: tying \"all\" needs a shared vocabulary.");
  config.n_decoder_layers ||= config.n_layers;
  config.d_head ||= d_model / n_heads;
  config.d_value ||= config.d_head;
  return config;
}

/** The value of a 16-bit float: 1 bit for the sign, 5 for the exponent, 10 for the fraction. @param {number} bits */
function halfPrecision(bits) {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const sign = bits >> 15 ? -1 : 1;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24);
}

// Of all of them: to look a value up is much faster than to compute it, millions of times.
const HALF_PRECISION = new Float32Array(65536).map((_, bits) => halfPrecision(bits));

/**
 * How the numbers of each type are read, little-endian as in the file.
 * @type {Record<NumberType, (bytes: ArrayBuffer) => Float32Array>}
 */
const READERS = {
  F16(bytes) {
    const bits = new Uint16Array(bytes), floats = new Float32Array(bits.length);
    for (let i = 0; i < bits.length; i++) floats[i] = HALF_PRECISION[bits[i]];
    return floats;
  },
  BF16: (bytes) => new Float32Array(Uint32Array.from(new Uint16Array(bytes), (bits) => bits << 16).buffer),
  F32: (bytes) => new Float32Array(bytes),
};

/** @param {Float32Array} numbers */
function areFinite(numbers) {
  for (let i = 0; i < numbers.length; i++) if (!Number.isFinite(numbers[i])) return false;
  return true;
}

/** @param {Files} files @param {string} name */
function readJson(files, name) {
  if (!files[name]) throw new Error(`The checkpoint has no ${name}.`);
  return JSON.parse(new TextDecoder().decode(files[name]));
}

/**
 * The tensors of a safetensors file by name; `isNarrow` is for `Matrix`.
 * @param {string} name
 * @param {Uint8Array} file
 * @returns {[string, StoredTensor][]}
 */
function readTensors(name, file) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const start = 8 + Number(view.getBigUint64(0, true));
  if (start > file.length) throw new Error(`${name} is incomplete.`);
  /** @type {Record<string, { dtype: NumberType, shape: number[], data_offsets: [number, number] }>} */
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, start)));
  delete header.__metadata__;
  return Object.entries(header).map(([weight, { dtype, shape, data_offsets: [first, end] }]) => {
    if (!READERS[dtype]) {
      throw new Error(`${name}: ${weight} has numbers of type ${dtype}, not ${Object.keys(READERS).join(", ")}.`);
    }
    if (start + end > file.length) throw new Error(`${name} is incomplete.`);
    const bytes = file.subarray(start + first, start + end);
    const isNarrow = dtype === "F16" && fitsNarrow(bytes);
    return [weight, { dtype, shape, bytes, isNarrow }];
  });
}

/** The weights of the files that the index names, or of the one file. @param {Files} files */
function readWeights(files) {
  const listed = files[INDEX] ? Object.values(readJson(files, INDEX).weight_map) : ["model.safetensors"];
  const names = [...new Set(listed)];
  const missing = names.find((name) => !files[name]);
  if (missing) throw new Error(`The checkpoint has no ${missing}.`);
  return new Map(names.flatMap((name) => readTensors(name, files[name])));
}

/** The weights below a prefix. A module takes its own, and the prefix of each of its parts is the part's name. */
export class Weights {
  /** @param {Map<string, StoredTensor>} tensors @param {Kernel} kernel @param {string} prefix */
  constructor(tensors, kernel, prefix = "") {
    this.tensors = tensors;
    this.kernel = kernel;
    this.prefix = prefix;
  }

  /** @param {string | number} name */
  at(name) {
    return new Weights(this.tensors, this.kernel, `${this.prefix}${name}.`);
  }

  /**
   * Numbered parts, such as layers.
   * @template Part
   * @param {number} count
   * @param {(weights: Weights) => Part} make
   */
  list(count, make) {
    return Array.from({ length: count }, (_, i) => make(this.at(i)));
  }

  /** Takes a weight out, so that what is left at the end is unknown. @param {string} name @param {number[]} shape */
  vector(name, ...shape) {
    const weight = this.prefix + name;
    const tensor = this.tensors.get(weight);
    if (!tensor) throw new Error(`The weights do not fit config.json: ${weight} is missing.`);
    if (`${tensor.shape}` !== `${shape}`) {
      throw new Error(`The weights do not fit config.json: ${weight} has shape ${tensor.shape}, not ${shape}.`);
    }
    this.tensors.delete(weight);
    const numbers = READERS[tensor.dtype](tensor.bytes.slice().buffer);
    if (!areFinite(numbers)) throw new Error(`${weight} holds values that are not finite numbers.`);
    return numbers;
  }

  /** @param {number} outputs @param {number} inputs */
  matrix(outputs, inputs) {
    const isNarrow = this.tensors.get(`${this.prefix}weight`)?.isNarrow;
    const numbers = this.vector("weight", outputs, inputs);
    const matrix = new Matrix(this.kernel, outputs, inputs, isNarrow);
    matrix.set(numbers);
    return matrix;
  }

  /** @param {number} outputs @param {number} inputs @param {boolean} bias */
  linear(outputs, inputs, bias = true) {
    return new Linear(this.matrix(outputs, inputs), bias ? this.vector("bias", outputs) : []);
  }
}

/**
 * Room in the kernel for all matrices with their biases.
 * @param {Map<string, StoredTensor>} tensors @param {BufferSource} code
 */
function makeKernel(tensors, code) {
  const matrices = [...tensors.values()].filter(({ shape }) => shape.length === 2);
  const bytes = matrices.reduce((sum, { shape, isNarrow }) => (
    sum + packedBytes(.../** @type {[number, number]} */ (shape), isNarrow)), 0);
  return new Kernel(code, bytes, Math.max(...matrices.flatMap(({ shape }) => shape)));
}

/**
 * `files` are the bytes of a checkpoint's files by name, Uint8Arrays; `code` is kernel.wasm.
 * @param {Files} files @param {BufferSource} code
 */
export function loadCheckpoint(files, code) {
  const config = modelConfig(readJson(files, "config.json"));
  const tokenizer = readTokenizer(files);
  const record = readJson(files, "training.json");
  verifyTokenizer(tokenizer, config);
  const tensors = readWeights(files);
  const model = new Transformer(config, new Weights(tensors, makeKernel(tensors, code)));
  const [unknown] = tensors.keys();
  if (unknown) throw new Error(`The weights do not fit config.json: ${unknown} is unknown.`);
  return new Translator(model, tokenizer, record);
}

/** @param {Files} files */
function readTokenizer(files) {
  if (files["tokenizer.model"]) return new Tokenizer(files["tokenizer.model"]);
  if (TWO_MODELS.every((name) => files[name])) return new TwoModels(files);
  throw new Error(`The checkpoint has no tokenizer.model, nor ${TWO_MODELS.join(", ")}.`);
}

/** @param {import("./tokenizer.js").AnyTokenizer} tokenizer @param {Config} config */
function verifyTokenizer({ vocabSize, padId, bosId }, { src_vocab_size, tgt_vocab_size, pad_id, start }) {
  if (vocabSize !== src_vocab_size || vocabSize !== tgt_vocab_size) {
    throw new Error(`The tokenizer has ${vocabSize} tokens, the model ${src_vocab_size} and ${tgt_vocab_size}.`);
  }
  if (padId !== pad_id) throw new Error(`The tokenizer pads with id ${padId}, the model with ${pad_id}.`);
  if ((start === "pad") !== (bosId === padId)) {
    const first = bosId === padId ? "its padding token" : "a token of its own";
    throw new Error(`The tokenizer starts from ${first}, the model from "${start}".`);
  }
}
