// Messages on the screen: templates with names in braces where values are filled in.

import { isolate, withoutCircle } from "./scripts.js";

// What a line may break behind; Chinese breaks between any two letters.
const BREAKS = /[ &]|%20|[\p{scx=Han}，：；）”](?![，。：；、）”])/gu;
const splitSentences = new Map(); // by sentence: text, name, text, name ... text

/**
 * The parts of a sentence: text, value, text, value ... text, with the value of every "{name}". Throws if the sentence
 * or a value is missing.
 * @template Value
 * @param {string} sentence
 * @param {Record<string, Value>} values
 * @returns {(string | Value)[]}
 */
export function fillParts(sentence, values) {
  if (typeof sentence !== "string") throw new Error(`${sentence} is no sentence`);
  if (!splitSentences.has(sentence)) splitSentences.set(sentence, sentence.split(/\{(\w+)\}/));
  return splitSentences.get(sentence).map((part, i) => (i % 2 ? valueOf(values, part, sentence) : part));
}

function valueOf(values, name, sentence) {
  if (values[name] === undefined) throw new Error(`no ${name} for "${sentence}"`);
  return values[name];
}

/** Replaces every "{name}" in a sentence by its value. Throws as `fillParts` does. */
export function fill(sentence, values) {
  const isText = (part, i) => i % 2 && typeof part === "string";
  return fillParts(sentence, values).map((part, i) => (isText(part, i) ? isolate(part) : part)).join("");
}

/** The words of texts as a set. @param {string[]} texts */
export function wordSet(...texts) {
  return new Set(texts.flatMap((text) => text.split(" ")));
}

/** A proxy of the words that throws for a missing one, which would otherwise appear as "undefined". */
export function requireWords(words, parent = "text") {
  const readWord = (words, name) => {
    const value = words[name], path = `${parent}.${String(name)}`;
    if (value === undefined && typeof name === "string") throw new Error(`there is no ${path}`);
    return value && typeof value === "object" ? requireWords(value, path) : value;
  };
  // eslint-disable-next-line no-restricted-syntax -- it answers to no other names than the words have
  return new Proxy(words, { get: readWord });
}

/** A text of at most so many code points, with an ellipsis at the end of a longer one. */
export function shorten(text, letters) {
  const signs = [...text];
  return signs.length <= letters ? text : `${signs.slice(0, letters - 1).join("")}…`;
}

/** For labels of Plotly, which interprets some HTML; for HTML itself see handout/html.js. */
export function escapeLabel(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Items one after the other, as a language separates them. */
export function joinList(items, language = globalThis.document?.documentElement.lang ?? "en") {
  return items.join(language.startsWith("zh") ? "、" : ", ");
}

/** The name of a layer or head: a number, counted from one, or a word such as "mean". */
function choiceName(words, choice) {
  return typeof choice === "number" ? fill(words.one, { number: choice + 1 }) : words[choice];
}

/** The name of a choice of heads; `words` are HEADS of explorer/ui/words/. */
export function headsName(words, { layer, head }) {
  return fill(words.both, { layer: choiceName(words.layer, layer), head: choiceName(words.head, head) });
}

/** A piece without the dot that marks the start of a word; a dot alone stays. */
export function plainPiece(text) {
  return text.replace(/^·(?=.)/, "");
}

/** A piece that follows another one: without the dot, and without the circle of a combining mark. */
export function innerPiece(text) {
  return withoutCircle(plainPiece(text));
}

function splitLine(line) {
  return line.replace(BREAKS, "$&\n").split("\n");
}

/** Breaks a line into parts that fit, between words, or anywhere in a long word such as an address. */
export function breakLine(line, width, widthOf) {
  const parts = [""];
  for (const word of splitLine(line)) {
    if (parts.at(-1) && widthOf(parts.at(-1) + word.trimEnd()) > width) parts.push("");
    let rest = word;
    while (widthOf(rest.trimEnd()) > width && rest.length > 1) {
      let count = Math.max(1, Math.floor((rest.length * width) / widthOf(rest)));
      while (count > 1 && widthOf(rest.slice(0, count)) > width) count -= 1;
      parts[parts.length - 1] += rest.slice(0, count);
      parts.push("");
      rest = rest.slice(count);
    }
    parts[parts.length - 1] += rest;
  }
  return parts.map((part) => part.trimEnd()).filter(Boolean);
}

/** The width of the longest part of a line that `breakLine` leaves whole. */
export function longestPart(line, widthOf) {
  return Math.max(...splitLine(line).map((part) => widthOf(part.trimEnd())));
}
