// A trace as it comes from Python (explorer/payload.py), made ready for drawing.

const FULL = 65535;
export const MEAN = -1;

/** Base64 of little-endian 16-bit integers to a Uint16Array. */
function integers(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new Uint16Array(bytes.buffer);
}

/** The payload's text to a trace; weights stay integers until they are drawn. */
export function decode(text) {
  const payload = JSON.parse(text);
  for (const map of Object.values(payload.kinds ?? {})) map.weights = integers(map.weights);
  return payload;
}

/** Rows of weights of one head, or of the mean over the layer's heads (head MEAN), queries down, keys along. */
export function matrix(map, layer, head) {
  const [, heads, queries, keys] = map.shape;
  const chosen = head === MEAN ? [...Array(heads).keys()] : [head];
  const size = queries * keys;
  return Array.from({ length: queries }, (_, query) => {
    const row = new Float32Array(keys);
    for (const one of chosen) {
      const start = (layer * heads + one) * size + query * keys;
      for (let key = 0; key < keys; key++) row[key] += map.weights[start + key] / FULL / chosen.length;
    }
    return row;
  });
}

/** What is known at a step: the encoder's map is whole, the decoder's maps have rows up to the step. */
export function rowsShown(kind, rows, step) {
  return kind === "encoder" ? rows : rows.slice(0, step + 1);
}

/** The future, which the causal mask forbids, is no weight at all: null, not 0. */
export function withoutFuture(kind, rows) {
  if (kind !== "decoder") return rows.map((row) => Array.from(row));
  return rows.map((row, query) => Array.from(row, (weight, key) => (key > query ? null : weight)));
}
