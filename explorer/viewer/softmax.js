// Logits to probabilities in the browser, so that a temperature is on the screen at once (explorer/predictions.py).

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
