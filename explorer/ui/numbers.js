// Formats all numbers that a visitor reads, and computes softmax and entropy.

const WITH_ENGLISH_NUMBERS = ["en", "zh"]; // language.py
const FLOAT32_DIGITS = 6;

/** A number as JavaScript writes it with the signs of a language: a decimal point, or a comma and narrow spaces. */
export function localNumber(text, language = globalThis.document?.documentElement.lang ?? "en") {
  if (WITH_ENGLISH_NUMBERS.includes(language.split("-")[0])) return text;
  return text.replaceAll(",", "\u202f").replace(".", ",");
}

export function formatInteger(number) {
  return localNumber(number.toLocaleString("en"));
}

/** A number with a minus sign as wide as a plus, as "−0.35"; without a sign if it rounds to 0. */
export function formatDecimal(number, digits) {
  return localNumber(number.toFixed(digits)).replace(/^-(?=[0.,]*$)/, "").replace("-", "−");
}

/**
 * A share in percent, without its sign, rounded once: "23" of 0.23495, which three decimals would make 0.235 and then
 * "24"; "≈0" if it is not quite 0.
 */
export function formatPercent(share, { digits = 0 } = {}) {
  const text = shownPercent(share, digits).toFixed(digits);
  return Number(text) === 0 && share > 0 ? "≈0" : localNumber(text);
}

/** A share in percent as formatPercent shows it, to compare or to add. */
export function shownPercent(share, digits = 0) {
  return Number(`${share.toFixed(digits + 2)}e2`); // 100 * share may round up what is below a half
}

/** A number with so many digits that count, as "0.0310" or "6.8e−8". */
export function formatSignificant(number, digits) {
  return localNumber(number.toPrecision(digits)).replaceAll("-", "−");
}

/** A number with all the digits that a 32-bit float has, for who wants to know what "≈0" is. */
export function formatExact(number) {
  return localNumber(`${Number(number.toPrecision(FLOAT32_DIGITS))}`).replaceAll("-", "−");
}

/** A number as formatDecimal writes it, with a plus, as "+0.35". */
export function formatSigned(number, digits) {
  const text = formatDecimal(number, digits);
  return number > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** How much more `after` is than `before`, as both are shown: "0.07" beside 4.78 and 4.72 would not fit. */
export function shownDifference(before, after, digits) {
  return Number(after.toFixed(digits)) - Number(before.toFixed(digits));
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

/** The number below which a part of all numbers lies, between the nearest two (Hyndman and Fan's definition 7). */
export function quantile(numbers, part) {
  const sorted = Float64Array.from(numbers).sort();
  const index = part * (sorted.length - 1);
  const before = Math.floor(index);
  return sorted[before] + (index - before) * ((sorted[before + 1] ?? sorted[before]) - sorted[before]);
}
