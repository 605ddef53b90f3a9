// Words on the screen: sentences come from the words of a tab, with names in braces where values stand.

import { isolate, withoutCircle } from "./scripts.js";

const parts = new Map(); // of every sentence: text, name, text, name ... text

/** "{name}" in a sentence replaced by the value of that name. Throws where there is no such sentence or value. */
export function fill(sentence, values) {
  if (typeof sentence !== "string") throw new Error(`${sentence} is no sentence`);
  if (!parts.has(sentence)) parts.set(sentence, sentence.split(/\{(\w+)\}/));
  return parts.get(sentence).map((part, i) => (i % 2 ? valueOf(values, part, sentence) : part)).join("");
}

function valueOf(values, name, sentence) {
  if (values[name] === undefined) throw new Error(`no ${name} for "${sentence}"`);
  return typeof values[name] === "string" ? isolate(values[name]) : values[name];
}

/** The same words, of which a missing one throws instead of being printed as "undefined". */
export function requireWords(words, place = "text") {
  const get = (all, name) => {
    const found = all[name], path = `${place}.${String(name)}`;
    if (found === undefined && typeof name === "string") throw new Error(`there is no ${path}`);
    return found && typeof found === "object" ? requireWords(found, path) : found;
  };
  return new Proxy(words, { get });
}

/** Numbers on the screen count from one. */
function nameOf(words, choice) {
  return typeof choice === "number" ? fill(words.one, { number: choice + 1 }) : words[choice];
}

/** How the heads of a choice are called: `words` are HEADS of explorer/ui/words/. */
export function headsName(words, { layer, head }) {
  return fill(words.both, { layer: nameOf(words.layer, layer), head: nameOf(words.head, head) });
}

/** Without the dot that marks a word's beginning; a dot alone stays. */
export function plainPiece(text) {
  return text.replace(/^·(?=.)/, "");
}

/** The same right after other pieces: a mark stands on the last letter of theirs. */
export function innerPiece(text) {
  return withoutCircle(plainPiece(text));
}
