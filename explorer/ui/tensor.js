// Tensors as they travel (explorer/recording/payload.py): a shape, and all numbers in order.

export class Tensor {
  constructor({ shape, data }) {
    this.shape = shape;
    this.data = decodeFloats(data);
  }

  /** All numbers of one index of the first axis. */
  row(index) {
    const width = this.data.length / this.shape[0];
    return this.data.subarray(index * width, (index + 1) * width);
  }

  get rows() {
    return Array.from({ length: this.shape[0] }, (_, index) => this.row(index));
  }
}

/** Base64 of 32-bit floats, low bytes first, to numbers. */
export function decodeFloats(base64) {
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return new Float32Array(bytes.buffer);
}

/** Every tensor of an answer under its name; other entries stay as they are. */
export function tensors(answer) {
  const made = ([name, value]) => [name, value?.data === undefined ? value : new Tensor(value)];
  return Object.fromEntries(Object.entries(answer).map(made));
}

export function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
