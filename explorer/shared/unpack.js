// Numbers as they travel (explorer/recording/payload.py).

const LEVELS = 4095;

/** Base64 of 12-bit integers, two in three bytes, to weights from 0 to 1. */
export function unpack(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const weights = new Float32Array((bytes.length / 3) * 2);
  for (let from = 0, to = 0; from < bytes.length; from += 3, to += 2) {
    weights[to] = (bytes[from] | ((bytes[from + 1] & 0xf) << 8)) / LEVELS;
    weights[to + 1] = ((bytes[from + 1] >> 4) | (bytes[from + 2] << 4)) / LEVELS;
  }
  return weights;
}

/** Base64 of 32-bit floats, low bytes first, to numbers. */
export function floats(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}
