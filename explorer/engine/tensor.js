// Tensors: a shape, and all numbers in row-major order; what the model and its calls compute with.

/** @typedef {Float32Array | Float64Array | Int32Array | Uint8Array} TypedArray */

/**
 * The number of elements of a shape.
 * @param {number[]} shape
 */
function sizeOf(shape) {
  return shape.reduce((product, size) => product * size, 1);
}

/**
 * Zeros of the same type.
 * @template {TypedArray} T
 * @param {T} numbers
 * @param {number} length
 */
function newArray(numbers, length) {
  const { constructor } = /** @type {{ constructor: unknown }} */ (numbers);
  return new /** @type {new (length: number) => T} */ (constructor)(length);
}

/** @template {TypedArray} [T=Float32Array] */
export class Tensor {
  /**
   * 32-bit floats; ids are an Int32Array, and a mask is a Uint8Array: 1 where a query may attend to a key.
   * @param {number[]} shape
   * @param {T} data
   */
  constructor(shape, data = /** @type {T} */ (new Float32Array(sizeOf(shape)))) {
    this.shape = shape;
    this.data = data;
  }

  /** The size of the last axis. */
  get width() {
    return this.shape.at(-1);
  }

  /** The same numbers in another shape. @param {number[]} shape */
  reshape(...shape) {
    return new Tensor(shape, this.data);
  }

  clone() {
    return new Tensor(this.shape, /** @type {T} */ (this.data.slice()));
  }

  /** The numbers at one or more indices of the first axes, as a view. @param {number[]} indices */
  at(...indices) {
    const inner = sizeOf(this.shape.slice(indices.length));
    const start = indices.reduce((offset, index, axis) => offset * this.shape[axis] + index, 0) * inner;
    return /** @type {T} */ (this.data.subarray(start, start + inner));
  }

  /** Some indices of the first axis, in the order of `rows`; one may occur more than once. @param {number[]} rows */
  select(rows) {
    const shape = [rows.length, ...this.shape.slice(1)];
    const selected = new Tensor(shape, newArray(this.data, sizeOf(shape)));
    rows.forEach((row, index) => selected.at(index).set(this.at(row)));
    return selected;
  }

  /**
   * Calls `change` with every element and its offset.
   * @param {(number: number, offset: number) => number} change
   */
  map(change) {
    const { data } = this;
    const changed = newArray(data, data.length); // in half the time of the array's own map
    for (let i = 0; i < data.length; i++) changed[i] = change(data[i], i);
    return new Tensor(this.shape, changed);
  }
}

/** Ids of sentences of one length, [batch, position]. @param {number[][]} rows */
export function idTensor(rows) {
  return new Tensor([rows.length, rows[0].length], Int32Array.from(rows.flat()));
}

/** x + y, where y may lack the first axes of x. @param {Tensor} x @param {Tensor} y */
export function add(x, y) {
  const { data, data: { length } } = y;
  return x.map((number, offset) => number + data[offset % length]);
}

/** Swaps an axis and the one after it. @param {Tensor} x @param {number} axis */
export function swapAxes(x, axis) {
  const { shape, data } = x;
  const first = shape[axis];
  const second = shape[axis + 1];
  const inner = sizeOf(shape.slice(axis + 2));
  const newShape = [...shape.slice(0, axis), second, first, ...shape.slice(axis + 2)];
  if (first === 1 || second === 1) return x.reshape(...newShape); // the order stays, as in every step of decoding
  const swapped = new Float32Array(data.length), block = first * second * inner;
  for (let start = 0; start < data.length; start += block) {
    for (let i = 0; i < first; i++) {
      for (let j = 0; j < second; j++) {
        const from = start + (i * second + j) * inner, to = start + (j * first + i) * inner;
        for (let k = 0; k < inner; k++) swapped[to + k] = data[from + k];
      }
    }
  }
  return new Tensor(newShape, swapped);
}

/**
 * Joins two tensors along an axis.
 * @template {TypedArray} T
 * @param {Tensor<T>} x
 * @param {Tensor<T>} y
 * @param {number} axis
 */
export function concatenate(x, y, axis) {
  const shape = x.shape.map((size, i) => (i === axis ? size + y.shape[axis] : size));
  const outer = sizeOf(shape.slice(0, axis));
  const joined = new Tensor(shape, newArray(x.data, sizeOf(shape)));
  const first = x.data.length / outer, second = y.data.length / outer;
  for (let i = 0; i < outer; i++) {
    joined.data.set(x.data.subarray(i * first, (i + 1) * first), i * (first + second));
    joined.data.set(y.data.subarray(i * second, (i + 1) * second), i * (first + second) + first);
  }
  return joined;
}

/**
 * Products of matrices, one for each batch and head: [batch head row inner] x [batch head inner column].
 *
 * Four columns at a time take less than half the time of one after another.
 * @param {Tensor} x @param {Tensor} y
 */
export function matmul(x, y) {
  const [batch, head, rows, inner] = x.shape;
  const columns = y.width;
  const fours = columns - (columns % 4);
  const xs = x.data;
  const ys = y.data;
  const products = new Float32Array(batch * head * rows * columns);
  for (let row = 0; row < batch * head * rows; row++) {
    const matrix = Math.floor(row / rows) * inner * columns, first = row * columns;
    for (let column = 0; column < fours; column += 4) {
      let a = 0, b = 0, c = 0, d = 0;
      for (let i = 0, offset = matrix + column; i < inner; i++, offset += columns) {
        const factor = xs[row * inner + i];
        a += factor * ys[offset];
        b += factor * ys[offset + 1];
        c += factor * ys[offset + 2];
        d += factor * ys[offset + 3];
      }
      products[first + column] = a;
      products[first + column + 1] = b;
      products[first + column + 2] = c;
      products[first + column + 3] = d;
    }
    for (let column = fours; column < columns; column++) {
      let sum = 0;
      for (let i = 0; i < inner; i++) sum += xs[row * inner + i] * ys[matrix + i * columns + column];
      products[first + column] = sum;
    }
  }
  return new Tensor([batch, head, rows, columns], products);
}

/** exp(x) / sum of exp(x) over the last axis. @param {Tensor<Numbers>} x */
export function softmax(x) {
  const { width, data } = x, result = new Tensor(x.shape);
  for (let start = 0; start < data.length; start += width) {
    let largest = -Infinity, sum = 0;
    for (let i = start; i < start + width; i++) if (data[i] > largest) largest = data[i];
    for (let i = start; i < start + width; i++) {
      const part = Math.exp(data[i] - largest);
      result.data[i] = part;
      sum += part;
    }
    for (let i = start; i < start + width; i++) result.data[i] /= sum;
  }
  return result;
}

/** The length of a vector, in a loop: Math.hypot of so many numbers takes ten times as long. @param {Numbers} vector */
export function norm(vector) {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += vector[i] * vector[i];
  return Math.sqrt(sum);
}
