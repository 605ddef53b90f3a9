// Numbers on the screen, and what they are made of.

/** A whole number with its thousands apart: by a comma in English, elsewhere by a narrow space, for a comma may be a decimal sign. */
export function formatInteger(number) {
  const text = number.toLocaleString("en");
  return globalThis.document?.documentElement.lang.startsWith("en") ?? true ? text : text.replaceAll(",", "\u202f");
}

/** Log-probabilities and their differences, with two decimals and a minus that is as wide as a plus. */
export function formatNats(number) {
  return number.toFixed(2).replace("-", "−");
}

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
