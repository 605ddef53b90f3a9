// How a piece is written among words.

import { standing } from "./scripts.js";

/** Without the dot that marks a word's beginning; a dot alone stays. */
export function plain(text) {
  return text.replace(/^·(?=.)/, "");
}

/** The same right after other pieces: a mark stands on the last letter of theirs. */
export function within(text) {
  return standing(plain(text));
}
