// What Python does with text where JavaScript does something else: blanks, lengths, regular expressions, formats,
// numbers.

import { BLANK, LETTER } from "./tidying.js";
import { localNumber } from "../ui/numbers.js";

const BLANKS = BLANK.slice(1, -1);
const CLASSES = [
  ["[^\\W\\d_]", LETTER],
  ["[\\s", `[${BLANKS}`],
  ["\\s", BLANK],
  ["\\w", "[\\p{L}\\p{N}_]"],
  ["\\d", "\\p{Nd}"],
  ["(?P<", "(?<"],
];
const AROUND = new RegExp(`^${BLANK}+|${BLANK}+$`, "gu");

/** The regular expression of a pattern in Python's syntax; inside brackets of several things, only \s is understood. */
export function compilePattern(source, flags = "") {
  return new RegExp(CLASSES.reduce((text, [python, own]) => text.replaceAll(python, own), source), `${flags}u`);
}

/** The number of code points. */
export function lengthOf(text) {
  return [...text].length;
}

/** A text of at most so many code points, with an ellipsis at the end of a longer one. */
export function shorten(text, letters) {
  return lengthOf(text) <= letters ? text : `${[...text].slice(0, letters - 1).join("")}…`;
}

/** The text without blanks around it. */
export function strip(text) {
  return text.replace(AROUND, "");
}

/** The text without these characters at its start. */
export function stripStart(text, characters) {
  const signs = [...text];
  const first = signs.findIndex((sign) => !characters.includes(sign));
  return first < 0 ? "" : signs.slice(first).join("");
}

/** The text without these characters around it. */
export function stripCharacters(text, characters) {
  const reverse = (one) => [...one].reverse().join("");
  return reverse(stripStart(reverse(stripStart(text, characters)), characters));
}

/** The different texts in their first order, joined. */
export function joinDifferent(texts) {
  return [...new Set(texts)].join(", ");
}

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

/** A number as a format such as ",", ".2f", ",.1f", ".3g", ".1e" or ".0%" writes it. */
function formatNumber(number, format) {
  const [, comma, digits, kind] = format.match(/^(,?)(?:\.(\d+)([fge%]))?$/);
  if (kind === "g") return general(number, Number(digits));
  if (kind === "e") return scientific(number, Number(digits));
  if (kind === "%") return `${(100 * number).toFixed(Number(digits))}%`;
  const decimals = { minimumFractionDigits: Number(digits ?? 0), maximumFractionDigits: Number(digits ?? 0) };
  if (comma) return number.toLocaleString("en", decimals);
  return digits === undefined ? `${number}` : number.toFixed(Number(digits));
}

/**
 * A text of a catalogue (explorer/ui/translations.py) with its values, and numbers with the signs of the page's
 * language.
 */
export function formatText(template, values, language) {
  return template.replace(/\{\{|\}\}|\{(\w+)(!r)?(?::([^{}]*))?\}/g, (found, name, isQuoted, format = "") => {
    if (name === undefined) return found[0];
    if (!(name in values)) throw new Error(`no ${name} for "${template}"`);
    if (typeof values[name] === "number") return localNumber(formatNumber(values[name], format), language);
    return isQuoted ? `'${values[name]}'` : values[name];
  });
}

/** The number with the fewest digits that is the same 32-bit float. */
export function shortenFloat(number) {
  let shortest = Number(number.toPrecision(9));
  for (let digits = 8; digits > 0; digits--) {
    const shorter = Number(number.toPrecision(digits));
    if (Math.fround(shorter) !== number) break;
    shortest = shorter;
  }
  return shortest;
}

/** A number as Python's `str` writes it: 1.0, 0.25, 1.5e-07. */
export function numberText(number) {
  const size = Math.abs(number);
  if (size > 0 && (size < 1e-4 || size >= 1e16)) return number.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  return Number.isInteger(number) ? `${number}.0` : `${number}`;
}
