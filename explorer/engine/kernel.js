// What kernel.wasm computes: the linear layer, and the numerators of a softmax. Its memory holds the weights.

import { Tensor } from "./tensor.js";

const ROWS = 32; // computed together; more positions than that take several calls
const TILE_OUTPUTS = 8, TILE_INPUTS = 4; // of a matrix, as kernel.wat wants it

// Weights that a file has as 16-bit floats take 16 bits here, too, with other exponents: from 2^-24, the least that
// such a file can hold, to 2^6. Times 2^-102 these are the least exponents of 32-bit floats, so that only bits must
// move.
const NARROW_SCALE = 2 ** 102, NARROW_LIMIT = 0x58; // the upper byte of 128 as a 16-bit float

/** Whether the kernel's 16 bits can hold the 16-bit floats of a file, given as bytes. @param {Uint8Array} bytes */
export function fitsNarrow(bytes) {
  for (let i = 1; i < bytes.length; i += 2) if ((bytes[i] & 0x7f) >= NARROW_LIMIT) return false;
  return true;
}

/** @param {number} size @param {number} multiple */
function roundUp(size, multiple) {
  return Math.ceil(size / multiple) * multiple;
}

/**
 * The bytes that a matrix and a bias take in the kernel's memory.
 * @param {number} outputs @param {number} inputs @param {boolean} isNarrow
 */
export function packedBytes(outputs, inputs, isNarrow) {
  return roundUp(outputs, TILE_OUTPUTS) * (roundUp(inputs, TILE_INPUTS) * (isNarrow ? 2 : 4) + 4);
}

/**
 * The functions of kernel.wat; what they read and write are addresses.
 * @typedef {object} Exports
 * @property {(start: number, end: number, largest: number) => number} exponentials returns their sum
 * @property {(...addresses: number[]) => void} linear
 * @property {(...addresses: number[]) => void} narrow_linear
 */

/** @typedef {import("./tensor.js").TypedArray} TypedArray */

/**
 * How a typed array is made that lies in a memory.
 * @template {TypedArray | Uint16Array} T
 * @typedef {new (memory: ArrayBuffer, start: number, count: number) => T} View
 */

export class Kernel {
  /**
   * `code` are the bytes of kernel.wasm, `bytes` the room for weights, `widest` the largest size of a matrix.
   * @param {BufferSource} code @param {number} bytes @param {number} widest
   */
  constructor(code, bytes, widest) {
    const width = roundUp(widest, TILE_OUTPUTS);
    const scratch = 4 * (2 * ROWS + TILE_OUTPUTS) * width;
    this.memory = allocateMemory(Math.ceil((bytes + scratch) / 65536));
    const instance = new WebAssembly.Instance(new WebAssembly.Module(code), { engine: { memory: this.memory } });
    this.run = /** @type {Exports} */ (instance.exports);
    this.next = 0;
    this.input = this.allocate(ROWS * width);
    this.wide = this.allocate(TILE_OUTPUTS * width); // eight rows of a matrix as 32-bit floats; never at address 0
    this.output = this.allocate(ROWS * width);
  }

  /**
   * Zeros in the kernel's memory, for as long as the kernel lives.
   * @template {Float32Array | Uint16Array} [T=Float32Array]
   * @param {number} count
   * @param {View<T>} Numbers
   */
  allocate(count, Numbers = /** @type {View<T>} */ (/** @type {View<TypedArray>} */ (Float32Array))) {
    const array = new Numbers(this.memory.buffer, this.next, count);
    this.next += array.byteLength;
    return array;
  }

  /**
   * exp(x - largest) of a row of numbers, and the sum of these: { parts, sum, largest }. Thus a softmax is parts / sum.
   *
   * `parts` are a view, until the kernel computes something else.
   * @param {Float32Array} numbers
   */
  exponentials(numbers) {
    let largest = -Infinity;
    for (let i = 0; i < numbers.length; i++) if (numbers[i] > largest) largest = numbers[i];
    const parts = this.output.subarray(0, numbers.length);
    const end = roundUp(numbers.length, 4);
    parts.set(numbers);
    this.output.fill(-Infinity, numbers.length, end);
    return {
      parts,
      sum: this.run.exponentials(this.output.byteOffset, this.output.byteOffset + 4 * end, largest),
      largest,
    };
  }
}

/** @param {number} pages */
function allocateMemory(pages) {
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages });
  } catch (error) {
    throw new Error(`The model needs ${Math.ceil(pages / 16)} MB of memory, and the browser does not give it.`, {
      cause: error,
    });
  }
}

/** A matrix [outputs, inputs], packed as kernel.wat wants it. */
export class Matrix {
  /** @param {Kernel} kernel @param {number} outputs @param {number} inputs @param {boolean} isNarrow */
  constructor(kernel, outputs, inputs, isNarrow) {
    this.kernel = kernel;
    this.outputs = outputs;
    this.inputs = inputs;
    this.isNarrow = isNarrow;
    this.width = roundUp(inputs, TILE_INPUTS);
    /** @type {View<Float32Array | Uint16Array>} */
    const Numbers = isNarrow ? Uint16Array : Float32Array;
    this.packed = kernel.allocate(roundUp(outputs, TILE_OUTPUTS) * this.width, Numbers);
  }

