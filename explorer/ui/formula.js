// Letters in texts, written as in a formula: "W_Q" and "K^T".

import { element } from "./element.js";

const LETTER = /((?:[A-Z]|\bb)[_^]\w)(?!\w)/;
const TAGS = { _: "sub", "^": "sup" };

/** The parts of a text, each with its place: on the line (""), below it ("_") or above it ("^"). */
export function formulaParts(text) {
  const parts = text.split(LETTER).flatMap((part, i) => (i % 2 ? [[part[0], ""], [part[2], part[1]]] : [[part, ""]]));
  return parts.filter(([part]) => part);
}

/** A text as nodes. */
export function formulaNodes(text) {
  return formulaParts(text).map(([part, place]) => (place ? element(TAGS[place], {}, part) : part));
}
