// Logits to probabilities in the browser, so that a temperature is on the screen at once (explorer/predictions.py).

/** Base64 of 32-bit floats, low bytes first. */
export function logitsOf(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}

/** exp(logits / temperature), divided by its sum. */
export function softmax(logits, temperature) {
  const most = logits.reduce((a, b) => Math.max(a, b));
  const powers = Float64Array.from(logits, (logit) => Math.exp((logit - most) / temperature));
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / sum);
}

/** In bits. */
export function entropy(probabilities) {
  return probabilities.reduce((bits, p) => (p > 0 ? bits - p * Math.log2(p) : bits), 0);
}
