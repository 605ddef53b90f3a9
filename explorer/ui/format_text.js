// Texts with values in Python's format syntax, as "{share:.2f} of {count:,}".

import { localNumber } from "./numbers.js";

/** A number of the form 6.8e-08. */
function scientific(number, digits) {
  const [mantissa, exponent] = number.toExponential(digits).split("e");
  const power = Number(exponent);
  return `${mantissa}e${power < 0 ? "-" : "+"}${`${Math.abs(power)}`.padStart(2, "0")}`;
}

/** A number with so many significant digits, as Python's format "g" writes it. */
function general(number, digits) {
  const power = Number(number.toExponential(digits - 1).split("e")[1]);
  const withoutZeros = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (power >= -4 && power < digits) return withoutZeros(number.toFixed(digits - 1 - power));
  return scientific(number, digits - 1).replace(/^[^e]+/, withoutZeros);
}

/** A number as a format such as ",", ".2f", ",.1f", ".3g" or ".1e" writes it. */
function formatNumber(number, format) {
  const [, comma, digits, kind] = format.match(/^(,?)(?:\.(\d+)([fge]))?$/);
  if (kind === "g") return general(number, Number(digits));
  if (kind === "e") return scientific(number, Number(digits));
  const decimals = { minimumFractionDigits: Number(digits ?? 0), maximumFractionDigits: Number(digits ?? 0) };
  if (comma) return number.toLocaleString("en", decimals);
  return digits === undefined ? `${number}` : number.toFixed(Number(digits));
}

/**
 * A text of the words (explorer/ui/translations.py) with its values. Numbers have the format that the text gives them
 * and the signs of a language, by default the page's, and a minus as wide as a plus.
 */
export function formatText(template, values, language) {
  return template.replace(/\{\{|\}\}|\{(\w+)(!r)?(?::([^{}]*))?\}/g, (found, name, isQuoted, format = "") => {
    if (name === undefined) return found[0];
    if (!(name in values)) throw new Error(`no ${name} for "${template}"`);
    const value = values[name];
    if (typeof value !== "number") return isQuoted ? `'${value}'` : value;
    return localNumber(formatNumber(value, format), language).replaceAll("-", "−");
  });
}
