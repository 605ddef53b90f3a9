// Scores or logits to a distribution, and how spread out one is; as in explorer/tabs/predictions/output.py.

/** exp(logits / temperature), divided by its sum. */
export function softmax(logits, temperature = 1) {
  const most = logits.reduce((a, b) => Math.max(a, b));
  const powers = Float64Array.from(logits, (logit) => Math.exp((logit - most) / temperature));
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / sum);
}

/** In bits. */
export function entropy(probabilities) {
  return probabilities.reduce((bits, p) => (p > 0 ? bits - p * Math.log2(p) : bits), 0);
}
