// Tensors of a response (explorer/recording/payload.py): a shape, and all numbers in row-major order.

export class Tensor {
  /** `data` are numbers, or base64 of them. */
  constructor({ shape, data }) {
    this.shape = shape;
    this.data = typeof data === "string" ? decodeFloats(data) : data;
  }

  /** All numbers at an index of the first axis. */
  row(index) {
    const width = this.data.length / this.shape[0];
    return this.data.subarray(index * width, (index + 1) * width);
  }

  get rows() {
    return Array.from({ length: this.shape[0] }, (_, index) => this.row(index));
  }
}

/** The bytes of a base64 text. */
export function decodeBase64(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Decodes base64 of little-endian 32-bit floats. */
export function decodeFloats(base64) {
  return new Float32Array(decodeBase64(base64).buffer);
}

/**
 * A tensor of an overview, whose numbers are bytes.
 * @param {any} strip
 */
export function decodeStrip({ shape, scale, data }) {
  const bytes = new Int8Array(decodeBase64(data).buffer);
  return new Tensor({ shape, data: Float32Array.from(bytes, (byte) => (byte * scale) / 127) });
}

/** Decodes the tensors of a response; other entries stay as they are. */
export function decodeTensors(answer) {
  const decodeEntry = ([name, value]) => [name, value?.data === undefined ? value : new Tensor(value)];
  return Object.fromEntries(Object.entries(answer).map(decodeEntry));
}

/** The matrix product of rows, each as long as there are `others`. */
export function multiply(rows, others) {
  return rows.map((row) => {
    const sums = new Float64Array(others[0].length);
    for (let i = 0; i < row.length; i++) {
      for (let j = 0; j < sums.length; j++) sums[j] += row[i] * others[i][j];
    }
    return sums;
  });
}

export function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
