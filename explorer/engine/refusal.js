// Indices that the model or a sentence has not.

import { UserError } from "../ui/user_error.js";
import { formatText } from "../ui/format_text.js";

/** Throws a UserError if the number is none of a list's places; `words` are REFUSALS of explorer/ui. */
export function requireIndex(name, value, count, { words, language }) {
  if (!(value >= 0 && value < count)) throw new UserError(formatText(words.index, { name, last: count - 1, value }, language));
}
