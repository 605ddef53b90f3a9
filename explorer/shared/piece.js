// How a piece is written among words.

/** Without the dot that marks a word's beginning; a dot alone stays. */
export function plain(text) {
  return text.replace(/^·(?=.)/, "");
}
