// The texts of a board: sentences with tokens in them, and the one format of its numbers.

import { element } from "../../../ui/element.js";
import { formatDecimal, formatExact } from "../../../ui/numbers.js";
import { fill, plainPiece } from "../../../ui/text.js";

const ALMOST_ZERO = "≈0";

/** A number with two decimals; what is not 0 never looks like 0. @param {number} number */
export function shownNumber(number) {
  if (Number.isNaN(number)) return "nan";
  if (number === 0) return "0";
  if (!Number.isFinite(number)) return number < 0 ? "−∞" : "∞";
  const text = formatDecimal(number, 2);
  return /[1-9]/.test(text) ? text : ALMOST_ZERO;
}

/**
 * A number as shown, with the exact one where it is almost 0.
 * @param {number} number
 */
export function numberNode(number, text = shownNumber(number)) {
  return element("b", text === ALMOST_ZERO ? { title: formatExact(number) } : {}, text);
}

/**
 * What stood there in the unchanged run, as a small text beside what stands there now, if the two look different.
 * @param {string} template with "{number}"
 * @param {string | null} former null if there was nothing
 * @param {string} now
 */
export function wasNodes(template, former, now) {
  if (former === null || former === now) return [];
  return [element("small", { class: "was" }, fill(template, { number: former }))];
}

/**
 * A token in its language; special ones have names in that of the page.
 * @param {{ text: string, special: boolean }} token
 * @param {string} code
 */
export function tokenNode({ text, special }, code) {
  return element("b", { ...(special ? {} : { lang: code, dir: "auto" }), class: "token" }, plainPiece(text));
}
