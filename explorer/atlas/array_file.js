// Reads the file format of an atlas (array_file.py): a JSON header and typed arrays. Pure.

/** @typedef {Uint8Array | Uint16Array | Uint32Array | Float32Array} Numbers */

/** The last axis of the shape varies fastest. @typedef {{ shape: number[], data: Numbers }} FileArray */

const LENGTH_BYTES = 4; // of the header's length
const BYTES = { uint8: 1, uint16: 2, uint32: 4, float32: 4 };
const TYPES = { uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array };

/**
 * The header of an unpacked file and its arrays by name.
 * @param {Uint8Array} bytes
 * @returns {{ header: Record<string, any>, arrays: Record<string, FileArray> }}
 */
export function parseArrays(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length)));
  let start = LENGTH_BYTES + length;
  const arrays = Object.fromEntries(header.arrays.map(({ name, type, shape }) => {
    const count = shape.reduce((product, size) => product * size, 1);
    const data = unshuffle(bytes.subarray(start, start + count * BYTES[type]), type, count);
    start += count * BYTES[type];
    return [name, { shape, data }];
  }));
  return { header, arrays };
}

/**
 * The numbers whose lowest bytes come first, then their second bytes, and so on.
 * @param {Uint8Array} bytes
 * @param {keyof typeof BYTES} type
 * @param {number} count
 * @returns {Numbers}
 */
function unshuffle(bytes, type, count) {
  const numbers = new (TYPES[type] ?? Uint32Array)(count);
  for (let place = 0; place < BYTES[type]; place++) {
    const ofPlace = bytes.subarray(place * count);
    for (let i = 0; i < count; i++) numbers[i] |= ofPlace[i] << (8 * place);
  }
  return type === "float32" ? new Float32Array(numbers.buffer) : numbers;
}
