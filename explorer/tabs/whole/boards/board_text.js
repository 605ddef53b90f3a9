// The texts of a board: sentences with tokens in them, and the one format of its numbers.

import { element } from "../../../ui/element.js";
import { formatDecimal } from "../../../ui/numbers.js";
import { plainPiece } from "../../../ui/text.js";

const ALMOST_ZERO = "≈0";

/** A number with two decimals; "≈0" for one that is not 0 but would look like it. */
export function shownNumber(number) {
  if (number === -Infinity) return "−∞";
  const text = formatDecimal(number, 2);
  return number !== 0 && !/[1-9]/.test(text) ? ALMOST_ZERO : text;
}

/** A number as shown, with the exact one where it is almost 0. */
export function numberNode(number, text = shownNumber(number)) {
  return element("b", text === ALMOST_ZERO ? { title: String(number) } : {}, text);
}

/** A token in its language. @param {Piece} token */
export function tokenNode({ text }, code) {
  return element("b", { lang: code, dir: "auto", class: "token" }, plainPiece(text));
}

/**
 * A sentence with every "{name}" replaced by a node or a text. Throws if a value is missing.
 * @param {string} sentence
 * @param {Record<string, Node | string | number>} values
 */
export function fillNodes(sentence, values) {
  return sentence.split(/\{(\w+)\}/).map((part, i) => {
    if (i % 2 === 0) return part;
    if (values[part] === undefined) throw new Error(`no ${part} for "${sentence}"`);
    const value = values[part];
    return value instanceof Node ? value.cloneNode(true) : String(value);
  });
}

/** The name of a matrix, such as "W_Q" or "QK^T", with its letter below or above the line. */
export function symbolNodes(symbol) {
  return symbol.split(/([_^]\w)/).map((part, i) => {
    if (i % 2 === 0) return part;
    return element(part[0] === "_" ? "sub" : "sup", {}, part[1]);
  });
}
