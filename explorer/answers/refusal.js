// A question that is refused: the message is a sentence for the visitor (ValueError in Python's answers).

import { formatText } from "./python_text.js";

export class Refusal extends Error {}

/** The number, unless it is none of a list's places; `words` are REFUSALS of explorer/ui. */
export function requireIndex(name, value, count, { words, language }) {
  if (!(value >= 0 && value < count)) throw new Refusal(formatText(words.index, { name, last: count - 1, value }, language));
}