  /**
   * The place of a number: tiles hold the inputs of one output after another's, or of two in turn if they are narrow.
   * @param {number} row @param {number} input
   */
  offset(row, input) {
    const tile = (row & ~7) * this.width + (input & ~3) * TILE_OUTPUTS, i = input & 3;
    return tile + (this.isNarrow ? 4 * (row & 6) + 2 * i + (row & 1) : 4 * (row & 7) + i);
  }

  /** Stores all numbers, row after row. @param {ArrayLike<number>} numbers */
  set(numbers) {
    const stored = this.isNarrow ? narrow(numbers) : numbers;
    for (let row = 0, next = 0; row < this.outputs; row++) {
      for (let i = 0; i < this.inputs; i++) this.packed[this.offset(row, i)] = stored[next++];
    }
  }

  /** The weights of one output. @param {number} row */
  row(row) {
    const stored = this.packed.slice(0, this.inputs);
    for (let i = 0; i < this.inputs; i++) stored[i] = this.packed[this.offset(row, i)];
    return stored instanceof Uint16Array ? widen(stored) : stored;
  }

  /** The weights of one input. @param {number} column */
  column(column) {
    const stored = this.packed.slice(0, this.outputs);
    for (let row = 0; row < this.outputs; row++) stored[row] = this.packed[this.offset(row, column)];
    return stored instanceof Uint16Array ? widen(stored) : stored;
  }
}

/**
 * 32-bit floats as the kernel's 16-bit numbers: sign, 5 bits of exponent, 10 of fraction.
 * @param {ArrayLike<number>} numbers
 */
function narrow(numbers) {
  const stored = new Uint16Array(numbers.length), scaled = new Float32Array(numbers.length);
  for (let i = 0; i < scaled.length; i++) scaled[i] = numbers[i] / NARROW_SCALE;
  const bits = new Uint32Array(scaled.buffer);
  for (let i = 0; i < bits.length; i++) stored[i] = ((bits[i] >>> 16) & 0x8000) | ((bits[i] >>> 13) & 0x7fff);
  return stored;
}

/** @param {Uint16Array} stored */
function widen(stored) {
  const bits = new Uint32Array(stored.length), numbers = new Float32Array(bits.buffer);
  for (let i = 0; i < bits.length; i++) bits[i] = ((stored[i] & 0x8000) << 16) | ((stored[i] & 0x7fff) << 13);
  for (let i = 0; i < numbers.length; i++) numbers[i] *= NARROW_SCALE;
  return numbers;
}

/** x W^T + b; the bias may be missing. It is torch.nn.Linear. */
export class Linear {
  /** @param {Matrix} matrix @param {ArrayLike<number>} bias */
  constructor(matrix, bias = []) {
    this.weight = matrix;
    this.hasBias = bias.length > 0;
    this.bias = matrix.kernel.allocate(roundUp(matrix.outputs, TILE_OUTPUTS));
    this.bias.set(bias);
  }

  /** Maps the last axis of any tensor. @param {Tensor} x */
  forward(x) {
    const { outputs, inputs } = this.weight, count = x.data.length / inputs;
    const result = new Tensor([...x.shape.slice(0, -1), outputs]);
    for (let first = 0; first < count; first += ROWS) {
      this.forwardRows(x.data, result.data, first, Math.min(first + ROWS, count));
    }
    return result;
  }

  /** @param {Float32Array} x @param {Float32Array} result @param {number} first @param {number} end */
  forwardRows(x, result, first, end) {
    const { kernel: { input, output }, outputs, inputs, width } = this.weight;
    const outputWidth = this.bias.length;
    for (let row = first; row < end; row++) {
      const offset = (row - first) * width;
      input.set(x.subarray(row * inputs, (row + 1) * inputs), offset);
      input.fill(0, offset + inputs, offset + width); // what an earlier call left there might be no number
    }
    this.run(end - first);
    for (let row = first; row < end; row++) {
      const offset = (row - first) * outputWidth;
      result.set(output.subarray(offset, offset + outputs), row * outputs);
    }
  }

  /** Maps the first rows of the kernel's input to its output. @param {number} rows */
  run(rows) {
    const { kernel: { input, output, wide, run }, width, packed, isNarrow } = this.weight;
    const { bias } = this;
    const from = [input.byteOffset, 4 * width];
    const to = [bias.byteOffset, output.byteOffset, 4 * bias.length];
    if (isNarrow && rows === 1) run.narrow_linear(...from, packed.byteOffset, ...to);
    else run.linear(rows, ...from, packed.byteOffset, isNarrow ? wide.byteOffset : 0, ...to);
  }
}
