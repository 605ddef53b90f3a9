// The linear layer, which kernel.wasm computes, and the memory that holds its weights.

import { Tensor } from "./tensor.js";

const ROWS = 32; // computed together; more positions than that take several calls

/** The next multiple of four: a SIMD vector has four numbers. */
function padded(size) {
  return Math.ceil(size / 4) * 4;
}

/** The 32-bit floats that a matrix and a bias take in the kernel's memory. */
export function packedSize(outputs, inputs) {
  return padded(outputs) * (padded(inputs) + 1);
}

export class Kernel {
  /** `code` are the bytes of kernel.wasm, `floats` the room for weights, `widest` the widest input or output. */
  constructor(code, floats, widest) {
    const scratch = 2 * ROWS * padded(widest), pages = Math.ceil((4 * (floats + scratch)) / 65536);
    this.memory = allocateMemory(pages);
    this.run = new WebAssembly.Instance(new WebAssembly.Module(code), { engine: { memory: this.memory } }).exports.linear;
    this.next = 0;
    this.input = this.allocate(ROWS * padded(widest));
    this.output = this.allocate(ROWS * padded(widest));
  }

  /** Zeros in the kernel's memory, for as long as the kernel lives. */
  allocate(floats) {
    const array = new Float32Array(this.memory.buffer, this.next, floats);
    this.next += array.byteLength;
    return array;
  }
}

function allocateMemory(pages) {
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages });
  } catch (error) {
    throw new Error(`The model needs ${Math.ceil(pages / 16)} MB of memory, and the browser does not give it.`, { cause: error });
  }
}

/** A matrix [outputs, inputs], packed as kernel.wat wants it. */
export class Matrix {
  constructor(kernel, outputs, inputs) {
    Object.assign(this, { kernel, outputs, inputs, stride: 4 * padded(inputs) });
    this.packed = kernel.allocate(padded(outputs) * padded(inputs));
  }

  /** The place of the first number of a row; the next numbers follow by fours, with three other rows' between. */
  start(row) {
    return (row >> 2) * this.stride + 4 * (row & 3);
  }

  setRow(row, numbers) {
    for (let i = 0, place = this.start(row); i < this.inputs; i++) this.packed[place + 4 * (i & ~3) + (i & 3)] = numbers[i];
  }

  row(row) {
    const numbers = new Float32Array(this.inputs);
    for (let i = 0, place = this.start(row); i < this.inputs; i++) numbers[i] = this.packed[place + 4 * (i & ~3) + (i & 3)];
    return numbers;
  }
}

/** x W^T + b; the bias may be missing. It is torch.nn.Linear. */
export class Linear {
  constructor(matrix, bias = []) {
    this.weight = matrix;
    this.bias = matrix.kernel.allocate(padded(matrix.outputs));
    this.bias.set(bias);
  }

  /** Maps the last axis of any tensor. */
  forward(x) {
    const { outputs, inputs } = this.weight, count = x.data.length / inputs;
    const result = new Tensor([...x.shape.slice(0, -1), outputs]);
    for (let first = 0; first < count; first += ROWS) this.forwardRows(x.data, result.data, first, Math.min(first + ROWS, count));
    return result;
  }

  forwardRows(x, result, first, end) {
    const { kernel: { input, output, run }, outputs, inputs, packed } = this.weight;
    const inputWidth = padded(inputs), outputWidth = padded(outputs);
    for (let row = first; row < end; row++) {
      const place = (row - first) * inputWidth;
      input.set(x.subarray(row * inputs, (row + 1) * inputs), place);
      input.fill(0, place + inputs, place + inputWidth); // what an earlier call left there might be no number
    }
    run(input.byteOffset, end - first, 4 * inputWidth, packed.byteOffset, this.bias.byteOffset, output.byteOffset, 4 * outputWidth);
    for (let row = first; row < end; row++) {
      const place = (row - first) * outputWidth;
      result.set(output.subarray(place, place + outputs), row * outputs);
    }
  }
}
