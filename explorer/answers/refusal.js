// A question that is refused: the message is a sentence for the visitor (ValueError in Python's answers).

import { faultIn } from "./json_schema.js";
import { formatText } from "./python_text.js";

export class Refusal extends Error {}

/** Throws a Refusal, with the place of the fault, unless a value has the form of a JSON schema; `words` as below. */
export function requireForm(value, schema, { words, language }) {
  const fault = faultIn(value, schema);
  if (fault !== null) throw new Refusal(formatText(words.no_answer, { fault: fault || "/" }, language));
}

/** Throws a Refusal if the number is none of a list's places; `words` are REFUSALS of explorer/ui. */
export function requireIndex(name, value, count, { words, language }) {
  if (!(value >= 0 && value < count)) throw new Refusal(formatText(words.index, { name, last: count - 1, value }, language));
}
