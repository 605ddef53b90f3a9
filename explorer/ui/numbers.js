// Formats numbers, and computes softmax and entropy.

/** An integer with a thousands separator: a comma in English, otherwise a narrow space, because a comma may be the decimal sign. */
export function formatInteger(number) {
  const text = number.toLocaleString("en");
  return globalThis.document?.documentElement.lang.startsWith("en") ?? true ? text : text.replaceAll(",", "\u202f");
}

/** A log-probability or a difference of two, with two decimals and a minus sign as wide as a plus. */
export function formatNats(number) {
  return number.toFixed(2).replace("-", "−");
}

/** softmax(logits / temperature). */
export function softmax(logits, temperature = 1) {
  const max = logits.reduce((a, b) => Math.max(a, b));
  const powers = Float64Array.from(logits, (logit) => Math.exp((logit - max) / temperature));
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / sum);
}

/** The entropy in bits. */
export function entropy(probabilities) {
  return probabilities.reduce((bits, p) => (p > 0 ? bits - p * Math.log2(p) : bits), 0);
}

/** The median of sorted numbers. */
export function median(sorted) {
  const half = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(half)] : (sorted[half - 1] + sorted[half]) / 2;
}
