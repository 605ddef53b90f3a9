// What Python does with text where JavaScript does something else: blanks, lengths, numbers.

import { BLANK } from "./tidying.js";

const AROUND = new RegExp(`^${BLANK}+|${BLANK}+$`, "gu");

/** The number of code points. @param {string} text */
export function lengthOf(text) {
  return [...text].length;
}

/** The text without blanks around it. @param {string} text */
export function strip(text) {
  return text.replace(AROUND, "");
}

/** The number with the fewest digits that is the same 32-bit float. @param {number} number */
export function shortenFloat(number) {
  let shortest = Number(number.toPrecision(9));
  for (let digits = 8; digits > 0; digits--) {
    const shorter = Number(number.toPrecision(digits));
    if (Math.fround(shorter) !== number) break;
    shortest = shorter;
  }
  return shortest;
}

/** A number as Python's `str` writes it: 1.0, 0.25, 1.5e-07. @param {number} number */
export function numberText(number) {
  const size = Math.abs(number);
  if (size > 0 && (size < 1e-4 || size >= 1e16)) return number.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  return Number.isInteger(number) ? `${number}.0` : `${number}`;
}
