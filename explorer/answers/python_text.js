// What Python does with text where JavaScript does something else: blanks, lengths, regular expressions, numbers.

import { BLANK, LETTER } from "../engine/tidying.js";

export { formatText } from "../ui/format_text.js";
export { shorten } from "../ui/text.js";

const BLANKS = BLANK.slice(1, -1);
const CLASSES = [["[^\\W\\d_]", LETTER], ["[\\s", `[${BLANKS}`], ["\\s", BLANK], ["\\w", "[\\p{L}\\p{N}_]"], ["\\d", "\\p{Nd}"], ["(?P<", "(?<"]];
const AROUND = new RegExp(`^${BLANK}+|${BLANK}+$`, "gu");

/** The regular expression of a pattern in Python's syntax; inside brackets of several things, only \s is understood. */
export function compilePattern(source, flags = "") {
  return new RegExp(CLASSES.reduce((text, [python, own]) => text.replaceAll(python, own), source), `${flags}u`);
}

/** The number of code points. */
export function lengthOf(text) {
  return [...text].length;
}

/** The text without blanks around it. */
export function strip(text) {
  return text.replace(AROUND, "");
}

/** The text without these characters at its start. */
export function stripStart(text, characters) {
  const signs = [...text], first = signs.findIndex((sign) => !characters.includes(sign));
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
