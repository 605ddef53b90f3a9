// Numbers for the page: explorer/recording/payload.py.

const CHUNK = 32768; // more arguments than that a function may not take

/** Bytes in base64. */
export function encodeBytes(bytes) {
  // `apply`, and the constructor below, take a fifth of the time of `...` and `from`, which go through an iterator.
  let text = "";
  for (let start = 0; start < bytes.length; start += CHUNK) text += String.fromCharCode.apply(null, bytes.subarray(start, start + CHUNK));
  return btoa(text);
}

/** Numbers in order as 32-bit little-endian floats in base64. */
function encodeFloats(numbers) {
  return encodeBytes(new Uint8Array(new Float32Array(numbers).buffer));
}

/** The shape and all numbers of a tensor. */
export function tensorJson({ shape, data }) {
  return { shape, data: encodeFloats(data) };
}

/** The tensor [layer head query key] as [layer head cell] without masked cells: in the decoder, the lower triangle. */
export function unmaskedCells(tensor, kind) {
  const [layers, heads, queries, keys] = tensor.shape, cells = [];
  for (let row = 0; row < layers * heads * queries; row++) {
    const end = kind === "decoder" ? (row % queries) + 1 : keys;
    for (let key = 0; key < end; key++) cells.push(tensor.data[row * keys + key]);
  }
  return { shape: [layers, heads, cells.length / (layers * heads)], data: cells };
}

/** All weights of a kind, without masked cells. */
export function encodeWeights(trace, kind) {
  return encodeFloats(unmaskedCells(trace[kind].weights, kind).data);
}
